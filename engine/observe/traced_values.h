// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/observe/trace.h"

#include <c10/util/intrusive_ptr.h>

#include <string>
#include <unordered_map>
#include <vector>

namespace binade::observe {

/// Tells the tensors of a trace apart, over writes in place and through views, without keeping any alive.
class TracedValues {
 public:
  /// Tensors from outside; looked at when they are first used.
  void name(const at::Tensor& tensor, TracedValue::Origin origin, const std::string& name, bool from_start);
  /// The tensor, told by name(), has been written or replaced by another.
  void rewritten(const at::Tensor& tensor);

  /// The value that `tensor` holds now: the one last made or written, or one that is new to the trace.
  int of(const at::Tensor& tensor);

  /// `tensor` has been made or written by a call.
  int made(const at::Tensor& tensor, int call);

  const std::vector<TracedValue>& all() const { return all_; }

 private:
  using Weak = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
  struct Known {
    Weak tensor;  ///< keeps the address from being used again, and not the memory
    std::int64_t version;
    int value;
  };
  struct Name {
    Weak tensor;
    TracedValue::Origin origin;
    std::string name;
    bool from_start;
    c10::weak_intrusive_ptr<c10::StorageImpl> storage;  ///< of a buffer: it may be written through views
    bool rewritten = false;
    int value = -1;  ///< as it stood when the step took it first
  };
  void note_rewritten(Name& name);

  int add(const at::Tensor& tensor, TracedValue value);

  std::vector<TracedValue> all_;
  std::unordered_map<const c10::TensorImpl*, Known> known_;
  std::unordered_map<const c10::TensorImpl*, Name> names_;
  std::unordered_map<const void*, std::pair<c10::weak_intrusive_ptr<c10::StorageImpl>, int>> writers_;  ///< calls
};

}  // namespace binade::observe
