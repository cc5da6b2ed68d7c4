// SPDX-License-Identifier: Apache-2.0
#include "engine/train/cast_sources.h"

#include <optional>

namespace binade::train {

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

CastSources::CastSources(const std::vector<std::pair<std::string, at::Tensor>>& parameters) {
  for (const auto& [name, tensor] : parameters) note(tensor, {-1, name, tensor.scalar_type()});
}

void CastSources::note(const at::Tensor& tensor, Source source) {
  tensors_.insert_or_assign(tensor.unsafeGetTensorImpl(), std::pair{Weak(tensor.getIntrusivePtr()), std::move(source)});
}

void CastSources::before(graph::Call& call) {
  std::optional<Source> first;
  for (std::size_t i = 0; i < call.site.inputs; ++i) {
    bool wide = false;
    each_tensor(call.argument(i), [&](const at::Tensor& tensor) {
      if (!tensor.is_floating_point() || wide) return;
      const auto known = tensors_.find(tensor.unsafeGetTensorImpl());
      Source source = known != tensors_.end() ? known->second.second : Source{};
      source.dtype = tensor.scalar_type();
      wide = source.dtype == at::kFloat;
      if (!first) first = source;
      arguments_.insert_or_assign({call.site.id, static_cast<int>(i)}, std::move(source));
    });
  }
  view_of_ = first.value_or(Source{});
}

void CastSources::after(graph::Call& call) {
  for (std::size_t i = 0; i < call.site.outputs; ++i) {
    each_tensor(call.result(i), [&](const at::Tensor& tensor) {
      note(tensor, call.site.view ? view_of_ : Source{call.site.id, {}, tensor.scalar_type()});
    });
  }
}

const CastSources::Source* CastSources::find(int site, int argument) const {
  const auto found = arguments_.find({site, argument});
  return found == arguments_.end() ? nullptr : &found->second;
}

}  // namespace binade::train
