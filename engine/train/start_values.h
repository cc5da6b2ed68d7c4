// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <set>
#include <string>

namespace binade::graph {
class Model;
}

namespace binade::train {

/// Records what in a model was not finite when training started, before any checkpoint was loaded: a mask, or a file
/// with such values. Costs nothing for finite models.
class StartValues {
 public:
  explicit StartValues(const graph::Model& model);

  /// Returns whether the non-finite values of a buffer, or another tensor of the model, are the same as at the start,
  /// in value and position. True if it is finite.
  bool has_unchanged(const std::string& name, const at::Tensor& now) const;
  /// Returns whether a parameter was not finite at the start.
  bool is_bad_parameter(const std::string& name) const { return parameters_.contains(name); }

 private:
  std::map<std::string, at::Tensor> tensors_;  ///< copies of those that were not finite
  std::set<std::string> parameters_;
};

}  // namespace binade::train
