// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/logical_formats.h"

namespace binade::autocast {

void LogicalFormats::mark(const at::Tensor& tensor, const Precision& precision) {
  auto uses = std::make_shared<Uses>();
  round_gradient_sum(tensor, precision, uses);
  marks_.insert_or_assign(
      tensor.unsafeGetTensorImpl(),
      Mark{c10::weak_intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl>(tensor.getIntrusivePtr()), precision,
           std::move(uses)});
}

void LogicalFormats::forget(const at::Tensor& tensor) {
  marks_.erase(tensor.unsafeGetTensorImpl());
}

const Precision* LogicalFormats::of(const at::Tensor& tensor) const {
  if (marks_.empty()) return nullptr;
  const auto found = marks_.find(tensor.unsafeGetTensorImpl());
  return found == marks_.end() ? nullptr : &found->second.precision;
}

at::Tensor LogicalFormats::use(const at::Tensor& tensor, bool exact) {
  if (marks_.empty()) return tensor;
  const auto found = marks_.find(tensor.unsafeGetTensorImpl());
  if (found == marks_.end()) return tensor;
  ++found->second.uses->count;
  return exact ? tensor : with_rounded_gradient(tensor, found->second.precision);
}

}  // namespace binade::autocast
