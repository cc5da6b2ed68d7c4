// SPDX-License-Identifier: Apache-2.0
//
// Autograd functions of one's own under autocast: CustomForward and CustomBackward first thing in each, as custom_fwd
// and custom_bwd in PyTorch.
#include "engine/autocast/custom_function.h"

#include "engine/autocast/region.h"
#include "recipe.h"

#include <ATen/ops/mm.h>
#include <torch/csrc/autograd/custom_function.h>

namespace autocast = binade::autocast;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

namespace {

bool backward_in_region = false;

/// A matrix product that follows autocast, forward and backward alike.
struct Product : torch::autograd::Function<Product> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& a, const at::Tensor& b) {
    const autocast::CustomForward custom(ctx, "cpu");
    ctx->save_for_backward({a, b});
    return at::mm(a, b);
  }
  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const autocast::CustomBackward custom(ctx);
    backward_in_region = autocast::is_enabled("cpu");
    const auto saved = ctx->get_saved_variables();
    return {at::mm(gradients[0], saved[1].t()), at::mm(saved[0].t(), gradients[0])};
  }
};

bool seen_float32 = false;

/// One that can only do float32, whatever it is given.
struct Float32Product : torch::autograd::Function<Float32Product> {
  static at::Tensor forward(AutogradContext* ctx, at::Tensor a, at::Tensor b) {
    const autocast::CustomForward custom(ctx, "cpu", at::kFloat);
    a = custom(a);
    b = custom(b);
    seen_float32 = a.scalar_type() == at::kFloat && b.scalar_type() == at::kFloat;
    ctx->save_for_backward({a, b});
    return at::mm(a, b);
  }
  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const autocast::CustomBackward custom(ctx);
    const auto saved = ctx->get_saved_variables();
    return {at::mm(gradients[0], saved[1].t()), at::mm(saved[0].t(), gradients[0])};
  }
};

}  // namespace

int main() {
  return recipe::run([](recipe::Checks& check) {
    at::manual_seed(1);
    const at::Tensor a = at::randn({4, 6}).set_requires_grad(true);
    const at::Tensor b = at::randn({6, 3}).set_requires_grad(true);
    at::Tensor product;
    at::Tensor exact;
    {
      const autocast::Region region("cpu");
      product = Product::apply(a, b);
      exact = Float32Product::apply(a.to(at::kBFloat16), b);
    }
    check(product.scalar_type() == at::kBFloat16, "theForwardFollowsTheRegion");
    product.sum().backward();  // outside the region
    check(backward_in_region, "theBackwardRunsAsTheForwardDid");
    check(a.grad().scalar_type() == at::kFloat, "gradientsComeBackInFloat32");
    check(seen_float32 && exact.scalar_type() == at::kFloat, "aFloat32OnlyFunctionGetsFloat32");
    backward_in_region = true;
    Product::apply(a, b).sum().backward();
    check(!backward_in_region, "outsideARegionNothingIsCast");
  });
}
