// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"

#include <cstddef>
#include <optional>
#include <set>

namespace binade::observe {

/// The argument whose values an op gives in another dtype, as it is asked to (aten::to, type_as, copy_); nothing for
/// all other ops. Such a call is a cast of the model's own only where the dtypes differ.
std::optional<std::size_t> converted_argument(const graph::OpTraits& op);

/// Whether a cast of the model's own can be left out: its op writes nothing.
bool can_be_lifted(const graph::OpTraits& op);

/// Leaves casts of the model's own out: the calls of these sites hand their argument on as it is. The innermost hook.
class LiftedCasts : public graph::SiteHook {
 public:
  explicit LiftedCasts(std::set<int> sites) : sites_(std::move(sites)) {}
  void before(graph::Call& call) override;

 private:
  std::set<int> sites_;
  graph::Operation hand_on_;
};

}  // namespace binade::observe
