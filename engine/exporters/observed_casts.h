// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/exporters/boundary.h"
#include "engine/graph/site_hook.h"
#include "engine/policy/resolve.h"

#include <c10/core/ScalarType.h>

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace binade::exporters {

/// What was done to one argument of a site, over all its calls.
struct ArgumentCasts {
  std::set<std::pair<at::ScalarType, at::ScalarType>> tensors;  ///< dtypes it came in and went on in
  bool was_none = false;                                        ///< an optional tensor that was not there
  bool filled = false;                                          ///< an absent dtype argument became float32
  bool left_empty = false;                                      ///< an absent dtype argument stayed so

  bool casts() const;
  /// The one dtype that every tensor goes on in; nothing where that depends on the call.
  std::optional<at::ScalarType> target() const;
};

/// What was done at one site.
struct SiteCasts {
  int calls = 0;
  std::vector<ArgumentCasts> arguments;
  std::set<at::ScalarType> redirected;  ///< the dtype that a norm's redirection gave
  bool composite = false;               ///< rules hold inside
  /// Of a composite the arguments that were not cast as they came: what was cast is a view or a result of theirs, which
  /// shares its cast with no other op.
  std::set<std::size_t> not_as_they_came;
  Boundary boundary;  ///< of a composite, what comes nearest to the rules inside
};

/// Runs the flat graph under a policy and notes what Autocast does with every argument. Implicit promotions that are
/// left then are noted as casts too (rule R6): TorchScript's optimising executor has symbolic backwards that hand a
/// float32 gradient to a bfloat16 op where a promotion was implicit, and training fails from the third iteration on.
class ObservedCasts {
 public:
  /// For `sites` sites under `table`, on the CPU; `others` is what a run cannot tell of them.
  ObservedCasts(std::shared_ptr<const policy::Resolved> table, std::size_t sites, OtherDtypes others);

  /// Notes one run. `run(hooks)` runs the flat graph with these hooks.
  template <class Run>
  void observe(const Run& run) {
    begin();
    try {
      run(hooks());
    } catch (...) {
      end();
      throw;
    }
    end();
  }

  const SiteCasts& at(std::size_t site) const { return sites_[site]; }

  ObservedCasts(const ObservedCasts&) = delete;
  ObservedCasts& operator=(const ObservedCasts&) = delete;
  ~ObservedCasts();

 private:
  struct Hooks;
  void begin();
  void end();
  std::span<graph::SiteHook* const> hooks() const;

  std::vector<SiteCasts> sites_;
  std::unique_ptr<Hooks> hooks_;
};

}  // namespace binade::exporters
