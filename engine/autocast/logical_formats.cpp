// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/logical_formats.h"

#include <algorithm>

namespace binade::autocast {

void LogicalFormats::mark(const at::Tensor& tensor, const Precision& precision) {
  if (marks_.size() >= full_) forget_dead();
  auto uses = std::make_shared<Uses>();
  round_gradient_sum(tensor, precision, uses);
  marks_.insert_or_assign(
      tensor.unsafeGetTensorImpl(),
      Mark{c10::weak_intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl>(tensor.getIntrusivePtr()), precision,
           std::move(uses)});
}

void LogicalFormats::forget_dead() {
  std::erase_if(marks_, [](const auto& entry) { return entry.second.tensor.expired(); });
  full_ = std::max(kFewestMarks, 2 * marks_.size());
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
