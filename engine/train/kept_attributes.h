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

/// State that a model's forward changes besides buffers: a call counter, a hidden state, a growing list, a tensor
/// written in place. Costs nothing for models without such state. A tensor costs a copy, which is renewed only after a
/// write. Keeps the model's modules alive. Not thread-safe.
class KeptAttributes {
 public:
  /// A list or dictionary and its items; for a dictionary, keys and values alternate.
  struct Contents {
    c10::IValue container;
    std::vector<c10::IValue> items;
  };
  /// A tensor that is neither parameter nor buffer, and its values.
  struct Written {
    at::Tensor tensor;
    at::Tensor copy;
    std::int64_t version = 0;  ///< of the tensor when it was copied
  };
  /// Memory by address. The weak pointer only prevents reuse of the address.
  using Memory = std::map<const void*, c10::WeakIValue>;
  struct Values {
    std::vector<c10::IValue> slots;
    std::vector<Contents> contents;
    std::vector<Written> tensors;
  };

  explicit KeptAttributes(const graph::Model& model);

  /// Returns the current attributes, with the contents of tensors, lists and dictionaries.
  Values now() const;
  /// Restores a result of now(); may be repeated.
  void put(const Values& values) const;

  /// Dotted names of attributes that a method assigns; a buffer among them may change its shape.
  const std::set<std::string>& assigned() const { return assigned_; }

 private:
  void add_tensors(const c10::IValue& value, std::vector<Written>& to) const;

  std::vector<std::pair<c10::intrusive_ptr<c10::ivalue::Object>, std::size_t>> slots_;
  Memory own_;                              ///< of parameters and buffers, which are kept elsewhere
  mutable std::vector<Written> last_kept_;  ///< avoids copying unchanged tensors again
  std::set<std::string> assigned_;
};

}  // namespace binade::train
