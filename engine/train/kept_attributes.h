// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace binade::graph {
class Model;
}

namespace binade::train {

/// What a model's forward sets besides buffers: a count of its calls, a hidden state. Costs nothing for the models that
/// set nothing. Holds on to the model's modules.
class KeptAttributes {
 public:
  using Values = std::vector<c10::IValue>;

  explicit KeptAttributes(const graph::Model& model);

  /// The attributes as they are; tensors and lists by reference.
  Values now() const;
  /// What now() gave earlier.
  void put(const Values& values) const;

 private:
  std::vector<std::pair<c10::intrusive_ptr<c10::ivalue::Object>, std::size_t>> slots_;
};

}  // namespace binade::train
