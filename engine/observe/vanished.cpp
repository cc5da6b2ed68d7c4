// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/vanished.h"

#include "engine/observe/forward_causes.h"

#include <algorithm>

namespace binade::observe {

namespace {

class Vanished {
 public:
  explicit Vanished(const Trace& trace) : trace_(trace), forward_(trace) {}

  Causes find() const {
    Causes causes;
    for (const Cause& root : forward_.roots()) {
      if (counts(root)) causes.roots.push_back(root);
    }
    std::sort(causes.roots.begin(), causes.roots.end(), [](const Cause& a, const Cause& b) { return a.call < b.call; });
    if (!causes.roots.empty()) causes.chain = chain_from(causes.roots.front().call);
    return causes;
  }

 private:
  const Values& seen(int value) const { return trace_.values()[static_cast<std::size_t>(value)].seen; }
  const TracedCall& call(int id) const { return trace_.calls()[static_cast<std::size_t>(id)]; }

  bool counts(const Cause& root) const {
    const bool overflow = root.fault == Cause::Fault::kOverflow || root.fault == Cause::Fault::kCast;
    const auto& made = forward_.made_by(root.call);
    return std::any_of(made.begin(), made.end(), [&](int value) {
      return seen(value).nan > 0 || (overflow && seen(value).positive_infinity > 0);
    });
  }

  /// What of a call's results is not finite; -1: nothing.
  int bad_result(int id) const {
    const auto& made = forward_.made_by(id);
    const auto bad = std::find_if(made.begin(), made.end(), [&](int value) { return !seen(value).finite(); });
    return bad == made.end() ? -1 : *bad;
  }

  /// The first call that takes a value.
  int taker_of(int value, int after) const {
    for (std::size_t next = static_cast<std::size_t>(after) + 1; next < trace_.calls().size(); ++next) {
      const auto& uses = trace_.calls()[next].uses;
      if (std::any_of(uses.begin(), uses.end(), [&](const TracedUse& use) { return use.value == value; })) {
        return static_cast<int>(next);
      }
    }
    return -1;
  }

  std::vector<CauseLink> chain_from(int start) const {
    std::vector<CauseLink> chain;
    for (int id = start; id >= 0;) {
      const int bad = bad_result(id);
      chain.push_back({id, false, bad, -1});
      if (bad < 0) break;
      id = taker_of(bad, id);
    }
    return chain;
  }

  const Trace& trace_;
  const ForwardCauses forward_;
};

}  // namespace

Causes find_vanished(const Trace& trace) {
  return Vanished(trace).find();
}

}  // namespace binade::observe
