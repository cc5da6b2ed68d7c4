// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace binade::graph {
class Model;
}

namespace binade::train {

/// What a model's forward sets besides the memory of buffers: a count of its calls, a hidden state, a list that grows.
/// Costs nothing for the models that set nothing. Holds on to the model's modules.
class KeptAttributes {
 public:
  /// A list or dictionary with what it held: keys and values in turn, for a dictionary.
  struct Contents {
    c10::IValue container;
    std::vector<c10::IValue> items;
  };
  struct Values {
    std::vector<c10::IValue> slots;
    std::vector<Contents> contents;
  };

  explicit KeptAttributes(const graph::Model& model);

  /// The attributes as they are: tensors by reference, lists and dictionaries with what they hold.
  Values now() const;
  /// What now() gave earlier; as often as one likes.
  void put(const Values& values) const;

  /// The dotted names of what some method puts another value in: of a buffer among them the shape may change.
  const std::set<std::string>& assigned() const { return assigned_; }

 private:
  std::vector<std::pair<c10::intrusive_ptr<c10::ivalue::Object>, std::size_t>> slots_;
  std::set<std::string> assigned_;
};

}  // namespace binade::train
