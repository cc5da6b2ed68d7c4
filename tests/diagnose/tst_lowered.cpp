// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/gradient_formats.h"
#include "tests/support/suite.h"

#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <cmath>

using namespace binade;
using torch::autograd::variable_list;

namespace {

/// Measures one node's gradients as a trace does.
class Hook : public torch::autograd::FunctionPostHook {
 public:
  Hook(torch::autograd::Node& function, diagnose::TracedNode& node) : function_(function), node_(node) {}
  variable_list operator()(const variable_list& out, const variable_list& in) override {
    diagnose::measure_lowered(function_, in, out, node_);
    return out;
  }

 private:
  torch::autograd::Node& function_;
  diagnose::TracedNode& node_;
};

/// What is measured where the gradient of `result`, one number everywhere, goes through the op that made it.
std::vector<diagnose::TracedLowered> lowered(const at::Tensor& result, double gradient) {
  diagnose::TracedNode node;
  result.grad_fn()->add_post_hook(std::make_unique<Hook>(*result.grad_fn(), node));
  torch::autograd::backward({result}, {at::full_like(result, gradient)});
  return node.lowered;
}

at::Tensor half(double value) {
  return at::full({4}, value, at::kHalf).requires_grad_(true);
}

/// A function of somebody's own, that must not be run twice.
struct Own : torch::autograd::Function<Own> {
  static inline int runs = 0;
  static at::Tensor forward(torch::autograd::AutogradContext*, const at::Tensor& x) { return x.clone(); }
  static variable_list backward(torch::autograd::AutogradContext*, const variable_list& gradients) {
    ++runs;
    return {gradients[0] * 0.5};
  }
};

}  // namespace

/// Gradients that an op sends out in float16 are measured before they are rounded to it.
class TestLowered : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void whatIsFlushedToZeroIsSeen() {
    const at::Tensor x = half(1);
    const auto seen = lowered(x * 0x1p-30, 8);
    QCOMPARE(seen.size(), std::size_t{1});
    QVERIFY(seen[0].to == formats::kFloat16);
    QVERIFY(!seen[0].before.censored);
    QCOMPARE(seen[0].before.zero, std::uint64_t{0});
    QCOMPARE(seen[0].before.largest, 0x1p-27f);
    QVERIFY(x.grad().eq(0).all().item<bool>());
  }

  void whatOverflowsIsSeen() {
    const auto seen = lowered(half(1) * 0x1p10, 256);
    QCOMPARE(seen.size(), std::size_t{1});
    QCOMPARE(seen[0].before.largest, 0x1p18f);
    QCOMPARE(seen[0].before.non_finite(), std::uint64_t{0});
  }

  /// Autograd adds up behind the function what was broadcast forward.
  void whatWasBroadcastIsAddedUp() {
    const at::Tensor x = at::full({8, 4}, 1.0, at::kHalf).requires_grad_(true);
    const at::Tensor bias = half(1);
    const auto seen = lowered(x * bias, 16384);
    const auto summed = std::find_if(seen.begin(), seen.end(), [](const auto& each) { return each.before.count == 4; });
    QVERIFY(summed != seen.end());
    QCOMPARE(summed->before.largest, 8 * 16384.0f);
    QVERIFY(bias.grad().isinf().all().item<bool>());
  }

  /// Where half comes in each part of the sum has been rounded: what became 0 of it is in no sum.
  void partsThatAreRoundedBeforeTheyAreAddedUpAreSeenToo() {
    const auto counts = [](at::ScalarType dtype) {
      std::vector<std::uint64_t> all;
      for (const auto& each : lowered(at::full({64, 4}, 0x1p-10, dtype) * half(1), 0x1p-20)) {
        all.push_back(each.before.count);
        if (each.before.count == 256) all.push_back(each.before.largest == 0x1p-30f ? 1 : 0);
      }
      return all;
    };
    QCOMPARE(counts(at::kHalf), (std::vector<std::uint64_t>{256, 1, 4}));
    QCOMPARE(counts(at::kFloat), (std::vector<std::uint64_t>{4}));
  }

  void aCastShowsWhatCameIn() {
    const auto seen = lowered(half(1).to(at::kFloat), 0x1p-30);
    QCOMPARE(seen.size(), std::size_t{1});
    QCOMPARE(seen[0].before.largest, 0x1p-30f);
    QVERIFY(!seen[0].before.censored);
  }

  void aCastBetweenTwoLowFormatsShowsWhatCameIn() {
    const auto seen = lowered(half(1).to(at::kBFloat16), 0x1p-30);
    QCOMPARE(seen.size(), std::size_t{1});
    QCOMPARE(seen[0].before.largest, 0x1p-30f);
    QVERIFY(!seen[0].before.censored);
  }

  /// Its backward takes gradients of its own dtype only. Of four windows each hands on a hundredth of what came.
  void anOpThatRefusesFloat32IsGivenLargerGradients() {
    const at::Tensor x = at::full({1, 1, 20, 20}, 1.0, at::kHalf).requires_grad_(true);
    const auto seen = lowered(at::adaptive_avg_pool2d(x, {2, 2}), 0x1p-20);
    QCOMPARE(seen.size(), std::size_t{1});
    QVERIFY(!seen[0].before.censored);
    QCOMPARE(seen[0].before.zero, std::uint64_t{0});
    QVERIFY(std::abs(seen[0].before.largest / (0x1p-20f / 100) - 1) < 0x1p-9f);
    QVERIFY(x.grad().eq(0).all().item<bool>());
  }

  void aWriteThroughAViewIsSeen() {
    const at::Tensor x = half(1);
    const at::Tensor y = x * 1.0;
    y.narrow(0, 0, 2).mul_(0x1p-30);
    const auto seen = lowered(y, 8);
    QCOMPARE(seen.size(), std::size_t{1});
    QVERIFY(!seen[0].before.censored);
    QCOMPARE(seen[0].before.smallest, 0x1p-27f);
    QCOMPARE(seen[0].before.zero, std::uint64_t{0});
  }

  void whatIsOnlyHandedOnIsLeftOut() {
    QVERIFY(lowered(half(1).view({2, 2}), 8).empty());
    QVERIFY(lowered(at::full({4}, 1.0).requires_grad_(true) * 2.0, 8).empty());
  }

  void aFunctionOfSomebodysOwnIsNotRunTwice() {
    Own::runs = 0;
    const auto seen = lowered(Own::apply(half(1)), 8);
    QCOMPARE(Own::runs, 1);  // for the backward itself
    QCOMPARE(seen.size(), std::size_t{1});
    QVERIFY(seen[0].before.censored && !seen[0].all_lost);
    QCOMPARE(seen[0].before.largest, 4.0f);
    const auto gone = lowered(Own::apply(half(1)), 0x1p-24);
    QCOMPARE(gone.size(), std::size_t{1});
    QVERIFY(gone[0].all_lost);
  }
};

BINADE_SUITE(TestLowered);
#include "tst_lowered.moc"
