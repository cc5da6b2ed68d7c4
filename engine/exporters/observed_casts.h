// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/exporters/finding.h"
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

/// A way to run a composite op without rules inside: its arguments cast to a dtype, or as they come.
struct Boundary {
  std::optional<at::ScalarType> arguments;
  std::vector<at::ScalarType> results;  ///< what the results must have; Undefined where there was none
};

/// What was done at one site.
struct SiteCasts {
  int calls = 0;
  std::vector<ArgumentCasts> arguments;
  std::set<at::ScalarType> redirected;  ///< the dtype that a norm's redirection gave
  bool composite = false;               ///< rules hold inside
  bool expressible = true;              ///< of a composite: `boundary` gives the same bits as the rules inside
  Boundary boundary;
};

/// Runs the flat graph under a policy and notes what Autocast does with every argument. Implicit promotions that are
/// left then are noted as casts too (rule R6): TorchScript's optimising executor has symbolic backwards that hand a
/// float32 gradient to a bfloat16 op where a promotion was implicit, and training fails from the third iteration on.
class ObservedCasts {
 public:
  /// For `sites` sites under `table`, on the CPU.
  ObservedCasts(std::shared_ptr<const policy::Resolved> table, std::size_t sites);

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
