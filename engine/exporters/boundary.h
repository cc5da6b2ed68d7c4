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

/// A way to run a composite op without rules inside: its arguments cast to a dtype, or as they come.
struct Boundary {
  std::optional<at::ScalarType> arguments;
  std::vector<at::ScalarType> results;  ///< what the results must have; Undefined where there was none
  bool exact = true;                    ///< gives the bits that the rules inside give, in every call so far
  bool elsewhere = true;                ///< and does in every other dtype that its arguments may come in
};

/// Of each site the arguments whose dtype one run cannot tell, and the dtypes that they may then come in.
struct OtherDtypes {
  std::vector<std::vector<std::size_t>> arguments;  ///< by site
  std::vector<at::ScalarType> dtypes;
};

/// Finds boundaries by trial: a composite op is run on copies of what a call gave it, with casts around it and no rules
/// inside, and what comes out is compared with what the rules gave, to the bit. Where an argument may come in another
/// dtype than it did, both are run with that too; a list counts as one argument.
class BoundarySearch {
 public:
  /// `table` is for the sites whose calls are looked at, on the CPU.
  BoundarySearch(std::shared_ptr<const policy::Resolved> table, OtherDtypes others);

  /// Keeps what a call is given.
  void before(const graph::Call& call);
  /// After the rules inside have done their work: chooses `boundary` in the site's `first` call, and looks in later
  /// ones whether it holds there too. Leaves the random state as it is.
  void after(const graph::Call& call, Boundary& boundary, bool first);

 private:
  using Values = std::vector<c10::IValue>;
  struct Case {
    Values arguments;
    std::vector<at::Tensor> results;
  };

  void choose(const graph::Site& op, const std::vector<at::Tensor>& results, Boundary& boundary);
  bool gives(const graph::Site& op, const Boundary& boundary, const Case& expected) const;
  bool gives_elsewhere(const graph::Site& op, const Boundary& boundary);
  std::optional<std::vector<Case>> other_cases(const graph::Site& op) const;
  std::optional<std::vector<at::Tensor>> run(const graph::Site& op, const Values& arguments) const;
  std::optional<std::vector<at::Tensor>> run_by_rules(const graph::Site& op, const Values& arguments) const;

  std::shared_ptr<const policy::Resolved> table_;
  OtherDtypes others_;
  Values kept_;                             ///< the present call's arguments
  at::Tensor random_;                       ///< and the random state before it
  std::optional<std::vector<Case>> cases_;  ///< its other dtypes; nothing where they are too many
};

}  // namespace binade::exporters
