// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/custom_function.h"
#include "tests/autocast/region_case.h"

#include <ATen/TensorOperators.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/csrc/autograd/custom_function.h>

#include <thread>

namespace binade::test {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

at::Tensor matrix() {
  return at::randn({4, 4});
}

std::string new_thread(Form form) {
  const autocast::Region region = open(form, at::kHalf, true, false);
  std::string state;
  std::thread([&state] {
    state = "{'en': " + text(autocast::is_enabled("cpu")) + ", 'dt': " + text(autocast::dtype("cpu")) +
            ", 'ce': " + text(autocast::is_cache_enabled()) +
            ", 'mm': " + text(at::mm(matrix(), matrix()).scalar_type()) + "}";
  }).join();
  return state;
}

std::string cleared_by_another_thread(Form form) {
  const at::Tensor w = matrix().requires_grad_(true);
  const at::Tensor x = matrix().to(at::kBFloat16);
  return text(casts_of([&] {
    const autocast::Region region = open(form);
    at::mm(x, w);
    std::thread([form] { const autocast::Region other = open(form); }).join();
    at::mm(x, w);
  }));
}

std::string backward_inside(Form form) {
  const at::Tensor a = matrix().requires_grad_(true);
  const at::Tensor b = matrix().requires_grad_(true);
  const at::Tensor y = at::mm(a, b);
  const auto dtypes = mm_dtypes_of([&] {
    const autocast::Region region = open(form);
    y.backward(at::ones({4, 4}));
  });
  // Each mm that is cast is met twice: as it was called, and with what it was cast to.
  std::string low;
  for (const at::ScalarType dtype : dtypes) {
    if (dtype != at::kFloat) low += (low.empty() ? "'" : ", '") + text(dtype) + "'";
  }
  return "([" + low + "], " + text(a.grad().scalar_type()) + ")";
}

thread_local std::string seen;

struct AsksInBackward : torch::autograd::Function<AsksInBackward> {
  static at::Tensor forward(AutogradContext*, const at::Tensor& x) { return x * 2; }
  static variable_list backward(AutogradContext*, variable_list gradients) {
    seen = tuple(autocast::is_enabled("cpu"), autocast::dtype("cpu"), autocast::is_cache_enabled());
    return gradients;
  }
};

std::string backward_state(Form form) {
  const auto state_of = [](bool inside, Form of) {
    const at::Tensor y = AsksInBackward::apply(matrix().requires_grad_(true)).sum();
    if (inside) {
      const autocast::Region region = open(of, at::kHalf, true, false);
      y.backward();
    } else {
      y.backward();
    }
    return seen;
  };
  const std::string outside = state_of(false, form);
  return "[" + outside + ", " + state_of(true, form) + "]";
}

thread_local std::string in_forward;
thread_local std::string in_backward;
thread_local std::string in_context;

/// mm under custom_fwd and custom_bwd.
struct PlainMm : torch::autograd::Function<PlainMm> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& a, const at::Tensor& b) {
    const autocast::CustomForward autocast(ctx, "cpu");
    ctx->save_for_backward({a, b});
    in_forward = tuple(autocast::is_enabled("cpu"), autocast::dtype("cpu"), a.scalar_type());
    return at::mm(a, b);
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& gradients) {
    const autocast::CustomBackward autocast(ctx);
    in_context = tuple(autocast::is_enabled("cpu"), autocast::dtype("cpu"));
    in_backward = tuple(autocast::is_enabled("cpu"), autocast::dtype("cpu"), gradients[0].scalar_type());
    const variable_list saved = ctx->get_saved_variables();
    return {at::mm(gradients[0], saved[1].t()), at::mm(saved[0].t(), gradients[0])};
  }
};

std::string written_by(at::ScalarType y, const at::Tensor& a) {
  return "{'fwd': " + in_forward + ", 'bwd': " + in_backward + ", 'ctx': " + in_context + ", 'y': " + text(y) +
         ", 'ga': " + text(a.grad().scalar_type()) + "}";
}

std::string custom_function(Form form) {
  const at::Tensor a = matrix().requires_grad_(true);
  const at::Tensor b = matrix().requires_grad_(true);
  at::Tensor y;
  {
    const autocast::Region region = open(form, at::kHalf);
    y = PlainMm::apply(a, b);
  }
  y.sum().backward();
  return written_by(y.scalar_type(), a);
}

