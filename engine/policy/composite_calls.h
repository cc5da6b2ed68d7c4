// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace binade::policy {

/// Whether LibTorch 2.11 may call `op` inside a composite op. Both names have their namespace: `aten::lstm`. Known for
/// recurrent layers and cells, products of tensors, attention, cross entropy, norms, softmax and dropout; true
/// for every other composite op. False for views, which nothing casts.
bool composite_may_call(std::string_view composite, std::string_view op);

/// The ops through which alone a composite op calls `op`: a recurrent layer calls `aten::mm` inside `aten::linear` or
/// `aten::matmul` only. Empty if the composite op calls `op` itself, or if this is unknown.
std::span<const std::string_view> composite_carriers(std::string_view composite, std::string_view op);

}  // namespace binade::policy
