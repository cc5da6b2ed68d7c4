// SPDX-License-Identifier: Apache-2.0
#include "engine/search/candidates.h"

#include "engine/search/candidate_text.h"
#include "engine/search/risk.h"
#include "engine/search/saving.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace binade::search {

namespace {

using Kind = policy::Decision::Kind;

/// Order of formats by range, then by precision.
bool is_wider(const formats::Format& a, const formats::Format& b) {
  return std::tie(a.exponent_bits, a.mantissa_bits) > std::tie(b.exponent_bits, b.mantissa_bits);
}

std::vector<formats::Format> allowed_formats(const Order& order) {
  if (!order.limits.formats.empty()) return order.limits.formats;
  if (order.base.low == formats::kFloat32) return {formats::kFloat32};
  return {order.base.low, formats::kFloat32};
}

/// Identity of the site with a name as SiteKey::name() writes it.
policy::SiteKey key_of(const std::string& name) {
  policy::SiteKey key;
  const std::size_t number = name.rfind('#');
  const std::size_t slash = name.rfind('/');
  const std::size_t op = slash == std::string::npos ? 0 : slash + 1;
  key.op = name.substr(op, number == std::string::npos ? number : number - op);
  if (number != std::string::npos) {
    for (std::size_t i = number + 1; i < name.size() && name[i] >= '0' && name[i] <= '9' && i < number + 9; ++i) {
      key.ordinal = key.ordinal * 10 + (name[i] - '0');
    }
  }
  if (slash == std::string::npos) return key;
  key.path = name.substr(0, slash);
  const std::size_t method = key.path.rfind("::");
  if (method == std::string::npos) return key;
  key.method = key.path.substr(method + 2);
  key.path.resize(method);
  return key;
}

/// How much speaks for a fault of an op call itself, the most first.
enum Suspicion { kBreaks, kBlamed, kBeyondTheFormat, kReceives, kLoses, kNothing };

Suspicion suspicion_of(const CallEvidence& call) {
  if (call.now.kind == Kind::kBanned || std::isinf(call.error) || std::isinf(call.gradient_error)) return kBreaks;
  const bool is_beyond = call.doublings_left.value_or(0) < 0;
  // Values beyond the format without an error of the call's own came with its arguments.
  const bool receives = std::isinf(call.amplifies) || (is_beyond && call.error == 0 && call.gradient_error == 0);
  if (receives) return kReceives;
  if (call.overflowed) return kBlamed;
  if (is_beyond) return kBeyondTheFormat;
  return call.lost > 0 ? kLoses : kNothing;
}

/// Whether the call computes in a format that does not depend on its arguments.
bool has_own_format(const policy::Decision& decision) {
  return decision.kind == Kind::kFormat || decision.kind == Kind::kSetDtype || decision.kind == Kind::kAppendDtype;
}

}  // namespace

bool may_change(const Order& order, const CallEvidence& call) {
  const policy::SiteKey key = key_of(call.call);
  return std::none_of(order.limits.fixed.begin(), order.limits.fixed.end(),
                      [&key](const std::string& pattern) { return policy::matches(pattern, key); });
}

formats::Format low_format(const Order& order) {
  const auto& allowed = order.limits.formats;
  const auto low = std::find_if(allowed.begin(), allowed.end(), [](const auto& each) {
    return each != formats::kFloat32;  // every format is contained in float32
  });
  return low != allowed.end() ? *low : order.base.low;
}

int stored_bits(const formats::Format& format) {
  const int bits = 1 + format.exponent_bits + format.mantissa_bits;
  return bits <= 8 ? 8 : bits <= 16 ? 16 : 32;
}

std::vector<formats::Format> present_formats(const StepEvidence& evidence) {
  std::vector<formats::Format> present;
  present.reserve(evidence.calls.size());
  formats::Format format = formats::kFloat32;
  for (const CallEvidence& call : evidence.calls) {
    if (call.now.kind == Kind::kFormat) {
      format = call.now.format;
    } else if (has_own_format(call.now)) {
      format = formats::kFloat32;
    }
    present.push_back(format);
  }
  return present;
}

