// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace binade::graph {
class Model;
}

namespace binade::train {

/// What a model's forward changes besides the memory of buffers: a count of its calls, a hidden state, a list that
/// grows, a tensor that is written in place. Costs nothing for models that keep nothing of these; a tensor costs a
/// copy, which is made anew only after it was written. Holds on to the model's modules. One thread.
class KeptAttributes {
 public:
  /// A list or dictionary with what it held: keys and values in turn, for a dictionary.
  struct Contents {
    c10::IValue container;
    std::vector<c10::IValue> items;
  };
  /// A tensor, neither parameter nor buffer, with what it held.
  struct Written {
    at::Tensor tensor;
    at::Tensor copy;
    std::int64_t version = 0;  ///< of the tensor when it held that
  };
  /// Memory by its address, which the weak pointer keeps from being used again, and nothing else of it.
  using Memory = std::map<const void*, c10::WeakIValue>;
  struct Values {
    std::vector<c10::IValue> slots;
    std::vector<Contents> contents;
    std::vector<Written> tensors;
  };

  explicit KeptAttributes(const graph::Model& model);

  /// The attributes as they are: tensors, lists and dictionaries with what they hold.
  Values now() const;
  /// What now() gave earlier; as often as one likes.
  void put(const Values& values) const;

  /// The dotted names of what some method puts another value in: of a buffer among them the shape may change.
  const std::set<std::string>& assigned() const { return assigned_; }

 private:
  void add_tensors(const c10::IValue& value, std::vector<Written>& to) const;

  std::vector<std::pair<c10::intrusive_ptr<c10::ivalue::Object>, std::size_t>> slots_;
  Memory own_;                              ///< of parameters and buffers, which others keep
  mutable std::vector<Written> last_kept_;  ///< what is unchanged since is not copied again
  std::set<std::string> assigned_;
};

}  // namespace binade::train