/// mm whose inputs are cast to float32.
struct CastingMm : torch::autograd::Function<CastingMm> {
  static at::Tensor forward(AutogradContext* ctx, at::Tensor a, at::Tensor wide, std::vector<at::Tensor> list) {
    const autocast::CustomForward autocast(ctx, "cpu", at::kFloat);
    a = autocast(a);
    wide = autocast(wide);
    list = autocast(list);
    ctx->save_for_backward({list[0]});
    in_forward = tuple(autocast::is_enabled("cpu"), a.scalar_type(), wide.scalar_type(), list[0].scalar_type());
    return at::mm(a, list[0]);
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& gradients) {
    const autocast::CustomBackward autocast(ctx);
    in_context = tuple(autocast::is_enabled("cpu"), autocast::dtype("cpu"));
    in_backward = tuple(autocast::is_enabled("cpu"), autocast::dtype("cpu"), gradients[0].scalar_type());
    return {at::mm(gradients[0], ctx->get_saved_variables()[0].t()), at::Tensor(), at::Tensor()};
  }
};

std::string casting_function(Form form, bool inside) {
  const at::Tensor a = matrix().to(at::kBFloat16).requires_grad_(true);
  const at::Tensor wide = matrix().to(at::kDouble);
  const std::vector<at::Tensor> list{matrix().to(at::kBFloat16)};
  at::Tensor y;
  if (inside) {
    const autocast::Region region = open(form);
    y = CastingMm::apply(a, wide, list);
  } else {
    y = CastingMm::apply(a, wide, list);
  }
  y.sum().backward();
  return written_by(y.scalar_type(), a);
}

std::string written(const at::Tensor& tensor) {
  return "tensor([1" + std::string(tensor.is_floating_point() ? "." : "") + "], dtype=" + text(tensor.scalar_type()) +
         ")";
}

std::string cast_containers(Form) {
  using First = std::tuple<at::Tensor, std::string, std::string>;
  using Second = std::pair<at::Tensor, at::Tensor>;
  const at::Tensor one = at::ones({1});
  const std::map<std::string, std::tuple<First, Second>> value{
      {"a", {{one, "s", "b"}, {one.to(at::kDouble), one.to(at::kInt)}}}};
  const auto cast = autocast::cast_inputs(value, at::kCPU, at::kBFloat16);
  const auto& [list, pair] = cast.at("a");
  return "{'a': [" + written(std::get<0>(list)) + ", '" + std::get<1>(list) + "', b'" + std::get<2>(list) +
         "'], 'z': (" + written(pair.first) + ", " + written(pair.second) + ")}";
}

std::string excluded(Form form) {
  const autocast::Region region = open(form);
  const c10::impl::ExcludeDispatchKeyGuard off(c10::autocast_dispatch_keyset);
  return tuple(autocast::is_enabled("cpu"), at::mm(matrix(), matrix()).scalar_type(), autocast::dtype("cpu"));
}

std::string entered_while_excluded(Form form) {
  const c10::impl::ExcludeDispatchKeyGuard off(c10::autocast_dispatch_keyset);
  std::string inside;
  {
    const autocast::Region region = open(form);
    inside = tuple(autocast::is_enabled("cpu"), at::mm(matrix(), matrix()).scalar_type());
  }
  return tuple(inside, autocast::is_enabled("cpu"));
}

std::string any_enabled(Form form) {
  const autocast::Region region = open(form);
  bool any = false;
  for (const char* device : {"cpu", "cuda", "mtia", "maia", "xpu", "ipu", "hpu", "xla", "mps"}) {
    any = any || autocast::is_enabled(device);
  }
  return text(any);
}

std::string both_devices(Form form) {
  const auto dtype_of_mm = [] { return at::mm(matrix(), matrix()).scalar_type(); };
  at::ScalarType first = at::kFloat;
  {
    const CudaRegion cuda(form);
    const autocast::Region cpu = open(form);
    first = dtype_of_mm();
  }
  const autocast::Region cpu = open(form);
  const CudaRegion cuda(form);
  return tuple(first, dtype_of_mm());
}

std::string only_cuda(Form form) {
  const CudaRegion cuda(form);
  return text(at::mm(matrix(), matrix()).scalar_type());
}

}  // namespace

const std::vector<RegionCase>& machinery_cases() {
  static const std::vector<RegionCase> cases = {
      {"new thread state", &new_thread},
      {"other thread's outermost exit clears global cache (casts)", &cleared_by_another_thread},
      {"fp32 forward, backward() called inside autocast: mm dtypes", &backward_inside},
      {"autocast state seen in custom backward: outside / inside", &backward_state},
      {"custom_fwd no cast_inputs", &custom_function},
      {"custom_fwd cast_inputs=f32 in autocast", [](Form form) { return casting_function(form, true); }},
      {"custom_fwd cast_inputs=f32 outside", [](Form form) { return casting_function(form, false); }},
      {"_cast str/np/dict", &cast_containers},
      {"_DisableAutocast", &excluded},
      {"enter autocast within exclude guard (set_enabled un-excludes)", &entered_while_excluded},
      {"_is_any_autocast_enabled in cpu", &any_enabled},
      {"cpu tensors w/ cuda autocast also enabled", &both_devices},
      {"cpu tensors w/ only cuda autocast enabled", &only_cuda},
  };
  return cases;
}

}  // namespace binade::test
