// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "tests/autocast/casting_run.h"
#include "tests/autocast/scaled_cases.h"
#include "tests/support/suite.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <map>

using namespace binade;
using policy::Operand;
using policy::Product;
using test::all_products;
using test::scaled_policy;

namespace {

constexpr const char* kLinear = "def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.linear(x, w)\n";

/// Result and gradients of one run.
struct Ran {
  at::Tensor y, dx, dw;
  bool equal(const Ran& other) const { return y.equal(other.y) && dx.equal(other.dx) && dw.equal(other.dw); }
};

Ran ran(test::CastingRun& run, const at::Tensor& x, const at::Tensor& w, const at::Tensor& g) {
  const at::Tensor input = x.detach().clone().requires_grad_(true);
  const at::Tensor weight = w.detach().clone().requires_grad_(true);
  const at::Tensor y = run.run({input, weight}).toTensor();
  y.backward(g.to(y.scalar_type()));
  return {y.detach(), input.grad(), weight.grad()};
}

Ran ran(const std::string& text, const policy::Policy& policy, const at::Tensor& x, const at::Tensor& w,
        const at::Tensor& g) {
  test::CastingRun run(text, policy);
  return ran(run, x, w, g);
}

policy::Products stochastic(const char* format) {
  policy::Products products = all_products(format);
  products.rounding = policy::Rounding::kStochastic;
  return products;
}

}  // namespace