std::uint64_t tie_break(std::uint64_t seed, std::size_t call) {
  // SplitMix64 by Steele, Lea and Flood, 2014: the standard's generators are exact, but its distributions are not.
  std::uint64_t value = seed + 0x9e3779b97f4a7c15u * (static_cast<std::uint64_t>(call) + 1);
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

std::vector<Candidate> saving_candidates(const Order& order, const StepEvidence& evidence) {
  const std::vector<formats::Format> present = present_formats(evidence);
  const SavingEstimate saving(order.goal, evidence, present);
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < evidence.calls.size(); ++i) {
    const CallEvidence& call = evidence.calls[i];
    if (call.now.kind == Kind::kBanned || !may_change(order, call)) continue;
    for (const formats::Format& format : allowed_formats(order)) {
      if (format == present[i]) continue;
      Candidate candidate{.call = i, .format = format, .raises = is_wider(format, present[i]), .why = {}};
      candidate.saving = saving.of(i, format);
      // A higher format is only of use where it removes casts. A lower one is kept if its estimate is only unknown.
      if (candidate.raises ? !(candidate.saving > 0) : candidate.saving < 0) continue;
      candidate.risk = candidate.raises ? 0 : risk_of(call, format, low_format(order));
      candidate.chance = candidate.raises ? Chance::kSafe : chance_of(call, format, low_format(order));
      candidate.why = why_saved(order.goal, call, candidate);
      candidates.push_back(std::move(candidate));
    }
  }
  return candidates;
}

std::vector<Candidate> repair_candidates(const Order& order, const StepEvidence& evidence) {
  const std::vector<formats::Format> allowed = allowed_formats(order);
  const formats::Format target =
      *std::max_element(allowed.begin(), allowed.end(), [](const auto& a, const auto& b) { return is_wider(b, a); });
  const std::vector<formats::Format> present = present_formats(evidence);
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < evidence.calls.size(); ++i) {
    const CallEvidence& call = evidence.calls[i];
    // The format of an op call that follows its arguments is only estimated, so the estimate excludes none.
    if (has_own_format(call.now) && !is_wider(target, present[i])) continue;
    if (!may_change(order, call)) continue;
    Candidate candidate{.call = i, .format = target, .raises = true, .why = {}};
    candidate.risk = error_of(call);
    if (suspicion_of(call) <= kBlamed) candidate.chance = Chance::kUnlikely;
    candidate.why = why_suspected(call, target, low_format(order));
    candidates.push_back(std::move(candidate));
  }
  const auto rank = [&](const Candidate& candidate) {
    const CallEvidence& call = evidence.calls[candidate.call];
    const int suspicion = suspicion_of(call);
    const double within = suspicion <= kBlamed            ? static_cast<double>(candidate.call)
                          : suspicion == kBeyondTheFormat ? *call.doublings_left
                          : suspicion == kLoses           ? -call.lost
                                                          : 0;
    return std::make_tuple(suspicion, within, -candidate.risk, tie_break(order.seed, candidate.call));
  };
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&rank](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
  return candidates;
}

std::size_t set_apart(const std::vector<Candidate>& ranked) {
  constexpr std::size_t kMost = 16;
  constexpr double kClear = 5;  // times the error of the next candidate
  const auto first = std::find_if(ranked.begin(), ranked.end(),
                                  [](const Candidate& each) { return each.chance != Chance::kUnlikely; });
  const auto suspects = static_cast<std::size_t>(first - ranked.begin());
  if (suspects > 0 && suspects <= ranked.size() / 2) return suspects;
  std::size_t apart = 0;
  double widest = kClear;
  for (std::size_t i = 0; i < std::min(kMost, ranked.size() / 2); ++i) {
    const double gap = ranked[i].risk / ranked[i + 1].risk;
    if (!(gap >= widest)) continue;
    widest = gap;
    apart = i + 1;
  }
  return apart;
}

policy::Policy with_changes(const Order& order, const StepEvidence& evidence,
                            const std::vector<const Candidate*>& changes) {
  policy::Policy policy = order.base;
  policy.provenance.evidence.clear();
  if (!order.base.name.empty()) policy.provenance.from = {order.base.name};
  for (const Candidate* change : changes) {
    const std::string& name = evidence.calls[change->call].call;
    std::erase_if(policy.sites, [&name](const policy::SiteRule& rule) { return rule.match == name; });
  }
  for (const Candidate* change : changes) {
    policy::SiteRule rule;
    rule.match = evidence.calls[change->call].call;
    rule.format = change->format;
    rule.products = change->products;
    rule.why = change->why;
    policy.sites.push_back(std::move(rule));
  }
  return policy;
}

}  // namespace binade::search
