// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/precision.h"
#include "engine/autocast/rounded_gradient.h"

#include <ATen/core/Tensor.h>
#include <c10/util/intrusive_ptr.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <unordered_map>

namespace binade::autocast {

/// The logical formats of live tensors, over one forward and loss: which float32 tensors hold values of another
/// format, and what its gradients are. Tensors that died are forgotten now and then, so that a region may stay open
/// for many forwards. Not safe on several threads at once. Empty costs nothing.
class LogicalFormats {
 public:
  bool empty() const { return marks_.empty(); }
  void clear() { marks_.clear(); }
  std::size_t size() const { return marks_.size(); }

  /// Notes that `tensor` holds values of `precision`, which nothing here makes true. Where the gradients of several
  /// later uses meet, their sum is rounded from now on.
  void mark(const at::Tensor& tensor, const Precision& precision);

  /// The precision of a tensor, or null: it then holds what its dtype says. Valid until the next change.
  const Precision* of(const at::Tensor& tensor) const;

  /// The tensor as an op shall take it. `exact`: the op's backward sends only values that it got (a view, a relu), so
  /// it takes the tensor itself; else one whose gradient is rounded on its way back. Unmarked tensors come back as
  /// they are.
  at::Tensor use(const at::Tensor& tensor, bool exact);

 private:
  struct Mark {
    /// Keeps the address from being reused, not the memory of the values.
    c10::weak_intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl> tensor;
    Precision precision;
    std::shared_ptr<Uses> uses;
  };
  void forget_dead();

  std::unordered_map<const at::TensorImpl*, Mark> marks_;
  std::size_t full_ = kFewest;  ///< marks at which dead tensors are looked for
  static constexpr std::size_t kFewest = 4096;
};

}  // namespace binade::autocast
