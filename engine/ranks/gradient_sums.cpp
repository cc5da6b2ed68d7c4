// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks/gradient_sums.h"

#include "engine/formats/error.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/stack.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/variable.h>

#include <chrono>
#include <utility>

namespace binade::ranks {

namespace {

/// The first bucket is small, so that it leaves soon. Sizes of PyTorch's DistributedDataParallel.
constexpr std::int64_t kFirstBytes = std::int64_t{1} << 20;
constexpr std::int64_t kBytes = 25 * (std::int64_t{1} << 20);

std::int64_t bytes_of(const at::Tensor& tensor) {
  return tensor.numel() * static_cast<std::int64_t>(tensor.element_size());
}

}  // namespace

class GradientSums::Hook : public torch::autograd::FunctionPostHook {
 public:
  Hook(GradientSums* sums, std::size_t parameter) : sums_(sums), parameter_(parameter) {}
  torch::autograd::variable_list operator()(const torch::autograd::variable_list& outputs,
                                            const torch::autograd::variable_list& /*inputs*/) override {
    sums_->accumulated(parameter_);
    return outputs;
  }

 private:
  GradientSums* sums_;
  std::size_t parameter_;
};

GradientSums::GradientSums(Group& group, train::NamedTensors parameters)
    : group_(group), parameters_(std::move(parameters)), bucket_of_(parameters_.size()) {
  make_buckets();
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const at::Tensor& parameter = parameters_[i].second;
    if (!parameter.requires_grad()) continue;
    auto node = torch::autograd::impl::grad_accumulator(parameter);
    const auto key = node->add_post_hook(std::make_unique<Hook>(this, i));
    hooks_.emplace_back(std::move(node), key);
  }
}

GradientSums::~GradientSums() {
  for (auto& [node, key] : hooks_) node->del_post_hook(key);
}

void GradientSums::make_buckets() {
  // Backward gives the gradients of the last layers first.
  std::int64_t bytes = 0;
  for (std::size_t i = parameters_.size(); i-- > 0;) {
    const at::Tensor& parameter = parameters_[i].second;
    const std::int64_t limit = buckets_.size() <= 1 ? kFirstBytes : kBytes;
    const bool fits = !buckets_.empty() && bytes < limit &&
                      parameters_[buckets_.back().members.front()].second.scalar_type() == parameter.scalar_type();
    if (!fits) {
      buckets_.emplace_back();
      bytes = 0;
    }
    bytes += bytes_of(parameter);
    bucket_of_[i] = buckets_.size() - 1;
    buckets_.back().members.push_back(i);
    buckets_.back().elements += parameter.numel();
  }
}

std::uint64_t GradientSums::bytes() const {
  std::int64_t bytes = 0;
  for (const auto& [name, parameter] : parameters_) bytes += bytes_of(parameter);
  return static_cast<std::uint64_t>(bytes);
}

void GradientSums::begin_step() {
  pass_ = 0;
  next_ = 0;
  early_ = false;
  waited_ = 0;
  for (auto& pass : flats_) {
    for (Flat& flat : pass) flat.own.clear();
  }
}

void GradientSums::start_early() {
  early_ = true;
  for (Bucket& bucket : buckets_) bucket.left = bucket.members.size();
}

void GradientSums::accumulated(std::size_t parameter) {
  if (!early_) return;
  --buckets_[bucket_of_[parameter]].left;
  while (next_ < buckets_.size() && buckets_[next_].left == 0) send(next_++);
}

void GradientSums::send(std::size_t index) {
  const at::NoGradGuard no_history;
  if (flats_.size() <= pass_) flats_.resize(pass_ + 1);
  if (flats_[pass_].empty()) flats_[pass_].resize(buckets_.size());
  const Bucket& bucket = buckets_[index];
  Flat& flat = this->flat(index);
  const auto count = static_cast<std::int64_t>(bucket.members.size());
  if (!flat.values.defined()) {
    flat.values = at::empty({bucket.elements + count}, parameters_[bucket.members.front()].second.options());
    flat.present = flat.values.narrow(0, bucket.elements, count);
    std::int64_t offset = 0;
    for (const std::size_t i : bucket.members) {
      const at::Tensor& parameter = parameters_[i].second;
      // variable_data(): optimizers detach gradients in place, which a view does not allow.
      flat.views.push_back(flat.values.narrow(0, offset, parameter.numel()).view(parameter.sizes()).variable_data());
      offset += parameter.numel();
    }
  }
  flat.present.fill_(1);
  flat.own.clear();
  std::vector<at::Tensor> to;
  std::vector<at::Tensor> from;
  for (std::size_t k = 0; k < bucket.members.size(); ++k) {
    const auto& [name, parameter] = parameters_[bucket.members[k]];
    const at::Tensor& gradient = parameter.grad();
    flat.own.push_back(gradient);
    if (!gradient.defined()) {
      flat.views[k].zero_();
      flat.present[static_cast<std::int64_t>(k)].zero_();
    } else if (gradient.is_sparse()) {
      throw Error(ErrorCode::kBadModel, "The gradient of " + name + " is sparse, which ranks cannot sum",
                  "Save the model with sparse=False in its embedding, or train in one process.");
    } else {
      to.push_back(flat.views[k]);
      from.push_back(gradient);
    }
  }
  if (!to.empty()) at::_foreach_copy_(to, from);
  flat.sum = group_.sum(flat.values);
}

void GradientSums::finish() {
  early_ = false;
  while (next_ < buckets_.size()) send(next_++);
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    const auto start = std::chrono::steady_clock::now();
    group_.finish(flat(i).sum);
    waited_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    take(buckets_[i], flat(i));
  }
  ++pass_;
  next_ = 0;
}

void GradientSums::take(const Bucket& bucket, Flat& flat) {
  at::Tensor present;  // on the CPU, read only if this rank lacks a gradient
  for (std::size_t k = 0; k < bucket.members.size(); ++k) {
    const at::Tensor& parameter = parameters_[bucket.members[k]].second;
    bool any = flat.own[k].defined();
    if (!any) {
      if (!present.defined()) present = flat.present.to(at::kCPU, at::kFloat);
      any = present.const_data_ptr<float>()[k] > 0;
    }
    parameter.mutable_grad() = any ? flat.views[k] : at::Tensor();
  }
}

bool GradientSums::own_are_finite() const {
  const at::NoGradGuard no_history;
  std::vector<at::Tensor> finite;
  for (const auto& pass : flats_) {
    for (const Flat& flat : pass) {
      for (const at::Tensor& own : flat.own) {
        if (own.defined()) finite.push_back(at::isfinite(own).all());
      }
    }
  }
  return finite.empty() || at::stack(finite).all().item<bool>();
}

}  // namespace binade::ranks
