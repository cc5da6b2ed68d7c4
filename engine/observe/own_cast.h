// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"

#include <c10/core/ScalarType.h>

#include <cstddef>
#include <map>
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

/// Whether values of the first dtype lose bits in the second: one of 16 bits or fewer, and another one. Whole numbers
/// do too.
bool narrows(at::ScalarType from, at::ScalarType to);

/// Makes float32 of what a model, or a loss, casts to a format of 16 bits or fewer by itself: the call gives its values
/// in float32, on the device and in the order that it asks for. For a run that is to be float32 throughout. The
/// innermost hook. What cannot be lifted, it notes. One thread.
class LiftedNarrowings : public graph::SiteHook {
 public:
  void before(graph::Call& call) override;
  void after(graph::Call& call) override;
  void entered_opaque() override { opaque_ = true; }

  /// Off, it notes what the results are and lifts nothing.
  void set_lifting(bool lifting) { lifting_ = lifting; }

  /// Sites of casts that were lifted.
  const std::set<int>& lifted() const { return lifted_; }
  /// Sites whose results are of such a format all the same, with it: they write a tensor of that format, or a dtype is
  /// their argument.
  const std::map<int, at::ScalarType>& low() const { return low_; }
  /// A call ran into which nobody can look: its casts stay.
  bool opaque() const { return opaque_; }

 private:
  void note(const graph::Site& site, const at::Tensor& result);

  bool lifting_ = true;
  std::set<int> lifted_;
  std::map<int, at::ScalarType> low_;
  bool opaque_ = false;
  at::Tensor source_;  ///< of the present call, where it is a conversion
  graph::Operation lifting_op_;
};

}  // namespace binade::observe
