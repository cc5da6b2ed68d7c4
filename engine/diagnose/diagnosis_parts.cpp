// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/diagnosis_parts.h"

#include "engine/diagnose/cause_text.h"
#include "engine/graph/dtype_format.h"
#include "engine/graph/dtype_name.h"

namespace binade::diagnose {

namespace {

formats::Format format_of(at::ScalarType dtype) {
  // The fnuz dtypes have no format here; the nearest one represents them.
  if (dtype == at::kFloat8_e4m3fnuz) return formats::kFloat8E4M3fn;
  if (dtype == at::kFloat8_e5m2fnuz) return formats::kFloat8E5M2;
  return graph::narrow_format(dtype).value_or(formats::kFloat32);
}

/// Returns the format to which a call casts its arguments. With emulation the op receives rounded float32 values; the
/// format is then that of its results.
formats::Format cast_format(const Trace& trace, const TracedCall& call, at::ScalarType came_as) {
  if (came_as != at::kFloat) return format_of(came_as);
  if (call.rounding) return call.rounding->format;
  for (const int result : call.results) {
    const at::ScalarType dtype = trace.values()[static_cast<std::size_t>(result)].seen.dtype;
    if (const auto low = graph::low_format(dtype)) return *low;
  }
  return formats::kFloat32;
}

/// Returns the format that values were lost to: that of the result, or of an argument's cast.
formats::Format lost_format(const Trace& trace, const TracedCall& call, const Cause& cause) {
  if (cause.what != "output") {
    for (const TracedUse& use : call.uses) {
      if (use.argument == cause.argument && use.cast) return cast_format(trace, call, use.cast->dtype);
    }
  }
  if (call.results.empty()) return formats::kFloat32;
  const at::ScalarType dtype = trace.values()[static_cast<std::size_t>(call.results.front())].seen.dtype;
  return call.rounding && dtype == at::kFloat ? call.rounding->format : format_of(dtype);
}

wire::ValueRange range_of(const std::string& name, const observe::Values& seen) {
  return {name,    graph::dtype_name(seen.dtype), seen.smallest, seen.largest, seen.count, seen.zeros, seen.infinite(),
          seen.nan};
}

wire::ChainLink link_of(const Trace& trace, const CauseLink& link) {
  const TracedCall& call = trace.calls()[static_cast<std::size_t>(link.call)];
  wire::ChainLink made;
  made.site = call.site->id;
  made.call = call.index;
  made.direction = link.backward ? wire::Direction::kBackward : wire::Direction::kForward;
  made.tensor = link.backward ? "gradient" : "output";
  const auto show = [&made](const observe::Values& seen) {
    made.format = format_of(seen.dtype);
    made.largest = seen.largest;
    made.non_finite = static_cast<std::uint64_t>(seen.nan + seen.infinite());
  };
  if (link.value >= 0) show(trace.values()[static_cast<std::size_t>(link.value)].seen);
  if (link.node >= 0) {
    for (const observe::Values& seen : trace.nodes()[static_cast<std::size_t>(link.node)].out) {
      if (!seen.finite()) show(seen);
    }
  }
  return made;
}

/// Returns the incoming gradients. If the cast after a call's backward fails, these are the gradients that arrived at
/// the call, not its results.
const std::vector<observe::Values>& arrived(const Trace& trace, const Cause& cause) {
  const auto& nodes = trace.nodes();
  const TracedNode* first = &nodes[static_cast<std::size_t>(cause.node)];
  if (first->part != TracedNode::Part::kCast || first->call < 0) return first->in;
  const int call = first->call;
  for (const TracedNode& node : nodes) {
    if (node.call == call && node.order >= 0 && node.order < first->order) first = &node;
  }
  return first->in;
}

/// Returns whether the results of a traced call are float32.
bool is_in_float32(const Trace& trace, int call) {
  const std::vector<int>& results = trace.calls()[static_cast<std::size_t>(call)].results;
  return !results.empty() && trace.values()[static_cast<std::size_t>(results.front())].seen.dtype == at::kFloat;
}

wire::Root root_of(const Trace& trace, const Cause& cause) {
  wire::Root root;
  root.fault = cause.fault;
  root.direction = cause.backward ? wire::Direction::kBackward : wire::Direction::kForward;
  root.what = cause.what;
  std::string why = cause.fault == Cause::Fault::kLost ? text_of(cause.lost) : text_of(cause.why);
  if (!why.empty()) root.why = std::move(why);
  if (cause.fault == Cause::Fault::kLost && cause.lost.to != 0) root.rounded_to = cause.lost.to < 0 ? -1 : 1;
  if (cause.node >= 0) {
    const TracedNode& node = trace.nodes()[static_cast<std::size_t>(cause.node)];
    // The op computes in float32 and its gradient was finite, so the cast of its argument is to blame, in backward. In
    // a low format the rounding is the op's own.
    const bool in_cast = node.part == TracedNode::Part::kCast && cause.fault == Cause::Fault::kOverflow;
    if (in_cast && cause.call >= 0 && is_in_float32(trace, cause.call)) root.fault = wire::Root::Fault::kCast;
    // A pole is one at every loss scale: nothing was too large.
    if (cause.fault == Cause::Fault::kOverflow && cause.why.known()) root.fault = wire::Root::Fault::kInvalid;
    for (const observe::Values& seen : arrived(trace, cause)) {
      if (seen.count > 0) root.inputs.push_back(range_of("gradient", seen));
    }
    for (const observe::Values& seen : cause.fault == Cause::Fault::kSum ? node.in : node.out) {
      if (seen.finite()) continue;
      // An emulated gradient is float32: an argument's is rounded to the format of the op call that made it.
      const bool emulated = node.rounds_to && seen.dtype == at::kFloat && cause.fault != Cause::Fault::kSum;
      root.format = emulated ? *node.rounds_to : format_of(seen.dtype);
      break;
    }
  }
  if (cause.value >= 0) {
    const TracedValue& value = trace.values()[static_cast<std::size_t>(cause.value)];
    root.inputs.push_back(range_of(value.name, value.seen));
    root.format = format_of(value.seen.dtype);
  }
  if (cause.call < 0) return root;
  const TracedCall& call = trace.calls()[static_cast<std::size_t>(cause.call)];
  root.site = call.site->id;
  root.call = call.index;
  root.source = call.site->source;
  for (const TracedUse& use : call.uses) {
    const observe::Values& seen = trace.values()[static_cast<std::size_t>(use.value)].seen;
    if (use.value != cause.value) root.inputs.push_back(range_of(call.site->argument_names[use.argument], seen));
    if (cause.fault == Cause::Fault::kCast && use.cast && !use.cast->finite()) {
      root.format = cast_format(trace, call, use.cast->dtype);
    }
  }
  if (cause.inside && call.inner_cast) {
    root.inputs.push_back(range_of(cause.what, call.inner_cast->before));
    root.format = format_of(call.inner_cast->after.dtype);
  }
  if (call.rounding && cause.backward && root.format == formats::kFloat32) root.format = call.rounding->backward;
  if (cause.fault == Cause::Fault::kCast && call.converts && !call.results.empty()) {
    root.format = format_of(trace.values()[static_cast<std::size_t>(call.results.front())].seen.dtype);
  }
  if (cause.fault == Cause::Fault::kLost) root.format = lost_format(trace, call, cause);
  if (!cause.backward && cause.value < 0 && cause.fault != Cause::Fault::kCast && cause.fault != Cause::Fault::kLost) {
    for (const int result : call.results) {
      const observe::Values& seen = trace.values()[static_cast<std::size_t>(result)].seen;
      if (seen.finite()) continue;
      root.format = call.rounding && seen.dtype == at::kFloat ? call.rounding->format : format_of(seen.dtype);
    }
  }
  return root;
}

}  // namespace

void describe_causes(wire::Diagnosis& diagnosis, const Trace& trace, const Causes& causes) {
  diagnosis.roots.clear();
  diagnosis.chain.clear();
  for (const Cause& cause : causes.roots) diagnosis.roots.push_back(root_of(trace, cause));
  for (const CauseLink& link : causes.chain) diagnosis.chain.push_back(link_of(trace, link));
  diagnosis.ends = causes.ends;
  const bool backward = causes.loss_finite && (causes.roots.empty() || causes.roots.front().backward);
  diagnosis.direction = backward ? wire::Direction::kBackward : wire::Direction::kForward;
}

void name_nan(wire::Diagnosis& diagnosis, const Trace& trace, const Causes& causes) {
  for (std::size_t i = 0; i < causes.roots.size() && i < diagnosis.roots.size(); ++i) {
    const Cause& cause = causes.roots[i];
    wire::Root& root = diagnosis.roots[i];
    const bool overflow = root.fault == wire::Root::Fault::kOverflow || root.fault == wire::Root::Fault::kCast;
    if (!cause.backward || cause.node < 0 || !overflow || root.why) continue;
    std::int64_t nan = 0;
    for (const observe::Values& seen : trace.nodes()[static_cast<std::size_t>(cause.node)].out) nan += seen.nan;
    if (nan == 0) continue;
    root.fault = wire::Root::Fault::kOverflow;
    root.why = "NaN, made of finite gradients";
  }
}

}  // namespace binade::diagnose
