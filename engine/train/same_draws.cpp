// SPDX-License-Identifier: Apache-2.0
#include "engine/train/same_draws.h"

#include <ATen/core/LegacyTypeDispatch.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace binade::train {

namespace {

constexpr std::array<std::string_view, 11> kDraws{
    "aten::cauchy_", "aten::exponential_", "aten::geometric_", "aten::log_normal_", "aten::normal",  "aten::normal_",
    "aten::rand",    "aten::rand_like",    "aten::randn",      "aten::randn_like",  "aten::uniform_"};

}  // namespace

bool is_random_source(const graph::OpTraits& op) {
  // The overloads of normal that take tensors compute mean + std * noise: their results depend on the arguments.
  if (op.op == "aten::normal" && op.overload != "float_float") return false;
  return op.outputs == 1 && std::find(kDraws.begin(), kDraws.end(), op.op) != kDraws.end();
}

void SameDraws::before(graph::Call& call) {
  if (!is_random_source(call.site)) return;
  operation_ = [this, key = Key{batch_, call.site.id, call.index}, op = call.operation](graph::Stack& stack) {
    (*op)(stack);
    if (!stack.back().isTensor()) return;
    const at::Tensor result = stack.back().toTensor();
    if (!repeats_) {
      drawn_.insert_or_assign(key, Drawn{result.detach().clone(), RandomState::of(device_)});
      return;
    }
    const auto first = drawn_.find(key);
    if (first == drawn_.end() || !first->second.numbers.sizes().equals(result.sizes())) return;
    const at::AutoDispatchBelowAutograd plain;  // their source has no gradient
    result.copy_(first->second.numbers);
    first->second.after.restore();
  };
  call.operation = &operation_;
}

}  // namespace binade::train
