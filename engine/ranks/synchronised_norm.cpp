// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks/synchronised_norm.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/var_mean.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace binade::ranks {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// All dimensions but that of the channels.
std::vector<std::int64_t> reduced(const at::Tensor& input) {
  std::vector<std::int64_t> dims{0};
  for (std::int64_t i = 2; i < input.dim(); ++i) dims.push_back(i);
  return dims;
}

/// A value per channel, for a product with the input.
at::Tensor spread(const at::Tensor& channels, const at::Tensor& input) {
  std::vector<std::int64_t> shape(static_cast<std::size_t>(input.dim()), 1);
  shape[1] = -1;
  return channels.view(shape);
}

at::Tensor summed(Group& group, const at::Tensor& values) {
  Group::Sum sum = group.sum(values);
  group.finish(sum);
  return values;
}

/// Mean and variance over all ranks, by channel, and the number of values in each.
struct Statistics {
  at::Tensor mean;      ///< float64
  at::Tensor variance;  ///< float64, biased
  at::Tensor count;     ///< float64, 0-dim
};

Statistics statistics_of(Group& group, const at::Tensor& input) {
  const std::int64_t channels = input.size(1);
  const double own_count = static_cast<double>(input.numel()) / static_cast<double>(channels);
  const auto [variance, mean] = at::var_mean(input, reduced(input), /*correction=*/at::Scalar(0), /*keepdim=*/false);
  const at::Tensor own_mean = mean.to(at::kDouble);
  // In float64 the squares of the means do not cancel noticeably.
  const at::Tensor squares = variance.to(at::kDouble).add(own_mean.square());
  const at::Tensor sums = summed(
      group, at::cat({own_mean.mul(own_count), squares.mul(own_count), at::full({1}, own_count, own_mean.options())}));
  Statistics all;
  all.count = sums[2 * channels];
  all.mean = sums.narrow(0, 0, channels).div(all.count);
  all.variance = sums.narrow(0, channels, channels).div(all.count).sub_(all.mean.square()).clamp_min_(0);
  return all;
}

struct Norm : torch::autograd::Function<Norm> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input, const at::Tensor& weight,
                            const at::Tensor& bias, const at::Tensor& mean, const at::Tensor& inverse,
                            const at::Tensor& count, std::int64_t group) {
    const at::Tensor normal = input.to(at::kFloat).sub(spread(mean, input)).mul_(spread(inverse, input));
    context->save_for_backward({input, weight, mean, inverse, count});
    context->saved_data["group"] = group;
    context->saved_data["weight"] = weight.defined();
    context->saved_data["bias"] = bias.defined();
    at::Tensor result = normal;
    if (weight.defined()) result = result.mul(spread(weight.to(at::kFloat), input));
    if (bias.defined()) result = result.add(spread(bias.to(at::kFloat), input));
    return result.to(input.scalar_type());
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor& input = saved[0];
    const at::Tensor& weight = saved[1];
    auto& group = *reinterpret_cast<Group*>(context->saved_data["group"].toInt());
    const at::Tensor gradient = gradients[0].to(at::kFloat);
    const at::Tensor inverse = spread(saved[3], input);
    const at::Tensor normal = input.to(at::kFloat).sub(spread(saved[2], input)).mul_(inverse);
    const at::Tensor own_bias = gradient.sum(reduced(input));
    const at::Tensor own_weight = gradient.mul(normal).sum(reduced(input));
    const std::int64_t channels = input.size(1);
    const at::Tensor sums = summed(group, at::cat({own_bias, own_weight})).div(saved[4].to(at::kFloat));
    const at::Tensor of_bias = spread(sums.narrow(0, 0, channels), input);
    const at::Tensor of_weight = spread(sums.narrow(0, channels, channels), input);
    at::Tensor of_input = gradient.sub(of_bias).sub_(normal.mul(of_weight)).mul_(inverse);
    if (weight.defined()) of_input = of_input.mul(spread(weight.to(at::kFloat), input));
    const bool has_weight = context->saved_data["weight"].toBool();
    const bool has_bias = context->saved_data["bias"].toBool();
    return {of_input.to(input.scalar_type()),
            has_weight ? own_weight.to(weight.scalar_type()) : at::Tensor(),
            has_bias ? own_bias : at::Tensor(),
            {},
            {},
            {},
            {}};
  }
};

at::Tensor tensor_of(const c10::IValue& value) {
  return value.isTensor() ? value.toTensor() : at::Tensor();
}

/// aten::batch_norm in train mode.
void batch_norm(Group& group, graph::Stack& stack) {
  const std::size_t first = stack.size() - 9;
  const at::Tensor input = stack[first].toTensor();
  const at::Tensor weight = tensor_of(stack[first + 1]);
  const at::Tensor bias = tensor_of(stack[first + 2]);
  at::Tensor running_mean = tensor_of(stack[first + 3]);
  at::Tensor running_variance = tensor_of(stack[first + 4]);
  const double momentum = stack[first + 6].toDouble();
  const double epsilon = stack[first + 7].toDouble();
  at::Tensor mean;
  at::Tensor inverse;
  Statistics all;
  {
    const at::NoGradGuard no_history;
    all = statistics_of(group, input.detach().to(at::kFloat));
    mean = all.mean.to(at::kFloat);
    inverse = all.variance.add(epsilon).rsqrt().to(at::kFloat);
    if (running_mean.defined()) running_mean.mul_(1 - momentum).add_(mean, momentum);
    if (running_variance.defined()) {
      const at::Tensor unbiased = all.variance.mul(all.count).div(all.count.sub(1)).to(at::kFloat);
      running_variance.mul_(1 - momentum).add_(unbiased, momentum);
    }
  }
  at::Tensor result =
      Norm::apply(input, weight, bias, mean, inverse, all.count, reinterpret_cast<std::int64_t>(&group));
  stack.resize(first);
  stack.emplace_back(std::move(result));
}

constexpr std::size_t kTraining = 5;  // the argument that says whether the module trains

}  // namespace

SynchronisedNorm::SynchronisedNorm(Group& group)
    : group_(group), operation_([this](graph::Stack& stack) { batch_norm(group_, stack); }) {}

void SynchronisedNorm::before(graph::Call& call) {
  if (call.site.key.op != "aten::batch_norm" || !call.argument(kTraining).toBool()) return;
  call.operation = &operation_;
}

}  // namespace binade::ranks
