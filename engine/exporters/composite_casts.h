// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"
#include "engine/policy/resolve.h"

#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace binade::exporters {

/// A way to run a composite op without rules inside: its arguments cast to one dtype, or unchanged.
struct CompositeCasts {
  std::optional<at::ScalarType> arguments;
  std::vector<at::ScalarType> results;  ///< dtypes to cast the results to; Undefined: undefined tensor
  bool exact = true;                    ///< bit-identical to the rules inside, in every call so far
  bool elsewhere = true;                ///< also in every other combination of dtypes that the arguments may have
};

/// Arguments of each site whose dtype one run cannot determine, and the dtypes that they may have.
struct OtherDtypes {
  std::vector<std::vector<std::size_t>> arguments;  ///< indices, per site
  std::vector<at::ScalarType> dtypes;
};

/// Finds such casts by trial. It runs a composite op on copies of a call's arguments, with casts around it and no rules
/// inside, and compares the results bit for bit with those of the rules. If an argument may have other dtypes, both are
/// run with those too; a list counts as one argument.
class CompositeCastSearch {
 public:
  /// `table` must belong to the sites of the observed calls, which must run on the CPU.
  CompositeCastSearch(std::shared_ptr<const policy::Resolved> table, OtherDtypes others);

  /// Copies the arguments and the random state of a call.
  void before(const graph::Call& call);
  /// Call it after the op ran with the rules inside. In the site's `first` call it chooses `composite_casts`; in later
  /// calls it checks that they are still exact. Preserves the random state.
  void after(const graph::Call& call, CompositeCasts& composite_casts, bool first);

 private:
  using Values = std::vector<c10::IValue>;
  struct Case {
    Values arguments;
    std::vector<at::Tensor> results;
  };

  void choose(const graph::Site& op, const std::vector<at::Tensor>& results, CompositeCasts& composite_casts);
  bool gives(const graph::Site& op, const CompositeCasts& composite_casts, const Case& expected) const;
  bool gives_elsewhere(const graph::Site& op, const CompositeCasts& composite_casts);
  std::optional<std::vector<Case>> other_cases(const graph::Site& op) const;
  std::optional<std::vector<at::Tensor>> run(const graph::Site& op, const Values& arguments) const;
  std::optional<std::vector<at::Tensor>> run_by_rules(const graph::Site& op, const Values& arguments) const;

  std::shared_ptr<const policy::Resolved> table_;
  OtherDtypes others_;
  Values kept_;                             ///< copies of the current call's arguments
  at::Tensor random_;                       ///< random state before the current call
  std::optional<std::vector<Case>> cases_;  ///< the call with other argument dtypes; nullopt: too many combinations
};

}  // namespace binade::exporters
