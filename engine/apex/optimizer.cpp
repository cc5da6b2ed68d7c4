// SPDX-License-Identifier: Apache-2.0
#include "engine/apex/optimizer.h"

#include "engine/apex/amp.h"
#include "engine/apex/shared.h"
#include "engine/formats/error.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_like.h>

#include <mutex>
#include <set>
#include <sstream>

namespace binade::apex {

namespace {

/// Claims an optimizer until the returned pointer is released: two wrappers would unscale its gradients twice.
std::shared_ptr<void> claim(torch::optim::Optimizer& optimizer) {
  static std::mutex mutex;
  static std::set<torch::optim::Optimizer*> claimed;
  const std::lock_guard lock(mutex);
  if (!claimed.insert(&optimizer).second) {
    throw Error(ErrorCode::kUsage, "A given optimizer should only be passed through initialize() once.",
                "Use the result of the first call.");
  }
  return {&optimizer, [](void* taken) {
            const std::lock_guard release(mutex);
            claimed.erase(static_cast<torch::optim::Optimizer*>(taken));
          }};
}

/// Removes and returns the gradient, so that backward writes a new one.
at::Tensor take_gradient(const at::Tensor& parameter) {
  at::Tensor gradient = parameter.grad();
  parameter.mutable_grad().reset();
  return gradient;
}

/// Formats as Python prints a float: 32768.0
std::string number(double value) {
  std::ostringstream text;
  text.precision(17);
  text << value;
  std::string plain = text.str();
  if (plain.find_first_of(".ein") == std::string::npos) plain += ".0";
  return plain;
}

}  // namespace

Optimizer::Optimizer(torch::optim::Optimizer& wrapped, const Amp& amp)
    : wrapped_(&wrapped),
      amp_(std::make_shared<const Amp>(amp)),
      claim_(amp.is_enabled() ? claim(wrapped) : nullptr),
      wants_masters_(amp.is_enabled() && amp.properties().has_master_weights()) {}

void Optimizer::make_masters() {
  if (wants_masters_ && !masters_) masters_ = std::make_unique<scaler::MasterWeights>(*wrapped_);
}

std::vector<at::Tensor> Optimizer::all_parameters() const {
  if (masters_) return masters_->float32_parameters();
  return master_params(*wrapped_);
}

at::Tensor Optimizer::step(const torch::optim::Optimizer::LossClosure& closure) {
  if (!amp_->is_enabled()) return wrapped_->step(closure);
  if (closure && (wants_masters_ || skip_)) {
    throw Error(ErrorCode::kUsage, "Currently, Amp does not support closure use with optimizers.",
                "Compute the loss before step(), in a block of scale_loss.");
  }
  if (skip_) {
    amp_->shared()->print("Gradient overflow.  Skipping step, loss scaler " + std::to_string(skip_->loss_id) +
                          " reducing loss scale to " + number(skip_->scaler->loss_scale()));
    skip_.reset();
    if (masters_) {
      for (const auto& pair : masters_->pairs()) pair.master.mutable_grad().reset();
    }
    return {};
  }
  if (holds_scaled_gradients_) {
    throw Error(ErrorCode::kUsage, "step() on gradients that are still scaled: the last scale_loss had delay_unscale",
                "End the accumulation with a backward in scale_loss without delay_unscale.");
  }
  make_masters();
  const Casts none = amp_->disable_casts();
  at::Tensor loss = wrapped_->step(closure);
  if (masters_) {
    masters_->masters_to_model();
    for (const auto& pair : masters_->pairs()) pair.master.mutable_grad().reset();
  }
  return loss;
}

void Optimizer::zero_grad(bool set_to_none) {
  holds_scaled_gradients_ = false;
  make_masters();
  if (!masters_) return wrapped_->zero_grad(set_to_none);
  if (set_to_none) return masters_->zero_grad();
  const auto zero = [](const at::Tensor& parameter) {
    if (parameter.grad().defined()) parameter.mutable_grad().detach_().zero_();
  };
  for (const auto& pair : masters_->pairs()) {
    zero(pair.model);
    pair.master.mutable_grad().reset();
  }
  for (const at::Tensor& parameter : masters_->float32_parameters()) zero(parameter);
}

void Optimizer::add_param_group(torch::optim::OptimizerParamGroup group) {
  make_masters();
  if (masters_) return masters_->add_param_group(std::move(group));
  wrapped_->add_param_group(group);
}

void Optimizer::model_to_masters() {
  if (masters_) masters_->model_to_masters();
}

void Optimizer::prepare_backward() {
  if (holds_scaled_gradients_) return;  // gradients keep accumulating, still scaled
  make_masters();
  if (masters_) {
    // The master's gradient already holds what an earlier pass left here.
    for (const auto& pair : masters_->pairs()) pair.model.mutable_grad().reset();
  }
  stash_.clear();
  for (const at::Tensor& parameter : all_parameters()) stash_.push_back(take_gradient(parameter));
}

void Optimizer::post_backward(scaler::ApexScaler& scaler) {
  const at::NoGradGuard no_history;
  std::vector<at::Tensor> fresh;  // new gradients and their targets
  std::vector<at::Tensor> fresh_to;
  std::vector<at::Tensor> added;  // new gradients to be added to older ones
  std::vector<at::Tensor> older;
  std::vector<at::Tensor> added_to;
  if (masters_) {
    for (const auto& pair : masters_->pairs()) {
      const at::Tensor& gradient = pair.model.grad();
      if (!gradient.defined()) continue;
      if (pair.master.grad().defined()) {
        added.push_back(gradient);
        older.push_back(pair.master.grad());
        added_to.push_back(pair.master.grad());
      } else {
        pair.master.mutable_grad() = at::empty_like(pair.master);
        fresh.push_back(gradient);
        fresh_to.push_back(pair.master.grad());
      }
    }
  }
  const std::vector<at::Tensor> parameters = all_parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const at::Tensor before = i < stash_.size() ? stash_[i] : at::Tensor();
    const at::Tensor& gradient = parameters[i].grad();
    if (!gradient.defined()) {
      if (before.defined()) parameters[i].mutable_grad() = before;
    } else if (before.defined()) {
      added.push_back(gradient);
      older.push_back(before);
      added_to.push_back(gradient);
    } else {
      fresh.push_back(gradient);
      fresh_to.push_back(gradient);
    }
  }
  scaler.unscale(fresh, fresh_to);
  scaler.unscale_onto(added, older, added_to);
  stash_.clear();
  holds_scaled_gradients_ = false;
}

void Optimizer::abandon_backward() {
  if (holds_scaled_gradients_) return;
  if (masters_) {
    for (const auto& pair : masters_->pairs()) pair.model.mutable_grad().reset();
  }
  const std::vector<at::Tensor> parameters = all_parameters();
  for (std::size_t i = 0; i < parameters.size() && i < stash_.size(); ++i) {
    parameters[i].mutable_grad() = stash_[i];
  }
  stash_.clear();
}

std::vector<at::Tensor> master_params(const Optimizer& optimizer) {
  return master_params(optimizer.wrapped());
}

std::vector<at::Tensor> master_params(const torch::optim::Optimizer& optimizer) {
  std::vector<at::Tensor> all;
  for (const auto& group : optimizer.param_groups()) {
    all.insert(all.end(), group.params().begin(), group.params().end());
  }
  return all;
}

}  // namespace binade::apex
