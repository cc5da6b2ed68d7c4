// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/rounded_gradient.h"

#include "engine/autocast/rounding.h"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

namespace binade::autocast {

namespace {

using torch::autograd::variable_list;

/// Precision of the gradients, for double backward.
Precision of_gradient(const Precision& precision) {
  Precision result = precision;
  result.format = precision.backward;
  result.overflow =
      precision.backward == precision.format ? precision.overflow : formats::default_overflow(precision.backward);
  result.logical = true;
  return result;
}

bool has_values(const at::Tensor& gradient) {
  return gradient.defined() && gradient.scalar_type() == at::kFloat;
}

/// Whether nothing else holds this gradient or its memory, so that it may be rounded in place.
bool is_ours_alone(const at::Tensor& gradient) {
  return gradient.layout() == at::kStrided && gradient.use_count() == 1 && gradient.storage().use_count() == 1 &&
         gradient.is_non_overlapping_and_dense();
}

/// The identity in forward; rounds the gradient in backward.
class RoundGradient : public torch::autograd::Node {
 public:
  explicit RoundGradient(const Precision& precision)
      : gradient_(of_gradient(precision)), rounder_(gradient_.format, gradient_.overflow) {}

  std::string name() const override { return "RoundGradient"; }

  /// Skips the rounding if there was one use, whose contribution has been rounded already.
  void ask(std::shared_ptr<const Uses> uses) { uses_ = std::move(uses); }

  const formats::Format& format() const { return gradient_.format; }

 protected:
  variable_list apply(variable_list&& gradients) override {
    at::Tensor gradient = std::move(gradients[0]);
    gradients.clear();
    const bool rounded_before = uses_ != nullptr && uses_->count == 1;
    if (has_values(gradient) && !rounded_before && !rounder_.is_identity()) {
      if (at::GradMode::is_enabled()) {
        gradient = rounded(gradient, gradient_);
      } else if (is_ours_alone(gradient)) {
        round_memory(gradient, rounder_);
      } else {
        gradient = round_values(gradient, rounder_);
      }
    }
    variable_list result;
    result.push_back(std::move(gradient));
    return result;
  }

 private:
  Precision gradient_;
  formats::Rounder rounder_;
  std::shared_ptr<const Uses> uses_;
};

/// Rounds the sum of the gradients that arrive at one output of a node.
class RoundSum : public torch::autograd::FunctionPreHook {
 public:
  RoundSum(const Precision& precision, std::shared_ptr<const Uses> uses, std::size_t output)
      : gradient_(of_gradient(precision)), uses_(std::move(uses)), output_(output) {}

  variable_list operator()(const variable_list& gradients) override {
    if (uses_->count == 1 || output_ >= gradients.size() || !has_values(gradients[output_])) return gradients;
    variable_list result = gradients;
    if (at::GradMode::is_enabled()) {
      result[output_] = rounded(result[output_], gradient_);
    } else {
      result[output_] = round_values(result[output_], formats::Rounder(gradient_.format, gradient_.overflow));
    }
    return result;
  }

 private:
  Precision gradient_;
  std::shared_ptr<const Uses> uses_;
  std::size_t output_;
};

bool wants_gradient(const at::Tensor& tensor) {
  return at::GradMode::is_enabled() && tensor.requires_grad();
}

std::shared_ptr<RoundGradient> node_after(const at::Tensor& tensor, const Precision& precision) {
  std::shared_ptr<RoundGradient> node(new RoundGradient(precision), torch::autograd::deleteNode);
  node->set_next_edges(torch::autograd::collect_next_edges(tensor));
  return node;
}

}  // namespace

formats::Rounder forward_rounder(const Precision& precision) {
  return formats::Rounder(precision.format, precision.overflow);
}

at::Tensor rounded(const at::Tensor& tensor, const Precision& precision) {
  at::Tensor result = round_values(tensor, forward_rounder(precision));
  if (!wants_gradient(tensor)) return result;
  if (result.is_same(tensor)) result = tensor.detach();
  torch::autograd::create_gradient_edge(result, node_after(tensor, precision));
  return result;
}

at::Tensor with_rounded_gradient(const at::Tensor& tensor, const Precision& precision) {
  if (!wants_gradient(tensor)) return tensor;
  at::Tensor alias = tensor.detach();  // same memory and version, so that autograd detects later writes
  torch::autograd::create_gradient_edge(alias, node_after(tensor, precision));
  return alias;
}

void round_gradient_of_written(const at::Tensor& tensor, const Precision& precision) {
  if (!wants_gradient(tensor) || tensor.is_leaf()) return;
  const std::shared_ptr<RoundGradient> node = node_after(tensor, precision);
  node->add_input_metadata(tensor);
  torch::autograd::impl::rebase_history(tensor, {node, 0});
}

void round_gradient_sum(const at::Tensor& tensor, const Precision& precision, std::shared_ptr<const Uses> uses) {
  if (!wants_gradient(tensor) || tensor.is_leaf()) return;
  const auto edge = torch::autograd::impl::gradient_edge(tensor);
  if (auto* node = dynamic_cast<RoundGradient*>(edge.function.get())) {
    node->ask(std::move(uses));
    return;
  }
  edge.function->add_pre_hook(std::make_unique<RoundSum>(precision, std::move(uses), edge.input_nr));
}

std::optional<formats::Format> gradient_rounded_to(const torch::autograd::Node& node) {
  const auto* const rounds = dynamic_cast<const RoundGradient*>(&node);
  return rounds == nullptr ? std::nullopt : std::optional(rounds->format());
}

}  // namespace binade::autocast
