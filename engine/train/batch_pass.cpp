// SPDX-License-Identifier: Apache-2.0
#include "engine/train/batch_pass.h"

#include <utility>

namespace binade::train {

BatchPass::BatchPass(Training& training, autocast::Autocast& casts, const batches::Batch& batch,
                     std::span<graph::SiteHook* const> hooks)
    : training_(training), batch_(batch), hooks_(hooks), sums_(training.scalers.size()) {
  scope_.emplace(casts);
  output_ = training.forward.run(batch.inputs, hooks);
}

at::Tensor BatchPass::loss(std::size_t i) {
  return training_.losses[i](output_, batch_, hooks_);
}

void BatchPass::run_losses() {
  for (std::size_t i = 0; i < training_.losses.size(); ++i) loss(i);
}

at::Tensor BatchPass::add(std::size_t i, at::Tensor value) {
  const wire::LossConfig& config = training_.losses[i].config();
  const auto share = static_cast<double>(training_.config.accumulate);
  if (share != 1) value = value.div(share);
  if (const double part = batch_.share_of(i); part != 1) value = value.mul(part);
  at::Tensor& sum = sums_[training_.scalers.index_of(config.scaler)];
  const at::Tensor weighed = config.weight != 1 ? value.mul(config.weight) : value;
  sum = sum.defined() ? sum.add(weighed) : weighed;
  return value;
}

std::vector<at::Tensor> BatchPass::finish() {
  output_ = c10::IValue();
  scope_.reset();
  return std::move(sums_);
}

}  // namespace binade::train
