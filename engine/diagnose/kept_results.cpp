// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/kept_results.h"

#include "engine/observe/values.h"

namespace binade::diagnose {

namespace {

void keep(const c10::IValue& value, bool truths, std::vector<at::Tensor>& in) {
  observe::each_tensor(value, [&](const at::Tensor& tensor) {
    const bool wanted = tensor.is_floating_point() || (truths && !tensor.is_complex());
    if (wanted && tensor.layout() == at::kStrided && tensor.numel() > 0) {
      in.push_back(tensor.detach().to(at::kDouble, /*non_blocking=*/false, /*copy=*/true));
    }
  });
}

}  // namespace

bool is_of_loss(const graph::Site& site) {
  return site.key.path == "loss" || site.key.path.starts_with("loss.");
}

void KeptResults::before(graph::Call& call) {
  if (!is_of_loss(call.site)) return;
  for (std::size_t i = 0; i < call.site.inputs; ++i) keep(call.argument(i), false, losses_);
}

void KeptResults::after(graph::Call& call) {
  const Call key{call.site.id, call.index};
  if (!wanted_.contains(key)) return;
  for (std::size_t i = 0; i < call.site.outputs; ++i) keep(call.result(i), true, results_[key]);
}

const std::vector<at::Tensor>& KeptResults::of(const Call& call) const {
  static const std::vector<at::Tensor> none;
  const auto found = results_.find(call);
  return found == results_.end() ? none : found->second;
}

}  // namespace binade::diagnose
