// SPDX-License-Identifier: Apache-2.0
#include "engine/casts/cast_sources.h"

#include <algorithm>
#include <optional>

namespace binade::casts {

namespace {

template <class Visit>
void each_tensor(const c10::IValue& value, const Visit& visit) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) visit(value.toTensor());
  } else if (value.isTensorList()) {
    for (const at::Tensor& tensor : value.toTensorVector()) visit(tensor);
  }
}

}  // namespace

void CastSources::note(const at::Tensor& tensor, Source source) {
  tensors_.insert_or_assign(tensor.unsafeGetTensorImpl(), std::pair{Weak(tensor.getIntrusivePtr()), source});
}

void CastSources::before(graph::Call& call) {
  now_ = call.site.id;
  std::optional<Source> first;
  for (std::size_t i = 0; i < call.site.inputs; ++i) {
    each_tensor(call.argument(i), [&](const at::Tensor& tensor) {
      if (!tensor.is_floating_point()) return;
      const auto known = tensors_.find(tensor.unsafeGetTensorImpl());
      Source source = known != tensors_.end() ? known->second.second : Source{};
      source.dtype = tensor.scalar_type();
      if (!first) first = source;
      if (source.dtype == at::kDouble) return;  // float64 is never cast
      arguments_[{call.site.id, static_cast<int>(i)}].insert_or_assign(tensor.scalar_type(), source);
    });
  }
  view_of_ = first.value_or(Source{});
}

void CastSources::after(graph::Call& call) {
  for (std::size_t i = 0; i < call.site.outputs; ++i) {
    each_tensor(call.result(i), [&](const at::Tensor& tensor) {
      note(tensor, call.site.view ? view_of_ : Source{call.site.id, tensor.scalar_type()});
    });
  }
}

const CastSources::Inner* CastSources::inside(int site) const {
  const auto found = inside_.find(site);
  return found == inside_.end() ? nullptr : &found->second;
}

const CastSources::Source* CastSources::find(int site, int argument, at::ScalarType to) const {
  const auto found = arguments_.find({site, argument});
  if (found == arguments_.end()) return nullptr;
  const auto& by_dtype = found->second;
  const auto other =
      std::find_if(by_dtype.begin(), by_dtype.end(), [to](const auto& each) { return each.first != to; });
  return other == by_dtype.end() ? &by_dtype.begin()->second : &other->second;
}

}  // namespace binade::casts
