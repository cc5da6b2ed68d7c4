// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/forward_causes.h"

#include <algorithm>
#include <deque>

namespace binade::diagnose {

namespace {

/// Returns whether the op has a pole. If it cannot run in float64, an infinity it produces is then no overflow.
bool has_pole(const std::string& op) {
  static const std::set<std::string> ops{
      "aten::atanh",      "aten::binary_cross_entropy",
      "aten::digamma",    "aten::div",
      "aten::div_",       "aten::erfinv",
      "aten::lgamma",     "aten::log",
      "aten::log10",      "aten::log1p",
      "aten::log2",       "aten::log_",
      "aten::logit",      "aten::pow",
      "aten::reciprocal", "aten::rsqrt",
      "aten::xlogy",      "aten::true_divide",
  };
  return ops.contains(op);
}

/// Returns whether the op multiplies its data; masks are not passed through such ops.
bool multiplies(const std::string& op) {
  static const std::set<std::string> ops{"aten::linear", "aten::matmul",  "aten::mm",          "aten::bmm",
                                         "aten::addmm",  "aten::baddbmm", "aten::einsum",      "aten::conv1d",
                                         "aten::conv2d", "aten::conv3d",  "aten::_convolution"};
  return ops.contains(op);
}

/// Returns whether the op's results can be infinite in float64 too merely because of their size.
bool only_grows(const std::string& op) {
  static const std::set<std::string> ops{"aten::cosh", "aten::exp",  "aten::exp_", "aten::exp2",  "aten::expm1",
                                         "aten::mul",  "aten::mul_", "aten::sinh", "aten::square"};
  return ops.contains(op);
}

}  // namespace

ForwardCauses::ForwardCauses(const Trace& trace)
    : trace_(trace),
      state_(trace.values().size(), State::kFine),
      root_of_call_(trace.calls().size(), -1),
      bad_(trace.calls().size()),
      made_(trace.calls().size()),
      first_use_(trace.values().size(), -1) {
  for (std::size_t c = 0; c < trace.calls().size(); ++c) {
    for (const TracedUse& use : trace.calls()[c].uses) {
      int& first = first_use_[index(use.value)];
      if (first < 0) first = static_cast<int>(c);
    }
  }
  for (std::size_t v = 0; v < trace.values().size(); ++v) {
    const TracedValue& value = trace.values()[v];
    if (value.origin == TracedValue::Origin::kCall) {
      made_[index(value.call)].push_back(static_cast<int>(v));
    } else {
      state_[v] = state_from_outside(static_cast<int>(v));
    }
  }
  for (std::size_t c = 0; c < trace.calls().size(); ++c) judge(static_cast<int>(c));
}

ForwardCauses::State ForwardCauses::state_from_outside(int id) const {
  using Origin = TracedValue::Origin;
  const TracedValue& value = trace_.values()[index(id)];
  if (value.seen.finite()) return State::kFine;
  if (value.seen.nan > 0) return State::kBad;
  switch (value.origin) {
    case Origin::kParameter:
      return State::kBad;
    case Origin::kBuffer: {
      // Infinities below 0 that the model came with, or wrote once, are a mask. A buffer rewritten in each step is not.
      const bool mask = value.seen.positive_infinity == 0 && (value.from_start || !value.rewritten);
      return mask ? State::kIntended : State::kBad;
    }
    case Origin::kData:
      return value.seen.positive_infinity > 0 ? State::kBad : State::kIntended;  // -inf: a mask that is added
    case Origin::kOutside:
    case Origin::kCall:
      break;
  }
  return State::kIntended;
}

bool ForwardCauses::counts(const TracedCall& call, const TracedUse& use) const {
  const graph::Role role = call.site->roles[use.argument];
  return !(call.ignores_statistics && role == graph::Role::kStatistics &&
           trace_.values()[index(use.value)].origin == TracedValue::Origin::kBuffer);
}

/// Returns whether a call's results hold more infinities than in float64, because of their format. False if unknown.
bool ForwardCauses::adds_infinities(const TracedCall& call) const {
  if (!call.in_float64) return false;
  NonFinite seen;
  for (const int result : call.results) {
    const observe::Values& value = trace_.values()[index(result)].seen;
    seen.positive_infinity += value.positive_infinity;
    seen.negative_infinity += value.negative_infinity;
  }
  return seen.positive_infinity > call.in_float64->positive_infinity ||
         seen.negative_infinity > call.in_float64->negative_infinity;
}

bool ForwardCauses::adds_non_finite(const TracedCall& call) const {
  std::int64_t nan = 0;
  for (const int result : call.results) nan += trace_.values()[index(result)].seen.nan;
  return adds_infinities(call) || nan > call.in_float64->nan;
}

const TracedUse* ForwardCauses::data_to_blame(const TracedCall& call, const Cause* invalid) const {
  using Kind = InvalidOperation::Kind;
  if (invalid != nullptr) {
    const Kind kind = invalid->why.kind;
    const bool by_infinity =
        kind == Kind::kInfinityTimesZero || kind == Kind::kBothSigns || kind == Kind::kInfiniteArgument;
    const bool adds = call.site->op.starts_with("aten::add") && !multiplies(call.site->op);  // this is how a mask is
                                                                                             // applied
    if (!by_infinity || adds) return nullptr;
  } else if (!multiplies(call.site->op)) {
    return nullptr;
  }
  const TracedUse* data = nullptr;
  for (const TracedUse& use : call.uses) {
    const TracedValue& value = trace_.values()[index(use.value)];
    if (value.seen.infinite() == 0) continue;
    if (value.origin != TracedValue::Origin::kData) return nullptr;
    if (data == nullptr) data = &use;
  }
  return data;
}

void ForwardCauses::blame_data(const TracedUse& data, Cause& cause) const {
  cause.fault = Cause::Fault::kData;
  cause.value = data.value;
  cause.what = trace_.values()[index(data.value)].name;
}

bool ForwardCauses::holds_older(int id) const {
  const TracedValue& value = trace_.values()[index(id)];
  if (value.older < 0 || value.seen.finite() || state_[index(value.older)] == State::kFine) return false;
  std::int64_t written = 0;
  for (const int other : made_[index(value.call)]) {
    const TracedValue& made = trace_.values()[index(other)];
    if (made.older < 0) written = std::max(written, made.seen.nan + made.seen.infinite());
  }
  return value.seen.nan + value.seen.infinite() > written;
}

void ForwardCauses::judge(int id) {
  const TracedCall& call = trace_.calls()[index(id)];
  bool intended = call.infinite_number;
  const TracedUse* cast = nullptr;
  std::vector<int>& bad = bad_[index(id)];
  for (const TracedUse& use : call.uses) {
    if (!counts(call, use)) continue;
    const observe::Values& seen = trace_.values()[index(use.value)].seen;
    if (is_bad(use.value)) {
      bad.push_back(use.value);
    } else if (is_intended(use.value)) {
      intended = true;
    }
    if (use.cast && seen.nan == 0 && (use.cast->nan > 0 || use.cast->infinite() > seen.infinite()) && cast == nullptr) {
      cast = &use;
    }
  }
  bool nan = false;
  bool infinite = false;
  for (const int result : made_[index(id)]) {
    if (holds_older(result)) {
      state_[index(result)] = state_[index(trace_.values()[index(result)].older)];
      continue;
    }
    const observe::Values& seen = trace_.values()[index(result)].seen;
    nan = nan || seen.nan > 0;
    infinite = infinite || seen.infinite() > 0;
  }
  if (!nan && !infinite) return;
  const bool own = call.converts && call.in_float64 && cast == nullptr && adds_non_finite(call);
  const bool inner = cast == nullptr && !own && call.inner_cast.has_value();
  const TracedUse* const data = bad.empty() && intended ? data_to_blame(call, nullptr) : nullptr;
  const bool inherits =
      bad.empty() && cast == nullptr && !own && !inner && !nan && intended && data == nullptr && !adds_infinities(call);
  for (const int result : made_[index(id)]) {
    if (trace_.values()[index(result)].seen.finite() || holds_older(result)) continue;
    state_[index(result)] = inherits ? State::kIntended : State::kBad;
  }
  if (inherits || !bad.empty()) return;
  Cause cause;
  cause.call = id;
  cause.what = "output";
  if (data != nullptr) {
    blame_data(*data, cause);
  } else if (cast != nullptr) {
    cause.fault = Cause::Fault::kCast;
    cause.argument = cast->argument;
    cause.what = call.site->argument_names[cast->argument];
  } else if (own) {
    cause.fault = Cause::Fault::kCast;
    cause.argument = *call.converts;
    cause.what = call.site->argument_names[cause.argument];
  } else if (inner) {
    cause.fault = Cause::Fault::kCast;
    cause.inside = true;
    cause.what = call.inner_cast->what;
  } else if (call.in_float64) {
    const bool asked = intended && call.in_float64->nan == 0;  // the remaining infinities there were requested
    const bool overflow = call.in_float64->none() || asked || (!nan && only_grows(call.site->op));
    cause.fault = overflow ? Cause::Fault::kOverflow : Cause::Fault::kInvalid;
  } else {
    cause.fault = nan || has_pole(call.site->op) ? Cause::Fault::kInvalid : Cause::Fault::kOverflow;
  }
  if (cause.fault == Cause::Fault::kInvalid) {
    if (call.in_float64) cause.why = call.in_float64->why;
    if (const TracedUse* const invalid = data_to_blame(call, &cause)) blame_data(*invalid, cause);
  }
  root_of_call_[index(id)] = static_cast<int>(roots_.size());
  roots_.push_back(std::move(cause));
}

Cause ForwardCauses::cause_of_source(int id) const {
  using Origin = TracedValue::Origin;
  const TracedValue& value = trace_.values()[index(id)];
  Cause cause;
  cause.value = id;
  cause.call = first_use_[index(id)];
  cause.what = value.name;
  switch (value.origin) {
    case Origin::kParameter:
      cause.fault = Cause::Fault::kParameter;
      break;
    case Origin::kBuffer:
      cause.fault = Cause::Fault::kBuffer;
      break;
    case Origin::kData:
      cause.fault = Cause::Fault::kData;
      break;
    case Origin::kOutside:
    case Origin::kCall:
      cause.fault = Cause::Fault::kUnknown;
      break;
  }
  return cause;
}

void ForwardCauses::collect(int start, std::set<int>& seen, std::vector<Cause>& found) const {
  std::vector<int> open{start};
  while (!open.empty()) {
    const int id = open.back();
    open.pop_back();
    if (!seen.insert(id).second) continue;
    const TracedValue& value = trace_.values()[index(id)];
    if (value.origin != TracedValue::Origin::kCall) {
      if (is_bad(id)) found.push_back(cause_of_source(id));
      continue;
    }
    if (holds_older(id)) {
      open.push_back(value.older);
      continue;
    }
    if (const int root = root_of_call_[index(value.call)]; root >= 0) {
      const Cause& cause = roots_[index(root)];
      const auto known = [&](const Cause& other) {
        return other.call == cause.call && other.value < 0 && !other.backward;
      };
      if (std::none_of(found.begin(), found.end(), known)) found.push_back(cause);
      continue;
    }
    for (const int bad : bad_[index(value.call)]) open.push_back(bad);
  }
}

std::vector<CauseLink> ForwardCauses::path(const Cause& root, int end) const {
  // Breadth-first from the end, so that the path is a shortest one.
  std::vector<int> next(trace_.values().size(), -2);
  std::deque<int> open{end};
  next[index(end)] = -1;
  int start = -1;
  while (!open.empty() && start < 0) {
    const int id = open.front();
    open.pop_front();
    const TracedValue& value = trace_.values()[index(id)];
    const bool here =
        root.value >= 0 ? id == root.value : value.origin == TracedValue::Origin::kCall && value.call == root.call;
    if (here) start = id;
    if (value.origin != TracedValue::Origin::kCall) continue;
    std::vector<int> before = bad_[index(value.call)];
    if (holds_older(id)) before = {value.older};
    for (const int bad : before) {
      if (next[index(bad)] != -2) continue;
      next[index(bad)] = id;
      open.push_back(bad);
    }
  }
  std::vector<CauseLink> links;
  for (int id = start; id >= 0; id = next[index(id)]) {
    const TracedValue& value = trace_.values()[index(id)];
    if (value.origin == TracedValue::Origin::kCall) links.push_back({value.call, false, id, -1});
  }
  return links;
}

}  // namespace binade::diagnose
