// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"

#include <c10/core/ScalarType.h>

#include <cstddef>
#include <map>
#include <optional>
#include <set>

namespace binade::observe {

/// Returns the argument whose values an op converts to another dtype by request (aten::to, type_as, copy_); nullopt for
/// other ops. Such a call is a cast of the model's own only if the dtypes differ.
std::optional<std::size_t> converted_argument(const graph::OpTraits& op);

/// Returns whether a cast of the model's own can be skipped: its op writes nothing.
bool can_be_lifted(const graph::OpTraits& op);

/// Skips casts of the model's own: calls of these sites return their argument unchanged. Must be the innermost hook.
class LiftedCasts : public graph::SiteHook {
 public:
  explicit LiftedCasts(std::set<int> sites) : sites_(std::move(sites)) {}
  void before(graph::Call& call) override;

 private:
  std::set<int> sites_;
  graph::Operation hand_on_;
};

/// Returns whether values of dtype `from` lose bits in `to`: `to` is another format with 16 bits or fewer. True for
/// integers too.
bool narrows(at::ScalarType from, at::ScalarType to);

/// Widens what a model or a loss itself casts to a format of 16 bits or fewer: the call returns its values in float32,
/// on the requested device and in the requested memory format. For runs that must be float32 throughout. Records casts
/// that cannot be lifted. Must be the innermost hook. Not thread-safe.
class LiftedNarrowings : public graph::SiteHook {
 public:
  void before(graph::Call& call) override;
  void after(graph::Call& call) override;
  void entered_opaque() override { opaque_ = true; }

  /// If false, results are recorded and nothing is lifted.
  void set_lifting(bool lifting) { lifting_ = lifting; }

  /// Sites of casts that were lifted.
  const std::set<int>& lifted() const { return lifted_; }
  /// Sites whose results are nevertheless of such a format, with the format: they write a tensor of that format, or
  /// take a dtype as argument.
  const std::map<int, at::ScalarType>& low() const { return low_; }
  /// A call ran whose inside is not visible; its casts stay.
  bool opaque() const { return opaque_; }

 private:
  void note(const graph::Site& site, const at::Tensor& result);

  bool lifting_ = true;
  std::set<int> lifted_;
  std::map<int, at::ScalarType> low_;
  bool opaque_ = false;
  at::Tensor source_;  ///< argument of the current call, if it is a conversion
  graph::Operation lifting_op_;
};

}  // namespace binade::observe
