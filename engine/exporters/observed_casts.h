// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/exporters/composite_casts.h"
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

/// Casts of one argument of a site, over all its calls.
struct ArgumentCasts {
  std::set<std::pair<at::ScalarType, at::ScalarType>> tensors;  ///< pairs of dtypes: before and after the casts
  bool was_none = false;                                        ///< an optional tensor was None
  bool filled = false;                                          ///< an absent dtype argument became float32
  bool left_empty = false;                                      ///< an absent dtype argument stayed absent

  bool casts() const;
  /// Returns the dtype that every tensor is cast to; nullopt if it differs between tensors or calls.
  std::optional<at::ScalarType> target() const;
};

/// Casts observed at one site.
struct SiteCasts {
  int calls = 0;
  std::vector<ArgumentCasts> arguments;
  std::set<at::ScalarType> redirected;  ///< the dtype that a norm's redirection gave
  bool composite = false;               ///< rules hold inside
  /// For a composite op: arguments that were not cast themselves. A view or a result of them was cast, and no other op
  /// shares that cast.
  std::set<std::size_t> not_as_they_came;
  CompositeCasts composite_casts;  ///< for a composite op: the nearest replacement of the rules inside
};

/// Runs the flat graph under a policy and records what Autocast does with every argument. Remaining implicit promotions
/// are recorded as casts too (rule R6). TorchScript's optimising executor has symbolic backwards that pass a float32
/// gradient to a bfloat16 op after an implicit promotion, and training then fails from the third iteration on.
class ObservedCasts {
 public:
  /// For `sites` sites under `table`, on the CPU. `others`: arguments whose dtypes one run cannot determine.
  ObservedCasts(std::shared_ptr<const policy::Resolved> table, std::size_t sites, OtherDtypes others);

  /// Observes one run. `run(hooks)` must run the flat graph with these hooks. Exceptions of `run` propagate.
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
