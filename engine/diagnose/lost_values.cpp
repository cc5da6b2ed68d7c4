// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/lost_values.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <utility>

namespace binade::diagnose {

namespace {

class Walk {
 public:
  explicit Walk(const Trace& trace) : trace_(trace) {}

  LostValues from(const Cause& invalid) {
    if (invalid.call < 0) return {};
    for (const TracedUse& use : call_of(invalid.call).uses) {
      const std::string& name = call_of(invalid.call).site->argument_names[use.argument];
      if (!invalid.why.argument.empty() && name != invalid.why.argument) continue;
      take(invalid.call, use, /*further=*/-1);
    }
    while (!open_.empty()) {
      const auto [value, ones] = open_.front();
      open_.pop_front();
      ones ? visit_ones(value) : visit(value);
    }
    LostValues found;
    std::sort(lost_.begin(), lost_.end(), [](const Cause& a, const Cause& b) { return a.call < b.call; });
    found.causes = lost_;
    if (!lost_.empty()) found.path = path_from(lost_.front(), invalid);
    return found;
  }

 private:
  const TracedCall& call_of(int id) const { return trace_.calls()[static_cast<std::size_t>(id)]; }
  const TracedValue& value_of(int id) const { return trace_.values()[static_cast<std::size_t>(id)]; }

  void note(int call, std::size_t argument, const std::string& what, Lost lost, int value) {
    Cause cause;
    cause.fault = Cause::Fault::kLost;
    cause.call = call;
    cause.argument = argument;
    cause.what = what;
    cause.lost = lost;
    const auto same = [&](const Cause& other) { return other.call == call && other.what == what; };
    if (std::any_of(lost_.begin(), lost_.end(), same)) return;
    lost_.push_back(std::move(cause));
    value_of_lost_.push_back(value);
  }

  /// Follows an argument of `call`: its zeros arose in its cast, or were there before.
  void take(int call, const TracedUse& use, int further) {
    const observe::Values& seen = value_of(use.value).seen;
    const bool numbers = c10::isFloatingType(seen.dtype);
    if (!numbers) return;
    if (use.cast && use.cast->zeros > seen.zeros && use.cast->count == seen.count) {
      Lost lost{use.cast->zeros - seen.zeros, seen.count, seen.smallest, std::nullopt};
      if (seen.count == 1) lost.constant = seen.largest;
      note(call, use.argument, call_of(call).site->argument_names[use.argument], lost, further);
      return;
    }
    if (seen.zeros > 0) open(use.value, /*ones=*/false, further);
  }

  void open(int value, bool ones, int further) {
    if (!seen_.emplace(value, ones).second) return;
    next_.emplace(value, further);
    open_.emplace_back(value, ones);
  }

  void visit(int id) {
    const TracedValue& value = value_of(id);
    if (value.origin != TracedValue::Origin::kCall) return;
    const TracedCall& call = call_of(value.call);
    if (call.lost) {
      note(value.call, call.converts.value_or(0), "output", *call.lost, id);
      return;
    }
    for (const TracedUse& use : call.uses) {
      // A result may be 0 where no argument is: a difference of equals, a relu. What it was given has lost no zero
      // then.
      if (!use.met || use.met->zeros > 0) take(value.call, use, id);
      if (use.met && use.met->cancelled > 0) open(use.value, /*ones=*/true, id);
    }
  }

  /// Visits a value whose ones became zeros, as in 1 - p, and finds the call that rounded them to 1.
  void visit_ones(int id) {
    const TracedValue& value = value_of(id);
    if (value.origin != TracedValue::Origin::kCall) return;
    const TracedCall& call = call_of(value.call);
    if (call.rounded_to_one) {
      note(value.call, call.converts.value_or(0), "output", *call.rounded_to_one, id);
      return;
    }
    for (const TracedUse& use : call.uses) {
      const bool hands_on = use.met ? use.met->ones > 0 : call.site->view;
      if (hands_on) open(use.value, /*ones=*/true, id);
    }
  }

  std::vector<CauseLink> path_from(const Cause& first, const Cause& invalid) const {
    std::vector<CauseLink> links{{first.call, false, -1, -1}};
    std::size_t place = 0;  // lost_ is sorted and value_of_lost_ is not, so the value is found by its call
    for (; place < value_of_lost_.size(); ++place) {
      const int value = value_of_lost_[place];
      if (value >= 0 && value_of(value).call == first.call) break;
    }
    if (place < value_of_lost_.size()) {
      links.front().value = value_of_lost_[place];
      for (int id = next_.at(value_of_lost_[place]); id >= 0; id = next_.at(id)) {
        links.push_back({value_of(id).call, false, id, -1});
      }
    }
    if (links.back().call != invalid.call) links.push_back({invalid.call, invalid.backward, -1, invalid.node});
    return links;
  }

  const Trace& trace_;
  std::deque<std::pair<int, bool>> open_;  ///< values, and whether their ones are asked for in place of their zeros
  std::set<std::pair<int, bool>> seen_;
  std::map<int, int> next_;  ///< by value: what was made of it on the way; -1: the operation took it
  std::vector<Cause> lost_;
  std::vector<int> value_of_lost_;
};

}  // namespace

LostValues find_lost(const Trace& trace, const Cause& invalid) {
  return Walk(trace).from(invalid);
}

}  // namespace binade::diagnose
