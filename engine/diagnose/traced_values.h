// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/trace.h"

#include <c10/util/intrusive_ptr.h>

#include <string>
#include <unordered_map>
#include <vector>

namespace binade::diagnose {

/// Identifies the tensors of a trace across in-place writes and views, without keeping them alive.
class TracedValues {
 public:
  /// Names a tensor from outside. Its values are recorded when it is first used.
  void name(const at::Tensor& tensor, TracedValue::Origin origin, const std::string& name, bool from_start);
  /// The named tensor was written, or replaced by another.
  void rewritten(const at::Tensor& tensor);

  /// Returns the value that `tensor` holds now: the one last produced or written, or a new one.
  int of(const at::Tensor& tensor);

  /// Records that a call produced or wrote `tensor`, and returns its value.
  int made(const at::Tensor& tensor, int call);

  const std::vector<TracedValue>& all() const { return all_; }

 private:
  using Weak = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
  struct Known {
    Weak tensor;  ///< prevents reuse of the address; does not keep the memory
    std::int64_t version;
    int value;
  };
  struct Name {
    Weak tensor;
    TracedValue::Origin origin;
    std::string name;
    bool from_start;
    c10::weak_intrusive_ptr<c10::StorageImpl> storage;  ///< for a buffer, which may be written through views
    bool rewritten = false;
    int value = -1;  ///< the value when the step first used it
  };
  void note_rewritten(Name& name);

  int add(const at::Tensor& tensor, TracedValue value);

  std::vector<TracedValue> all_;
  std::unordered_map<const c10::TensorImpl*, Known> known_;
  std::unordered_map<const c10::TensorImpl*, Name> names_;
  std::unordered_map<const void*, std::pair<c10::weak_intrusive_ptr<c10::StorageImpl>, int>> writers_;  ///< indices of
                                                                                                        ///< calls
};

}  // namespace binade::diagnose