// Quantized products of matrix products and convolutions, beside the same written in Python.
class TestScaledProducts : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void productsAndGradientsEqualPythons_data() {
    QTest::addColumn<int>("index");
    const auto cases = test::scaled_cases();
    for (std::size_t i = 0; i < cases.size(); ++i) QTest::newRow(qPrintable(cases[i].name)) << static_cast<int>(i);
  }
  void productsAndGradientsEqualPythons() {
    QFETCH(int, index);
    static const auto cases = test::scaled_cases();
    const test::ScaledCase& one = cases[static_cast<std::size_t>(index)];
    const Ran got = ran(test::text_of(one), scaled_policy(one.products), one.x, one.w, one.g);
    QVERIFY2(test::relative_difference(got.y, one.y) <= 1e-6, "forward");
    QVERIFY2(test::relative_difference(got.dx, one.dx) <= 1e-6, "gradient of the input");
    QVERIFY2(test::relative_difference(got.dw, one.dw) <= 1e-6, "gradient of the weight");
  }
  void allCasesAreRecorded() { QCOMPARE(test::scaled_cases().size(), std::size_t{20}); }

  void resultsAreInTheOrdinaryFormat() {
    at::manual_seed(1);
    const at::Tensor x = at::randn({8, 32});
    const at::Tensor w = at::randn({16, 32});
    const at::Tensor g = at::randn({8, 16}).to(at::kBFloat16);
    const Ran low = ran(kLinear, scaled_policy(all_products("mxfp8"), formats::kBFloat16), x, w, g);
    const Ran full = ran(kLinear, scaled_policy(all_products("mxfp8")), x, w, g.to(at::kFloat));
    QVERIFY(low.y.scalar_type() == at::kBFloat16 && full.y.scalar_type() == at::kFloat);
    QVERIFY(low.y.equal(full.y.to(at::kBFloat16)));
    QVERIFY(low.dx.equal(full.dx.to(at::kBFloat16).to(at::kFloat)));
    QVERIFY(low.dw.equal(full.dw.to(at::kBFloat16).to(at::kFloat)));
  }

  void aBiasIsAddedInFloat32AndHasItsGradient() {
    at::manual_seed(2);
    const at::Tensor x = at::randn({4, 3, 32});
    const at::Tensor w = at::randn({5, 32});
    const at::Tensor b = at::randn({5}).requires_grad_(true);
    test::CastingRun run("def f(x: Tensor, w: Tensor, b: Tensor) -> Tensor:\n    return torch.linear(x, w, b)\n",
                         scaled_policy(all_products("mxfp8")));
    const at::Tensor y = run.run({x, w, b}).toTensor();
    test::CastingRun plain(kLinear, scaled_policy(all_products("mxfp8")));
    QVERIFY(y.equal(plain.run({x, w}).toTensor().add(b)));
    y.sum().backward();
    QVERIFY(b.grad().equal(at::full({5}, 12.0F)));
  }

  void factorsOfAnAddedProductApply() {
    at::manual_seed(3);
    const at::Tensor a = at::randn({6, 5});
    const at::Tensor x = at::randn({6, 32});
    const at::Tensor w = at::randn({5, 32}).t();
    const std::string text =
        "def f(a: Tensor, x: Tensor, w: Tensor) -> Tensor:\n    return torch.addmm(a, x, w, beta=0.5, alpha=2)\n";
    test::CastingRun run(text, scaled_policy(all_products("mxfp8")));
    test::CastingRun plain("def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.mm(x, w)\n",
                           scaled_policy(all_products("mxfp8")));
    const at::Tensor product = plain.run({x, w}).toTensor();
    QVERIFY(run.run({a, x, w}).toTensor().equal(product.mul(2).add(a.mul(0.5))));
    // A factor of 0 ignores what it multiplies.
    const std::string none =
        "def f(a: Tensor, x: Tensor, w: Tensor) -> Tensor:\n    return torch.addmm(a, x, w, beta=0)\n";
    test::CastingRun ignoring(none, scaled_policy(all_products("mxfp8")));
    QVERIFY(ignoring.run({at::full({6, 5}, NAN), x, w}).toTensor().equal(product));
  }

  void everyShapeOfMatmulWorks_data() {
    QTest::addColumn<QList<int>>("x");
    QTest::addColumn<QList<int>>("w");
    const auto row = [](const char* name, const QList<int>& x, const QList<int>& w) { QTest::newRow(name) << x << w; };
    row("vector, vector", {40}, {40});
    row("vector, matrix", {40}, {40, 3});
    row("matrix, vector", {3, 40}, {40});
    row("matrix, matrix", {3, 40}, {40, 5});
    row("batch, matrix", {2, 3, 40}, {40, 5});
    row("matrix, batch", {3, 40}, {2, 40, 5});
    row("batch, batch", {2, 3, 40}, {2, 40, 5});
    row("broadcast", {2, 1, 3, 40}, {4, 40, 5});
    row("batch, vector", {2, 3, 40}, {40});
    row("one row", {1, 40}, {40, 1});
  }
  void everyShapeOfMatmulWorks() {
    QFETCH(QList<int>, x);
    QFETCH(QList<int>, w);
    at::manual_seed(4);
    // Values that MXFP8 holds exactly, so that the plain op is the reference.
    const auto made = [](const QList<int>& sizes) {
      const std::vector<std::int64_t> shape(sizes.begin(), sizes.end());
      return at::randint(-4, 5, shape).to(at::kFloat);
    };
    const at::Tensor a = made(x).requires_grad_(true);
    const at::Tensor b = made(w).requires_grad_(true);
    const std::string text = "def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.matmul(x, w)\n";
    test::CastingRun run(text, scaled_policy(all_products("mxfp8")));
    const at::Tensor y = run.run({a, b}).toTensor();
    const at::Tensor expected = a.matmul(b);
    QVERIFY(y.equal(expected));
    const at::Tensor g = at::randint(-2, 3, y.sizes()).to(at::kFloat);
    const auto gradients = [&](const at::Tensor& of) {
      return torch::autograd::grad({of}, {a, b}, {g}, /*retain_graph=*/true);
    };
    const auto got = gradients(y);
    const auto wanted = gradients(expected);
    QVERIFY(got[0].equal(wanted[0]) && got[1].equal(wanted[1]));
  }

  void stochasticRoundingRepeatsBySeedStepAndCall() {
    at::manual_seed(5);
    const at::Tensor x = at::randn({16, 32});
    const at::Tensor w = at::randn({32, 32});
    const at::Tensor g = at::randn({16, 32});
    test::CastingRun run(kLinear, scaled_policy(stochastic("nvfp4")));
    const auto at_step = [&](std::uint64_t seed, std::int64_t step) {
      run.casts().products().begin_step(seed, step);
      Ran result = ran(run, x, w, g);
      run.casts().products().end_step(true);
      return result;
    };
    const Ran first = at_step(1, 10);
    const Ran next = at_step(1, 11);
    const Ran other = at_step(2, 10);
    QVERIFY(first.equal(at_step(1, 10)));
    // Gradients are rounded by chance, activations and weights are not.
    QVERIFY(first.y.equal(next.y) && first.y.equal(other.y));
    QVERIFY(!first.dx.equal(next.dx) && !first.dw.equal(next.dw) && !first.dx.equal(other.dx));
    // The second forward of a step has its own draws.
    run.casts().products().begin_step(1, 10);
    QVERIFY(ran(run, x, w, g).equal(first));
    QVERIFY(!ran(run, x, w, g).dx.equal(first.dx));
    // A state that follows repeats the step, whatever the threads.
    test::CastingRun replay(kLinear, scaled_policy(stochastic("nvfp4")));
    replay.casts().products().follow(run.casts().products());
    at::set_num_threads(1);
    const Ran replayed = ran(replay, x, w, g);
    at::set_num_threads(2);
    QVERIFY(replayed.equal(first));
  }

  void stochasticGradientsAreUnbiased() {
    at::manual_seed(6);
    // With an input of one value 1, the gradient of the weight is the rounded gradient. Each value is a block, whose
    // scale maps it to elements between 4 and 6.
    const std::string text = "def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.mm(x, w)\n";
    test::CastingRun run(text, scaled_policy(stochastic("mxfp4")));
    const at::Tensor gradient = at::rand({1, 512}).mul(0.5).add(1);
    at::Tensor sum = at::zeros({1, 512}, at::kDouble);
    constexpr int kSteps = 2000;
    for (int step = 0; step < kSteps; ++step) {
      run.casts().products().begin_step(7, step);
      sum.add_(ran(run, at::ones({1, 1}), at::ones({1, 512}), gradient).dw.to(at::kDouble));
    }
    const double bias = sum.div(kSteps).sub(gradient).mean().item<double>();
    // The neighbours of a value are 1/2 apart, so its standard deviation is at most 1/4.
    QVERIFY2(std::abs(bias) < 4 * 0.25 / std::sqrt(512.0 * kSteps), qPrintable(QString::number(bias)));
  }

  void theHadamardTransformKeepsTheValueOfTheProduct() {
    at::manual_seed(7);
    const at::Tensor x = at::randn({64, 32});
    const at::Tensor w = at::randn({16, 32});
    const at::Tensor g = at::randn({64, 16});
    policy::Products products = all_products("mxfp8");
    products.transform = policy::Transform::kHadamard;
    const Ran turned = ran(kLinear, scaled_policy(products), x, w, g);
    const Ran plain = ran(kLinear, scaled_policy(all_products("mxfp8")), x, w, g);
    const at::Tensor exact = g.t().mm(x);
    QVERIFY(turned.y.equal(plain.y) && turned.dx.equal(plain.dx));  // the weight's gradient only
    QVERIFY(!turned.dw.equal(plain.dw));
    QVERIFY(test::relative_difference(turned.dw, exact) < 0.1);
    QVERIFY(test::relative_difference(plain.dw, exact) < 0.1);
  }

  void aWeightIsQuantizedOncePerStepAndOrientation() {
    at::manual_seed(8);
    const std::string text = "def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.linear(torch.linear(x, w), w)\n";
    std::map<std::pair<Product, Operand>, int> made;
    test::CastingRun run(text, scaled_policy(all_products("mxfp8")));
    run.casts().set_product_watch([&](const autocast::QuantizedOperand& operand) {
      ++made[{operand.product, operand.operand}];
    });
    autocast::CastLedger ledger;
    run.casts().set_ledger(&ledger);
    const at::Tensor x = at::randn({4, 32}).requires_grad_(true);
    at::Tensor w = at::randn({32, 32}).requires_grad_(true);
    run.casts().products().begin_step(0, 0);
    for (int batch = 0; batch < 2; ++batch) run.run({x, w}).toTensor().sum().backward();
    QCOMPARE((made[{Product::kForward, Operand::kWeight}]), 1);
    QCOMPARE((made[{Product::kGradInput, Operand::kWeight}]), 1);
    QCOMPARE((made[{Product::kForward, Operand::kInput}]), 4);
    QCOMPARE((made[{Product::kGradWeight, Operand::kGradient}]), 4);
    QVERIFY(ledger.total().saved == 6 && ledger.total().bytes > 0);
    run.casts().products().end_step(true);
    run.casts().products().begin_step(0, 1);
    run.run({x, w});
    QCOMPARE((made[{Product::kForward, Operand::kWeight}]), 2);
    {
      const at::NoGradGuard no_history;  // a write in the middle of a step
      w.mul_(2);
    }
    run.run({x, w});
    QCOMPARE((made[{Product::kForward, Operand::kWeight}]), 3);
    // Square blocks are the same along both dimensions.
    made.clear();
    run.set(scaled_policy(all_products("nvfp4")));
    run.casts().products().begin_step(0, 2);
    run.run({x, w}).toTensor().sum().backward();
    QCOMPARE((made[{Product::kForward, Operand::kWeight}]), 1);
    QCOMPARE((made[{Product::kGradInput, Operand::kWeight}]), 0);
    run.casts().set_ledger(nullptr);
  }

  void anObserverSeesValuesScalesAndStatistics() {
    at::manual_seed(9);
    std::vector<std::string> seen;
    test::CastingRun run(kLinear, scaled_policy(stochastic("nvfp4")));
    run.casts().set_product_watch([&](const autocast::QuantizedOperand& operand) {
      seen.push_back(policy::name(operand.product) + " " + scaled::name(operand.format));
      QVERIFY(operand.to.sizes() == operand.from.sizes());
      QCOMPARE(operand.stats.values, static_cast<std::uint64_t>(operand.from.numel()));
      QVERIFY(operand.stats.snr_db() > 5 && operand.tensor.restore > 0);
      QCOMPARE(operand.site, 0);
    });
    ran(run, at::randn({16, 32}), at::randn({16, 32}), at::randn({16, 16}));
    QCOMPARE(seen, (std::vector<std::string>{"forward nvfp4", "forward nvfp4_16x16", "grad_input nvfp4+stochastic",
                                             "grad_weight nvfp4+stochastic", "grad_weight nvfp4"}));
    run.casts().set_product_watch({});
    ran(run, at::randn({16, 32}), at::randn({16, 32}), at::randn({16, 16}));
    QCOMPARE(seen.size(), std::size_t{5});
  }

  void operandsThatCannotBeQuantizedRunPlainWithAFinding() {
    const std::string text = "def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.mm(x, w)\n";
    test::CastingRun run(text, scaled_policy(all_products("mxfp8")));
    const at::Tensor x = at::randint(-9, 9, {3, 4}, at::kLong);
    QVERIFY(run.run({x, x.t()}).toTensor().equal(x.mm(x.t())));
    const at::Tensor wide = at::randn({3, 4}, at::kDouble);
    QVERIFY(run.run({wide, wide.t()}).toTensor().equal(wide.mm(wide.t())));
    const std::vector<std::string> found = run.casts().products().findings();
    QCOMPARE(found.size(), std::size_t{2});
    QVERIFY2(found[0].find("m/aten::mm#0: ") == 0 && found[0].find("Long") != std::string::npos, found[0].c_str());
    QVERIFY2(found[1].find("Double") != std::string::npos, found[1].c_str());
  }

  void sizesThatTheHardwareRefusesAreSaidOnce() {
    at::manual_seed(10);
    test::CastingRun run(kLinear, scaled_policy(all_products("mxfp8")));
    for (int i = 0; i < 2; ++i) ran(run, at::randn({33, 40}), at::randn({64, 40}), at::randn({33, 64}));
    QStringList found;
    for (const std::string& each : run.casts().products().findings()) found << QString::fromStdString(each);
    QVERIFY2(found.filter(QStringLiteral("forward")).size() >= 1, qPrintable(found.join(u'\n')));
    QVERIFY2(found.filter(QStringLiteral("40")).size() >= 1, qPrintable(found.join(u'\n')));
    for (const QString& each : found) QVERIFY2(each.startsWith(QStringLiteral("m/aten::linear#0, ")), qPrintable(each));
    QCOMPARE(found.removeDuplicates(), 0);
    run.set(scaled_policy(all_products("mxfp8")));
    QVERIFY(run.casts().products().findings().empty());
    ran(run, at::randn({32, 64}), at::randn({32, 64}), at::randn({32, 32}));
    QVERIFY(run.casts().products().findings().empty());
  }

  void emptyAndSingleValuesWork() {
    test::CastingRun run(kLinear, scaled_policy(all_products("nvfp4")));
    QVERIFY(run.run({at::zeros({0, 32}), at::ones({4, 32})}).toTensor().sizes() == at::IntArrayRef({0, 4}));
    QVERIFY(run.run({at::zeros({3, 0}), at::ones({4, 0})}).toTensor().equal(at::zeros({3, 4})));
    QVERIFY(run.run({at::full({1, 1}, 5.0F), at::full({1, 1}, -3.0F)}).toTensor().item<float>() == -15.0F);
    QVERIFY(ran(run, at::zeros({2, 32}), at::zeros({4, 32}), at::zeros({2, 4})).dw.equal(at::zeros({4, 32})));
    // Not contiguous. The order of the sums may differ.
    const at::Tensor x = at::rand({32, 6}).t();
    const at::Tensor w = at::rand({64, 4}).t().narrow(1, 0, 32);
    QVERIFY(at::allclose(run.run({x, w}).toTensor(), run.run({x.contiguous(), w.contiguous()}).toTensor(), 1e-6, 1e-6));
  }

  void aNanStaysOne() {
    test::CastingRun run(kLinear, scaled_policy(all_products("mxfp8")));
    at::Tensor x = at::ones({2, 32});
    x[1][3] = NAN;
    const at::Tensor y = run.run({x, at::ones({4, 32})}).toTensor();
    QVERIFY(y.isnan()[1].all().item<bool>() && !y.isnan()[0].any().item<bool>());
  }

  void wrongShapesAreRefusedAsByTheOpItself() {
    test::CastingRun run(kLinear, scaled_policy(all_products("mxfp8")));
    QVERIFY_EXCEPTION_THROWN(run.run({at::ones({2, 3}), at::ones({2, 4})}), std::exception);
    // And the next call works.
    QVERIFY(run.run({at::ones({2, 3}), at::ones({2, 3})}).toTensor().equal(at::full({2, 2}, 3.0F)));
  }

  void aSecondDerivativeIsRefusedWithTheOpCall() {
    test::CastingRun run(kLinear, scaled_policy(all_products("mxfp8")));
    const at::Tensor x = at::randn({2, 32}).requires_grad_(true);
    const at::Tensor y = run.run({x, at::randn({4, 32})}).toTensor();
    try {
      torch::autograd::grad({y.sum()}, {x}, {}, true, /*create_graph=*/true);
      QFAIL("no refusal");
    } catch (const Error& error) {
      QVERIFY(error.code == ErrorCode::kBadPolicy);
      QVERIFY2(std::string(error.what()).find("aten::linear#0") != std::string::npos, error.what());
    }
  }

  void otherOpCallsAreUntouched() {
    at::manual_seed(11);
    policy::Policy policy = scaled_policy(all_products("mxfp8"));
    policy.sites.front().match = "other";
    const at::Tensor x = at::randn({4, 32});
    const at::Tensor w = at::randn({4, 32});
    test::CastingRun run(kLinear, policy);
    bool seen = false;
    run.casts().set_product_watch([&](const autocast::QuantizedOperand&) { seen = true; });
    QVERIFY(run.run({x, w}).toTensor().equal(at::linear(x, w)));
    QVERIFY(!seen);
  }
};

BINADE_SUITE(TestScaledProducts);
#include "tst_scaled_products.moc"
