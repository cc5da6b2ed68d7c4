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

/// Logical formats of live tensors during one forward and loss: which float32 tensors hold values of another format,
/// and the format of their gradients. Marks of destroyed tensors are removed from time to time, so that a region may
/// span many forwards. Not thread-safe. Costs nothing while empty.
///
/// A format is logical if no dtype computes in it (tfloat32 without tensor cores, float8, `e<E>m<M>`), if it saturates,
/// or if its gradients have another format. Its tensors are float32, hold rounded values, and have a mark here.
/// - A mark lasts from one site to the next over forward and loss, also through views.
/// - An op that follows takes the widest format of its arguments: the one that holds all values of the others, or
///   float32 if none does. A tensor stored in a half counts with its own format.
/// - Every result is rounded in place, in one pass. The pass is omitted where values or gradients only pass through (a
///   relu, a concatenation, the gradient of an addition).
/// - Each gradient is rounded where it leaves an op towards a marked tensor. Autograd adds several gradients in float32
///   and rounds their sum once, while halves would round after each addition. The sum is observed, before rounding, as
///   the output gradient of the site that made the tensor.
/// - An op made of many others (`lstm`) is rounded at its boundary. The policy's notes say so.
/// A test compares a saturating float16, which is logical, with float16 stored in halves: where nothing overflows, the
/// two are equal bit for bit.
class LogicalFormats {
 public:
  bool empty() const { return marks_.empty(); }
  void clear() { marks_.clear(); }
  std::size_t size() const { return marks_.size(); }

  /// Records that `tensor` holds values of `precision`; the caller has to round them. The sum of several later uses'
  /// gradients is rounded from now on.
  void mark(const at::Tensor& tensor, const Precision& precision);

  /// Precision of a tensor; null if it is a plain tensor of its dtype. Valid until the next change.
  const Precision* of(const at::Tensor& tensor) const;

  /// The tensor to pass to an op. `exact` means that the op's backward only sends values that it received (a view, a
  /// relu): then it is the tensor itself, otherwise one whose gradient is rounded on its way back. A tensor without a
  /// mark is returned unchanged.
  at::Tensor use(const at::Tensor& tensor, bool exact);

 private:
  struct Mark {
    /// Keeps the address from being reused, without keeping the values in memory.
    c10::weak_intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl> tensor;
    Precision precision;
    std::shared_ptr<Uses> uses;
  };
  void forget_dead();

  std::unordered_map<const at::TensorImpl*, Mark> marks_;
  std::size_t full_ = kFewestMarks;  ///< number of marks at which destroyed tensors are removed
  static constexpr std::size_t kFewestMarks = 4096;
};

}  // namespace binade::autocast
