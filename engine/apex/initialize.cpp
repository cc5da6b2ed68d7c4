// SPDX-License-Identifier: Apache-2.0
#include "engine/apex/initialize.h"

#include "engine/apex/shared.h"
#include "engine/formats/error.h"
#include "engine/scaler/optimizer_state.h"

#include <ATen/Context.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/nn/module.h>

namespace binade::apex::detail {

namespace {

/// Compares names, because LibTorch has no C++ classes for these wrappers.
bool is_parallel_wrapper(const std::string& class_name) {
  return class_name.find("DataParallel") != std::string::npos;
}

template <class M>
void check_and_cast(M& model, const Amp& amp) {
  if (!amp.shared()->options.allow_incoming_model_not_fp32) autocast::require_float32(model);
  if (amp.input_dtype()) {
    autocast::cast_model(model, {*amp.input_dtype(), amp.properties().keep_batchnorm_fp32.value_or(false)});
  }
}

}  // namespace

void prepare(torch::nn::Module& model, const Amp& amp) {
  if (!amp.is_enabled()) return;
  if (is_parallel_wrapper(model.name())) {
    throw Error(ErrorCode::kUsage, "Incoming model is an instance of " + model.name(),
                "Parallel wrappers should only be applied to the model after initialize().");
  }
  check_and_cast(model, amp);
}

void prepare(const torch::jit::Module& model, const Amp& amp) {
  if (amp.is_enabled()) check_and_cast(model, amp);
}

void prepare(const graph::Model& model, const Amp& amp) {
  prepare(model.module(), amp);
}

Optimizer prepare(torch::optim::Optimizer& optimizer, const Amp& amp) {
  Optimizer prepared(optimizer, amp);
  if (amp.input_dtype()) scaler::match_state(optimizer);
  return prepared;
}

}  // namespace binade::apex::detail
