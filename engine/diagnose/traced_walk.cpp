// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/traced_walk.h"

#include <algorithm>
#include <cmath>

namespace binade::diagnose {

namespace {

constexpr int kFarthest = 6;     // calls
constexpr double kGuard = 1e-2;  // a constant up to here is an epsilon, not a part of the formula
constexpr double kOfFactor = 1e-6;

/// Returns the linear function that a call applies to its single tensor argument. nullopt if it is not linear, or if a
/// coefficient is not a constant.
std::optional<Line> linear_part_of(const TracedCall& call) {
  if (call.uses.empty()) return std::nullopt;
  if (passes_values(call)) return Line{};
  if (call.uses.size() != 1) return std::nullopt;
  if (is_op(call, {"neg"})) return Line{-1, 0};
  // A clamp leaves values unchanged or keeps them inside the format.
  if (is_op(call, {"clamp", "clamp_min", "clamp_max"})) return Line{};
  const std::vector<double>& numbers = call.numbers;
  if (numbers.empty()) return std::nullopt;
  const double alpha = numbers.size() > 1 ? numbers[1] : 1;
  if (is_op(call, {"add"})) return Line{1, alpha * numbers[0]};
  if (is_op(call, {"sub"})) return Line{1, -alpha * numbers[0]};
  if (is_op(call, {"rsub"})) return Line{-alpha, numbers[0]};
  if (is_op(call, {"mul"})) return Line{numbers[0], 0};
  if (is_op(call, {"div"}) && numbers[0] != 0) return Line{1 / numbers[0], 0};
  return std::nullopt;
}

/// Returns the composition: first `inner`, then `outer`.
Line joined(const Line& outer, const Line& inner) {
  return {outer.factor * inner.factor, outer.factor * inner.offset + outer.offset};
}

}  // namespace

bool is_op(const TracedCall& call, std::initializer_list<std::string_view> names) {
  std::string_view op = call.site->op;
  op.remove_prefix(op.find(':') + 2);
  if (op.ends_with('_')) op.remove_suffix(1);
  return std::find(names.begin(), names.end(), op) != names.end();
}

bool passes_values(const TracedCall& call) {
  return call.site->view || call.converts ||
         is_op(call, {"contiguous", "reshape", "flatten", "clone", "gather", "index_select", "index", "masked_select"});
}

bool Line::is(double wanted_factor, double wanted_offset) const {
  return std::abs(factor - wanted_factor) <= kOfFactor && std::abs(offset - wanted_offset) <= kGuard;
}

std::vector<TracedWalk::Taker> TracedWalk::takers(int id) const {
  std::vector<Taker> found;
  for (int next = id + 1; next < count(); ++next) {
    const std::vector<TracedUse>& uses = call(next).uses;
    for (std::size_t use = 0; use < uses.size(); ++use) {
      const TracedValue& of = value(uses[use].value);
      if (of.origin == TracedValue::Origin::kCall && of.call == id) found.push_back({next, use});
    }
  }
  return found;
}

std::optional<TracedWalk::Reached> TracedWalk::made_by(int id, std::initializer_list<std::string_view> names,
                                                       std::size_t use) const {
  Line line;
  int at = id;
  for (int steps = 0; steps < kFarthest; ++steps) {
    const TracedCall& here = call(at);
    if (use >= here.uses.size()) return std::nullopt;
    const TracedValue& of = value(here.uses[use].value);
    if (of.origin != TracedValue::Origin::kCall) return std::nullopt;
    at = of.call;
    use = 0;
    if (is_op(call(at), names)) return Reached{at, line, 0};
    const auto inner = linear_part_of(call(at));
    if (!inner) return std::nullopt;
    line = joined(line, *inner);
  }
  return std::nullopt;
}

std::optional<int> TracedWalk::maker(int id, std::size_t use) const {
  int at = id;
  for (int steps = 0; steps < kFarthest; ++steps) {
    if (use >= call(at).uses.size()) return std::nullopt;
    const TracedValue& of = value(call(at).uses[use].value);
    if (of.origin != TracedValue::Origin::kCall) return std::nullopt;
    at = of.call;
    use = 0;
    if (!passes_values(call(at))) return at;
  }
  return std::nullopt;
}

std::vector<TracedWalk::Reached> TracedWalk::all_in_front(int id, std::initializer_list<std::string_view> names) const {
  std::vector<Reached> found;
  std::vector<Reached> open{{id, {}, 0}};
  for (int steps = 0; steps < kFarthest && !open.empty(); ++steps) {
    std::vector<Reached> further;
    for (const Reached& at : open) {
      for (const Taker& taker : takers(at.call)) {
        const TracedCall& next = call(taker.call);
        if (is_op(next, names)) found.push_back({taker.call, at.line, next.uses[taker.use].argument});
        if (taker.use != 0) continue;  // an index, or a shape's pattern
        if (const auto outer = linear_part_of(next)) further.push_back({taker.call, joined(*outer, at.line), 0});
      }
    }
    open = std::move(further);
  }
  return found;
}

std::optional<TracedWalk::Reached> TracedWalk::goes_to(int id, std::initializer_list<std::string_view> names) const {
  const std::vector<Reached> found = all_in_front(id, names);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

bool TracedWalk::takes_part_in(int id, std::initializer_list<std::string_view> names) const {
  std::vector<int> open{id};
  for (int steps = 0; steps < kFarthest && !open.empty(); ++steps) {
    std::vector<int> further;
    for (const int at : open) {
      for (const Taker& taker : takers(at)) {
        const TracedCall& next = call(taker.call);
        if (is_op(next, names)) return true;
        const bool goes_on = passes_values(next) || is_op(next, {"add", "sub", "rsub", "mul", "div", "where", "maximum",
                                                                 "masked_fill", "clamp", "clamp_min", "dropout"});
        if (goes_on && (further.empty() || further.back() != taker.call)) further.push_back(taker.call);
      }
    }
    open = std::move(further);
  }
  return false;
}

}  // namespace binade::diagnose
