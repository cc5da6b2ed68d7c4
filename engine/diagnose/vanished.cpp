// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/vanished.h"

#include "engine/diagnose/forward_causes.h"

#include <algorithm>
#include <set>

namespace binade::diagnose {

namespace {

const observe::Values& seen(const Trace& trace, int value) {
  return trace.values()[static_cast<std::size_t>(value)].seen;
}

bool is_overflow(const Cause& cause) {
  return cause.fault == Cause::Fault::kOverflow || cause.fault == Cause::Fault::kCast;
}

/// Returns the first non-finite value that a call produced or wrote; -1: none.
int bad_result(const Trace& trace, int call) {
  const auto& values = trace.values();
  const auto bad = std::find_if(values.begin(), values.end(), [call](const TracedValue& value) {
    return value.origin == TracedValue::Origin::kCall && value.call == call && !value.seen.finite();
  });
  return bad == values.end() ? -1 : static_cast<int>(bad - values.begin());
}

/// Returns the first call after `after` that uses a value; -1: none.
int taker_of(const Trace& trace, int value, int after) {
  for (std::size_t next = static_cast<std::size_t>(after) + 1; next < trace.calls().size(); ++next) {
    const auto& uses = trace.calls()[next].uses;
    if (std::any_of(uses.begin(), uses.end(), [&](const TracedUse& use) { return use.value == value; })) {
      return static_cast<int>(next);
    }
  }
  return -1;
}

class Finder {
 public:
  explicit Finder(const Trace& trace) : trace_(trace), forward_(trace) {}

  Vanished find() {
    for (const Cause& root : forward_.roots()) {
      if (counts(root)) found_.causes.roots.push_back(root);
    }
    auto& roots = found_.causes.roots;
    std::sort(roots.begin(), roots.end(), [](const Cause& a, const Cause& b) { return a.call < b.call; });
    for (std::size_t i = 0; i < roots.size(); ++i) follow(i);
    std::sort(found_.absorbers.begin(), found_.absorbers.end(),
              [](const Vanished::Absorber& a, const Vanished::Absorber& b) { return a.call < b.call; });
    if (!roots.empty()) found_.causes.chain = chain_from(trace_, roots.front().call);
    return std::move(found_);
  }

 private:
  const TracedCall& call(int id) const { return trace_.calls()[static_cast<std::size_t>(id)]; }

  bool counts(const Cause& root) const {
    const auto& made = forward_.made_by(root.call);
    return std::any_of(made.begin(), made.end(), [&](int value) {
      return seen(trace_, value).nan > 0 || (is_overflow(root) && seen(trace_, value).infinite() > 0);
    });
  }

  /// Follows a root's non-finite values through all calls up to those in which they vanish.
  void follow(std::size_t root) {
    std::set<int> reached;
    const auto reach = [&](int id) {
      bool any = false;
      for (const int value : forward_.made_by(id)) {
        if (!forward_.is_bad(value)) continue;
        reached.insert(value);
        any = true;
      }
      return any;
    };
    const int start = found_.causes.roots[root].call;
    reach(start);
    for (int id = start + 1; id < static_cast<int>(trace_.calls().size()); ++id) {
      const auto& uses = call(id).uses;
      const bool takes =
          std::any_of(uses.begin(), uses.end(), [&](const TracedUse& use) { return reached.contains(use.value); });
      if (!takes || call(id).site->view || reach(id)) continue;
      const auto known = std::find_if(found_.absorbers.begin(), found_.absorbers.end(),
                                      [id](const Vanished::Absorber& each) { return each.call == id; });
      if (known == found_.absorbers.end()) {
        found_.absorbers.push_back({id, {root}});
      } else {
        known->roots.push_back(root);
      }
    }
  }

  const Trace& trace_;
  const ForwardCauses forward_;
  Vanished found_;
};

}  // namespace

bool is_above(const Trace& trace, const Cause& cause) {
  if (cause.call < 0) return false;
  const auto& results = trace.calls()[static_cast<std::size_t>(cause.call)].results;
  return std::any_of(results.begin(), results.end(), [&](int value) {
    return seen(trace, value).nan > 0 || (is_overflow(cause) && seen(trace, value).positive_infinity > 0);
  });
}

std::vector<CauseLink> chain_from(const Trace& trace, int call) {
  std::vector<CauseLink> chain;
  for (int id = call; id >= 0;) {
    const int bad = bad_result(trace, id);
    chain.push_back({id, false, bad, -1});
    if (bad < 0) break;
    id = taker_of(trace, bad, id);
  }
  return chain;
}

Vanished find_vanished(const Trace& trace) {
  return Finder(trace).find();
}

}  // namespace binade::diagnose
