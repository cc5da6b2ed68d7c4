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

/// What of a model was not finite when training began, before any checkpoint was put back: a mask that it keeps, or a
/// file that holds it so. Costs nothing for models that are finite.
class StartValues {
 public:
  explicit StartValues(const graph::Model& model);

  /// Whether what is not finite in a buffer, or another tensor that the model keeps, was so from the start: the same
  /// numbers at the same places. True of one that is finite.
  bool has_unchanged(const std::string& name, const at::Tensor& now) const;
  /// Whether a parameter was not finite from the start.
  bool is_bad_parameter(const std::string& name) const { return parameters_.contains(name); }

 private:
  std::map<std::string, at::Tensor> tensors_;  ///< copies of those that were not finite
  std::set<std::string> parameters_;
};

}  // namespace binade::train
