// SPDX-License-Identifier: Apache-2.0
#include "tests/autocast/region_case.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/autograd/function.h>

namespace binade::test {

namespace {

at::Tensor leaf() {
  return at::randn({4, 4}).requires_grad_(true);
}

/// Three uses of `w` beside a tensor that needs no cast, in one region.
int casts_in_three_uses(Form form, const at::Tensor& w, std::optional<bool> cache_enabled = {}) {
  const at::Tensor x = at::randn({4, 4}).to(at::kBFloat16);
  return casts_of([&] {
    const autocast::Region region = open(form, at::kBFloat16, true, cache_enabled);
    for (int i = 0; i < 3; ++i) at::mm(x, w);
  });
}

/// What a tensor is, and its casts.
std::string described(Form form, const at::Tensor& w) {
  return tuple(w.is_leaf(), w.is_view(), casts_in_three_uses(form, w));
}

std::string no_grad_then_grad(Form form) {
  const at::Tensor x = at::randn({4, 4});
  const at::Tensor w = leaf();
  const autocast::Region region = open(form);
  {
    const at::NoGradGuard no_grad;
    at::mm(x, w);
  }
  const at::Tensor y = at::mm(x, w);
  return tuple(y.requires_grad(), "<" + y.grad_fn()->name() + " object>");
}

std::string grad_then_no_grad(Form form) {
  const at::Tensor x = at::randn({4, 4});
  const at::Tensor w = leaf();
  const autocast::Region region = open(form);
  at::mm(x, w);
  const at::NoGradGuard no_grad;
  return text(at::mm(x, w).requires_grad());
}

std::string inference_then_grad(Form form) {
  const at::Tensor x = at::randn({4, 4});
  const at::Tensor w = leaf();
  const autocast::Region region = open(form);
  {
    const c10::InferenceMode inference;
    at::mm(x, w);
  }
  return text(at::mm(x, w).requires_grad());
}

}  // namespace

const std::vector<RegionCase>& cache_cases() {
  static const std::vector<RegionCase> cases = {
      {"leaf rg fp32: casts in 3 mm", [](Form form) { return text(casts_in_three_uses(form, leaf())); }},
      {"leaf rg, cache_enabled=False", [](Form form) { return text(casts_in_three_uses(form, leaf(), false)); }},
      {"leaf no rg",
       [](Form form) {
         return text(casts_in_three_uses(form, at::randn({4, 4})));
       }},
      {"nonleaf", [](Form form) { return text(casts_in_three_uses(form, leaf() * 1)); }},
      {"detach().requires_grad_() leaf,is_view",
       [](Form form) { return described(form, leaf().detach().requires_grad_(true)); }},
      {"view leaf",
       [](Form form) {
         return described(form, at::randn({8, 4}).slice(0, 0, 4).requires_grad_(true));
       }},
      {"nn.Parameter", [](Form form) { return described(form, leaf()); }},
      {"nn.Parameter(w.data)", [](Form form) { return described(form, leaf().variable_data().requires_grad_(true)); }},
      {"leaf rg fp16 under bf16 (not fp32)",
       [](Form form) {
         return text(casts_in_three_uses(form, at::randn({4, 4}).to(at::kHalf).requires_grad_(true)));
       }},
      {"bf16 leaf -> fp32 op (mse_loss)",
       [](Form form) {
         const at::Tensor w = at::randn({4, 4}).to(at::kBFloat16).requires_grad_(true);
         const at::Tensor x = at::randn({4, 4});
         return text(casts_of([&] {
           const autocast::Region region = open(form);
           for (int i = 0; i < 3; ++i) at::mse_loss(w, x, at::Reduction::None);  // a mean copies by itself
         }));
       }},
      {"fp32 leaf in promote op to fp32 (cat)",
       [](Form form) {
         const at::Tensor w = leaf();
         const at::Tensor x = at::randn({4, 4});
         return text(casts_of([&] {
           const autocast::Region region = open(form);
           for (int i = 0; i < 3; ++i) at::cat({w, x});
         }));
       }},
      {"leaf rg within no_grad",
       [](Form form) {
         const at::NoGradGuard no_grad;
         return text(casts_in_three_uses(form, leaf()));
       }},
      {"leaf rg within inference_mode",
       [](Form form) {
         const at::Tensor w = leaf();
         const c10::InferenceMode inference;
         return text(casts_in_three_uses(form, w));
       }},
      {"same tensor twice in one op: mm(w,w)",
       [](Form form) {
         const at::Tensor w = leaf();
         return text(casts_of([&] {
           const autocast::Region region = open(form);
           at::mm(w, w);
         }));
       }},
      {"nocache same tensor twice in one op: mm(x,x)",
       [](Form form) {
         const at::Tensor x = at::randn({4, 4});
         return text(casts_of([&] {
           const autocast::Region region = open(form);
           at::mm(x, x);
         }));
       }},
      {"no_grad then grad", &no_grad_then_grad},
      {"grad then no_grad: out requires_grad", &grad_then_no_grad},
      {"inference then grad", &inference_then_grad},
  };
  return cases;
}

}  // namespace binade::test
