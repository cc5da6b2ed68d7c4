// SPDX-License-Identifier: Apache-2.0
#include "tests/scaler/golden_parts.h"

#include <ATen/ops/_amp_foreach_non_finite_check_and_unscale.h>
#include <ATen/ops/full.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/sparse_coo_tensor.h>
#include <ATen/ops/sparse_csr_tensor.h>
#include <ATen/ops/zeros.h>
#include <torch/optim/optimizer.h>

#include <cmath>

namespace binade::test {

namespace {

/// `call` on a scaler that has scaled nothing yet.
GoldenRow without(void (*call)(GradScaler&, PlainSgd&)) {
  return {[call] {
    const at::Tensor parameter = leaf(at::ones({2}));
    PlainSgd optimizer({parameter}, 0.1);
    giveGradient(parameter, 1);
    GradScaler scaler(upstream());
    call(scaler, optimizer);
    return Numbers{};
  }};
}

/// `call` in the usual scene.
GoldenRow with(Numbers (*call)(Scene&), const std::vector<float>& gradients = {4, 4},
               at::ScalarType dtype = at::kFloat) {
  return {[call, gradients, dtype] {
    Scene scene(gradients, {.init_scale = 4}, dtype);
    return call(scene);
  }};
}

GoldenRow& stageRow(GoldenRows& rows, const char* name) {
  return rows[{"state machine", name}];
}

void addOrders(GoldenRows& rows) {
  const auto row = [&rows](const char* name) -> GoldenRow& { return stageRow(rows, name); };
  row("unscale_ before scale()") = without([](GradScaler& scaler, PlainSgd& optimizer) { scaler.unscale_(optimizer); });
  row("step before scale()") = without([](GradScaler& scaler, PlainSgd& optimizer) { scaler.step(optimizer); });
  row("update before scale()") = without([](GradScaler& scaler, PlainSgd&) { scaler.update(); });
  row("update w/o step/unscale") = with([](Scene& s) { return s.scaler.update(), Numbers{}; });
  row("update after unscale_ only") = with([](Scene& s) {
    s.scaler.unscale_(s.optimizer);
    s.scaler.update();
    Numbers numbers{s.tracker()};
    add(numbers, s.parameter.grad());
    return numbers;
  });
  row("unscale_ twice") = with([](Scene& s) {
    s.scaler.unscale_(s.optimizer);
    return s.scaler.unscale_(s.optimizer), Numbers{};
  });
  row("unscale_ after step") = with([](Scene& s) {
    s.scaler.step(s.optimizer);
    return s.scaler.unscale_(s.optimizer), Numbers{};
  });
  row("step twice") = with([](Scene& s) {
    s.scaler.step(s.optimizer);
    return s.scaler.step(s.optimizer), Numbers{};
  });
  row("update twice") = with([](Scene& s) {
    s.scaler.step(s.optimizer);
    s.scaler.update();
    return s.scaler.update(), Numbers{};
  });
  row("step with all grads None") = with([](Scene& s) {
    s.parameter.mutable_grad().reset();
    return s.scaler.step(s.optimizer), Numbers{};
  });
  row("unscale_ with all grads None") = {with([](Scene& s) {
    s.parameter.mutable_grad().reset();
    s.scaler.unscale_(s.optimizer);
    return Numbers{s.scaler.found_inf(s.optimizer).empty() ? static_cast<double>(*s.scaler.stage(s.optimizer)) : -1};
  })};
}

void addClosures(GoldenRows& rows) {
  const auto row = [&rows](const char* name) -> GoldenRow& { return stageRow(rows, name); };
  const GradScaler::LossClosure closure = [] { return at::full({}, 7.0F); };
  row("closure kw") = {[closure] {
                         Scene scene;
                         GradScaler fixed(Options{.init_scale = 4});
                         fixed.scale(at::ones({}));
                         return fixed.step(scene.optimizer, closure), Numbers{};
                       },
                       "any closure is a keyword closure under the fixed behaviour"};
  row("closure positional (not rejected)") = {[closure] {
                                                Scene scene;
                                                scene.scaler.step(scene.optimizer, closure);
                                                return Numbers{static_cast<double>(scene.optimizer.steps)};
                                              },
                                              "the test's optimizer counts its steps, not the closure's runs"};
  row("disabled: closure kw allowed") = {[closure] {
                                           Scene scene({4, 4}, {.enabled = false});
                                           scene.scaler.step(scene.optimizer, closure);
                                           return Numbers{7, static_cast<double>(scene.optimizer.steps)};
                                         },
                                         "the test's optimizer returns its steps, not the closure's loss"};
}

void addOverflows(GoldenRows& rows) {
  const auto row = [&rows](const char* name) -> GoldenRow& { return stageRow(rows, name); };
  row("normal step") = with([](Scene& s) {
    s.scaler.step(s.optimizer);
    return flat(s.parameter, s.parameter.grad());
  });
  row("inf step") = with(
      [](Scene& s) {
        s.scaler.step(s.optimizer);
        Numbers numbers = flat(s.parameter, s.parameter.grad());
        s.scaler.update();
        numbers.push_back(s.scale());
        numbers.push_back(s.tracker());
        return numbers;
      },
      {kInfinity, 1});
  row("nan step") = with(
      [](Scene& s) {
        s.scaler.step(s.optimizer);
        s.scaler.update();
        Numbers numbers = flat(s.parameter);
        numbers.push_back(s.scale());
        return numbers;
      },
      {kNaN, 1});
  row("found_inf_per_device after -inf") = with(
      [](Scene& s) {
        s.scaler.unscale_(s.optimizer);
        return flat(s.scaler.found_inf(s.optimizer)[0]);
      },
      {-kInfinity, 1});
  row("grads broken between unscale_ and step -> stepped") = with([](Scene& s) {
    s.scaler.unscale_(s.optimizer);
    s.parameter.mutable_grad().mul_(kNaN);
    s.scaler.step(s.optimizer);
    return flat(s.parameter);
  });
}

void addDtypes(GoldenRows& rows) {
  const auto row = [&rows](const char* name) -> GoldenRow& { return stageRow(rows, name); };
  row("fp16 grads unscale_") =
      with([](Scene& s) { return s.scaler.unscale_(s.optimizer), Numbers{}; }, {4, 4}, at::kHalf);
  row("fp16 grads step; state after") = {with(
      [](Scene& s) {
        try {
          s.scaler.step(s.optimizer);
        } catch (const c10::ValueError&) {
        }
        const double stage = static_cast<double>(*s.scaler.stage(s.optimizer));
        return Numbers{stage, static_cast<double>(s.optimizer.steps)};
      },
      {4, 4}, at::kHalf)};
  row("pickle after failed step") = with(
      [](Scene& s) {
        try {
          s.scaler.step(s.optimizer);
        } catch (const c10::ValueError&) {
        }
        return s.scaler.copy(), Numbers{};
      },
      {4, 4}, at::kHalf);
  row("bf16 grads (cpu)") = with(
      [](Scene& s) {
        s.scaler.step(s.optimizer);
        return flat(s.parameter.grad(), s.parameter);
      },
      {4, 4}, at::kBFloat16);
  row("f64 grads") = with(
      [](Scene& s) {
        s.scaler.unscale_(s.optimizer);
        return flat(s.parameter.grad());
      },
      {4, 4}, at::kDouble);
  row("complex grads") =
      with([](Scene& s) { return s.scaler.unscale_(s.optimizer), Numbers{}; }, {4, 4}, at::kComplexFloat);
  row("unscale in place") = with([](Scene& s) {
    const at::Tensor gradient = s.parameter.grad();
    s.scaler.unscale_(s.optimizer);
    Numbers numbers{s.parameter.grad().is_same(gradient) ? 1.0 : 0.0};
    add(numbers, gradient);
    return numbers;
  });
}

/// Iterations that overflow where `overflows` has a 1; scale and tracker after each.
GoldenRow grown(Options options, const std::string& overflows) {
  return {[options, overflows] {
    Scene scene({4, 4}, options);
    Numbers numbers;
    for (const char overflow : overflows) {
      scene.give({overflow == '1' ? kInfinity : 1, 1});
      scene.scaler.step(scene.optimizer);
      scene.scaler.update();
      numbers.push_back(scene.scale());
      numbers.push_back(scene.tracker());
    }
    return numbers;
  }};
}

void addGrowth(GoldenRows& rows) {
  const auto row = [&rows](const char* name) -> GoldenRow& { return rows[{"growth", name}]; };
  row("interval 2, 5 steps") = grown({.init_scale = 4, .growth_interval = 2}, "00000");
  row("inf at 1") = grown({.init_scale = 4, .growth_interval = 2}, "01000");
  row("interval 1") = grown({.init_scale = 4, .growth_interval = 1}, "000");
  row("interval 0") = grown({.init_scale = 4, .growth_interval = 0}, "000");
  row("interval -1") = grown({.init_scale = 4, .growth_interval = -1}, "000");
  row("overflow guard 3e38*2 (tracker resets)") = grown({.init_scale = 3e38, .growth_interval = 1}, "000");
  row("init inf") = grown({.init_scale = INFINITY, .growth_interval = 1}, "000");
  row("backoff to zero") = grown({.init_scale = 1e-45}, "1111");
  row("backoff 0.0") = grown({.init_scale = 4, .backoff_factor = 0}, "10");
  row("backoff -1 flips sign") = grown({.init_scale = 4, .backoff_factor = -1}, "10");
  row("growth 1.1 rounding (double mul then float)") =
      grown({.init_scale = 0.1, .growth_factor = 1.1, .growth_interval = 1}, "000");
  row("lower interval below tracker -> never grows") = {[] {
    Scene scene({4, 4}, {.init_scale = 4, .growth_interval = 5});
    Numbers numbers;
    for (int i = 0; i < 8; ++i) {
      if (i == 3) scene.scaler.set_growth_interval(2);
      scene.give({1, 1});
      scene.scaler.step(scene.optimizer);
      scene.scaler.update();
      numbers.push_back(scene.scale());
      numbers.push_back(scene.tracker());
    }
    return numbers;
  }};
  row("setters unchecked") = {[] {
    GradScaler scaler(upstream());
    scaler.set_growth_factor(0.5);
    scaler.set_backoff_factor(3);
    scaler.set_growth_interval(-1);
    return Numbers{scaler.get_growth_factor(), scaler.get_backoff_factor(),
                   static_cast<double>(scaler.get_growth_interval())};
  }};
}

/// What unscale_ leaves of gradients; `found`: and what it found.
GoldenRow unscaled(double scale, const std::vector<float>& gradients, bool found = true) {
  return {[scale, gradients, found] {
    Scene scene(gradients, {.init_scale = scale});
    scene.scaler.unscale_(scene.optimizer);
    Numbers numbers = flat(scene.parameter.grad());
    if (found) add(numbers, scene.scaler.found_inf(scene.optimizer)[0]);
    return numbers;
  }};
}

void addNumerics(GoldenRows& rows) {
  const auto row = [&rows](const char* name) -> GoldenRow& { return rows[{"unscale numerics", name}]; };
  row("scale 3: 3.0/3") = unscaled(3, {3, 1});
  row("scale<1, grad finite but unscaled overflows: found_inf?") = unscaled(std::ldexp(1, -14), {1e38F});
  row("scale 0 -> inv inf; grads 0 and 1") = unscaled(0, {0, 1});
  row("scale inf -> inv 0") = unscaled(INFINITY, {4});
  row("scale nan") = unscaled(NAN, {4});
  row("scale 1.0 bitwise copy of denormal") = {[] {
    Scene scene({1e-45F, -0.0F}, {.init_scale = 1});
    const at::Tensor before = scene.parameter.grad().clone();
    scene.scaler.unscale_(scene.optimizer);
    return Numbers{before.view(at::kInt).equal(scene.parameter.grad().view(at::kInt)) ? 1.0 : 0.0};
  }};
  row("scale 65536, denormal result") = unscaled(65536, {1e-38F}, false);
  row("inv via double != fp32 reciprocal (20k)") = {[] {
    const at::Tensor scales = at::rand({20000}) * 1e5 + 1e-3;
    const at::Tensor inverse = scales.to(at::kDouble).reciprocal().to(at::kFloat);
    return Numbers{static_cast<double>(inverse.ne(scales.reciprocal()).sum().item<int>())};
  }};
}

void addSeveral(GoldenRows& rows) {
  rows[{"multi", "two optimizers one inf"}] = {[] {
    Scene one;
    const at::Tensor other = leaf(at::ones({2}));
    PlainSgd second({other}, 0.1);
    other.mutable_grad() = at::tensor({kInfinity, 1.0F});
    one.scaler.step(one.optimizer);
    one.scaler.step(second);
    Numbers numbers =
        flat(one.scaler.found_inf(one.optimizer)[0], one.scaler.found_inf(second)[0], one.parameter, other);
    one.scaler.update();
    numbers.push_back(one.scale());
    return numbers;
  }};
  rows[{"multi", "same params in two optimizers -> unscaled twice"}] = {[] {
    Scene scene;
    PlainSgd second({scene.parameter}, 0.1);
    scene.scaler.unscale_(scene.optimizer);
    scene.scaler.unscale_(second);
    return flat(scene.parameter.grad());
  }};
  rows[{"multi", "duplicate param in one optimizer"}] = {[] {
    Scene scene;
    PlainSgd twice({scene.parameter, scene.parameter}, 0.1);
    scene.scaler.unscale_(twice);
    return flat(scene.parameter.grad());
  }};
}

/// Values for the elements 1, 1 and 3 of four.
at::Tensor sparse(at::ScalarType dtype, const std::vector<float>& values) {
  const auto count = static_cast<std::int64_t>(values.size());
  const at::Tensor indices = at::tensor(std::vector<std::int64_t>{1, 1, 3}).narrow(0, 0, count).reshape({1, -1});
  return at::sparse_coo_tensor(indices, at::tensor(values).to(dtype), std::vector<std::int64_t>{4});
}

GoldenRow unscaledSparse(at::ScalarType dtype) {
  return {[dtype] {
    Scene scene({0, 0, 0, 0}, {.init_scale = 4}, dtype);
    const at::Tensor gradient = sparse(dtype, {4, 8, 16});
    scene.parameter.mutable_grad() = gradient;
    scene.scaler.unscale_(scene.optimizer);
    Numbers numbers{gradient.is_coalesced() ? 1.0 : 0.0};
    add(numbers, gradient._values());
    numbers.push_back(scene.parameter.grad().is_same(gradient) ? 1.0 : 0.0);
    return numbers;
  }};
}

void addSparse(GoldenRows& rows) {
  const auto row = [&rows](const char* name) -> GoldenRow& { return rows[{"sparse grads", name}]; };
  row("f32 uncoalesced dup") = unscaledSparse(at::kFloat);
  row("bf16 sparse not coalesced") = unscaledSparse(at::kBFloat16);
  row("f32 dup 3e38+3e38 (overflow only after coalesce): found?") = {[] {
    Scene scene({0, 0, 0, 0});
    scene.parameter.mutable_grad() = sparse(at::kFloat, {3e38F, 3e38F});
    scene.scaler.unscale_(scene.optimizer);
    return flat(scene.scaler.found_inf(scene.optimizer)[0]);
  }};
  row("f16 sparse via unscale_") = {[] {
    Scene scene({0, 0, 0, 0}, {.init_scale = 4}, at::kHalf);
    scene.parameter.mutable_grad() = sparse(at::kHalf, {4, 8});
    return scene.scaler.unscale_(scene.optimizer), Numbers{};
  }};
  row("f16 sparse allow_fp16 (coalesced out of place)") = {
      [] {
        Scene scene({0, 0, 0, 0}, {.init_scale = 4}, at::kHalf);
        const at::Tensor gradient = sparse(at::kHalf, {4, 16, 8});
        scene.parameter.mutable_grad() = gradient;
        scene.scaler.check_inf(scene.optimizer);  // changes no value: 20 and 8, unscaled in the table
        Numbers numbers{scene.parameter.grad().is_coalesced() ? 1.0 : 0.0};
        add(numbers, scene.parameter.grad()._values() / 4);
        numbers.push_back(scene.parameter.grad().is_same(gradient) ? 1.0 : 0.0);
        return numbers;
      },
      "only check_inf allows float16; it does not divide"};
  row("CSR grad") = {[] {
                       Scene scene({0, 0, 0, 0});
                       const at::Tensor matrix = leaf(at::zeros({2, 2}));
                       matrix.mutable_grad() = at::ones({2, 2}).to_sparse_csr();
                       PlainSgd optimizer({matrix}, 0.1);
                       return scene.scaler.unscale_(optimizer), Numbers{};
                     },
                     "", "Python refuses to assign such a gradient at all; the kernel refuses it here"};
}

}  // namespace

void addIterations(GoldenRows& rows) {
  addOrders(rows);
  addClosures(rows);
  addOverflows(rows);
  addDtypes(rows);
  addGrowth(rows);
  addNumerics(rows);
  addSeveral(rows);
  addSparse(rows);
}

}  // namespace binade::test
