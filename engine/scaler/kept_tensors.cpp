// SPDX-License-Identifier: Apache-2.0
#include "engine/scaler/kept_tensors.h"

#include "engine/scaler/on_device.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/where.h>

namespace binade::scaler {

void KeptTensors::keep() {
  const at::NoGradGuard no_grad;
  if (copies_.empty()) {
    for (const at::Tensor& tensor : tensors_) copies_.push_back(tensor.detach().clone());
    return;
  }
  for (std::size_t i = 0; i < tensors_.size(); ++i) copies_[i].copy_(tensors_[i]);
}

void KeptTensors::restore() {
  const at::NoGradGuard no_grad;
  for (std::size_t i = 0; i < copies_.size(); ++i) tensors_[i].copy_(copies_[i]);
}

void KeptTensors::restore_where(const at::Tensor& found_inf) {
  const at::NoGradGuard no_grad;
  OnDevice found(found_inf.reshape({}).ne(0));
  for (std::size_t i = 0; i < copies_.size(); ++i) {
    tensors_[i].copy_(at::where(*found.at(tensors_[i].device()), copies_[i], tensors_[i]));
  }
}

}  // namespace binade::scaler
