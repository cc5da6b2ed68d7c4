// SPDX-License-Identifier: Apache-2.0
#include "tests/observe/observed.h"
#include "tests/support/suite.h"

#include <ATen/Context.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>

using namespace binade;
using test::Observed;

namespace {

using Kind = observe::Watched::Kind;

constexpr const char* kOneLayer = "def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.linear(x, w)\n";

}  // namespace

class TestObserver : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void emulatedValuesAreSeenBeforeRounding() {
    Observed run(kOneLayer, policy::Execution::kEmulated);
    const at::Tensor y = run.forward({at::full({2, 4}, 300.0), at::full({3, 4}, 100.0).requires_grad_(true)});
    const auto seen = run.observer.finish();
    QVERIFY(y.isinf().all().item<bool>());
    const auto* output = run.find(seen, Kind::kOutput, 0);
    QVERIFY(output != nullptr);
    QCOMPARE(output->largest, 120000.0F);  // 4 x 300 x 100, which float16 cannot hold
    QCOMPARE(output->overflow, std::uint64_t{6});
    QCOMPARE(output->non_finite(), std::uint64_t{0});
    QVERIFY(!output->censored);
  }

  void valuesOfALogicalFormatAreSeenBeforeRounding() {
    Observed run(kOneLayer, policy::Execution::kAuto, formats::kFloat8E4M3fn);
    const at::Tensor w = at::full({3, 4}, 96.0).requires_grad_(true);
    const at::Tensor y = run.forward({at::full({2, 4}, 288.0), w});
    y.backward(at::full({2, 3}, 0.5));
    const auto seen = run.observer.finish();
    QVERIFY(y.detach().equal(at::full({2, 3}, 448.0)));  // saturated
    const auto* output = run.find(seen, Kind::kOutput, 0);
    QVERIFY(output != nullptr);
    QCOMPARE(output->largest, 110592.0F);
    QCOMPARE(output->overflow, std::uint64_t{6});
    QVERIFY(!output->censored);
    QVERIFY(run.find(seen, Kind::kInputGradient, 0, "weight") != nullptr);
    for (const observe::Watched& watched : run.observer.watched()) {
      const bool forward = watched.kind == Kind::kOutput;
      QVERIFY(watched.emulated);
      QVERIFY(watched.format == (forward ? formats::kFloat8E4M3fn : formats::kFloat8E5M2));
    }
  }

  void opsThatFollowCountAgainstTheFormatThatTheyFollow() {
    Observed run(
        "def f(x: Tensor, w: Tensor) -> Tensor:\n"
        "    return torch.relu(torch.square(torch.linear(x, w)))\n",
        policy::Execution::kAuto, formats::kFloat8E4M3fn);
    const at::Tensor w = at::full({3, 4}, 8.0).requires_grad_(true);
    const at::Tensor y = run.forward({at::ones({2, 4}), w});
    y.backward(at::full({2, 3}, 1024.0));
    const auto seen = run.observer.finish();
    QVERIFY(y.detach().equal(at::full({2, 3}, 448.0)));
    const auto* square = run.find(seen, Kind::kOutput, 1);
    QVERIFY(square != nullptr);
    QCOMPARE(square->largest, 1024.0F);  // 32 x 32, where float8_e4m3fn ends at 448
    QCOMPARE(square->overflow, std::uint64_t{6});
    QVERIFY(!square->censored);
    const auto* relu = run.find(seen, Kind::kOutput, 2);
    QVERIFY(relu != nullptr);
    QCOMPARE(relu->overflow, std::uint64_t{0});
    // The square sends 2 x 32 x 1024; relu sends what it got, and nothing is rounded there.
    const auto* gradient = run.find(seen, Kind::kInputGradient, 1, "self");
    QVERIFY(gradient != nullptr);
    QCOMPARE(gradient->largest, 65536.0F);
    QCOMPARE(gradient->overflow, std::uint64_t{6});
    QVERIFY(run.find(seen, Kind::kInputGradient, 2, "self") == nullptr);
    for (const observe::Watched& watched : run.observer.watched()) {
      QVERIFY(watched.emulated);
      QVERIFY(watched.format == (watched.kind == Kind::kOutput ? formats::kFloat8E4M3fn : formats::kFloat8E5M2));
    }
  }

  void aFloat32SiteAmongLogicalOnesIsFloat32() {
    Observed run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.exp(torch.linear(x, w))\n",
                 policy::Execution::kAuto, formats::kFloat8E4M3fn);
    run.forward({at::ones({2, 4}), at::full({3, 4}, 4.0).requires_grad_(true)});
    const auto seen = run.observer.finish();
    for (const observe::Watched& watched : run.observer.watched()) {
      if (watched.kind != Kind::kOutput) continue;
      QCOMPARE(watched.emulated, watched.site == 0);
      QVERIFY(watched.format == (watched.site == 0 ? formats::kFloat8E4M3fn : formats::kFloat32));
    }
    const auto* output = run.find(seen, Kind::kOutput, 1);
    QVERIFY(output != nullptr);
    QCOMPARE(output->overflow, std::uint64_t{0});
    QVERIFY(output->largest > 8e6F);  // exp(16)
  }

  void theSumOfGradientsIsSeenBeforeItIsRounded() {
    Observed run(
        "def f(x: Tensor, w: Tensor, a: Tensor) -> Tensor:\n    h = torch.linear(x, w)\n"
        "    return torch.mul(h, a) + torch.mul(h, a)\n",
        policy::Execution::kAuto, formats::kFloat8E4M3fn);
    const at::Tensor w = at::ones({2, 2}).requires_grad_(true);
    run.forward({at::ones({2, 2}), w, at::ones({2, 2})}).backward(at::full({2, 2}, 40960.0));
    const auto seen = run.observer.finish();
    const auto* gradient = run.find(seen, Kind::kOutputGradient, 0);
    QVERIFY(gradient != nullptr);
    QCOMPARE(gradient->largest, 81920.0F);  // float8_e5m2 ends at 57344, to which the sum is then clamped
    QCOMPARE(gradient->overflow, std::uint64_t{4});
    QVERIFY(!gradient->censored);
    QVERIFY(w.grad().equal(at::full({2, 2}, 57344.0)));
  }

  void nativeValuesAreCensored() {
    Observed run(kOneLayer, policy::Execution::kNative);
    run.forward({at::full({2, 4}, 300.0), at::full({3, 4}, 100.0)});
    const auto seen = run.observer.finish();
    const auto* output = run.find(seen, Kind::kOutput, 0);
    QCOMPARE(output->positive_infinity, std::uint64_t{6});
    QVERIFY(output->censored);
  }

  void aWeightsGradientIsSeenWhereItEntersTheCast() {
    Observed run(kOneLayer, policy::Execution::kEmulated);
    const at::Tensor w = at::full({1, 1}, 1.0).requires_grad_(true);
    // dw = x g = 2^-20 x 2^-10 = 2^-30: below half of float16's smallest subnormal, so the parameter gets 0.
    const at::Tensor y = run.forward({at::full({1, 1}, 0x1p-20), w});
    y.backward(at::full({1, 1}, 0x1p-10).to(at::kHalf));
    const auto seen = run.observer.finish();
    QCOMPARE(w.grad().item<float>(), 0.0F);
    const auto* gradient = run.find(seen, Kind::kInputGradient, 0, "weight");
    QVERIFY(gradient != nullptr);
    QCOMPARE(gradient->largest, 0x1p-30F);
    QCOMPARE(gradient->underflow, std::uint64_t{1});
    QCOMPARE(gradient->binades[static_cast<std::size_t>(-30 - formats::kFirstBinade)], 1U);
    QVERIFY(!gradient->censored);
  }

  void theGradientOfAnOutputIsSeenAsTheFormatHeldIt() {
    Observed run(kOneLayer, policy::Execution::kEmulated);
    const at::Tensor y = run.forward({at::ones({2, 2}), at::ones({2, 2}).requires_grad_(true)});
    y.backward(at::full({2, 2}, 0.5).to(at::kHalf));
    const auto seen = run.observer.finish();
    const auto* gradient = run.find(seen, Kind::kOutputGradient, 0);
    QVERIFY(gradient != nullptr);
    QCOMPARE(gradient->count, std::uint64_t{4});
    QCOMPARE(gradient->binades[static_cast<std::size_t>(-1 - formats::kFirstBinade)], 4U);
    QVERIFY(gradient->censored);
  }

  void forwardComesBeforeBackwardAndBackwardRunsBackwards() {
    Observed run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.relu(torch.linear(x, w))\n",
                 policy::Execution::kEmulated);
    run.forward({at::ones({2, 2}), at::ones({2, 2}).requires_grad_(true)}).sum().backward();
    QStringList order;
    for (const observe::Seen& seen : run.observer.finish()) {
      const observe::Watched& watched = run.observer.watched()[static_cast<std::size_t>(seen.tensor)];
      order.append(QStringLiteral("%1:%2").arg(static_cast<int>(watched.kind)).arg(watched.site));
    }
    QCOMPARE(order, (QStringList{QStringLiteral("0:0"), QStringLiteral("0:1"), QStringLiteral("1:1"),
                                 QStringLiteral("1:0"), QStringLiteral("2:0")}));
  }

  void aSiteInALoopGivesOneRecord() {
    Observed run(
        "def f(x: Tensor, w: Tensor) -> Tensor:\n    for i in range(3):\n        x = torch.linear(x, w)\n    return "
        "x\n",
        policy::Execution::kEmulated);
    run.forward({at::ones({2, 2}), at::full({2, 2}, 0.5).requires_grad_(true)}).sum().backward();
    const auto seen = run.observer.finish();
    QCOMPARE(run.find(seen, Kind::kOutput, 0)->count, std::uint64_t{12});
    QCOMPARE(run.find(seen, Kind::kOutputGradient, 0)->count, std::uint64_t{12});
  }

  void aWeightUsedTwiceHasOneGradient_data() {
    QTest::addColumn<bool>("emulated");
    QTest::newRow("native: one cast, one gradient") << false;
    QTest::newRow("emulated: each use has its own") << true;
  }
  void aWeightUsedTwiceHasOneGradient() {
    QFETCH(bool, emulated);
    Observed run(
        "def f(x: Tensor, w: Tensor) -> Tensor:\n    for i in range(3):\n        x = torch.linear(x, w)\n    return "
        "x\n",
        emulated ? policy::Execution::kEmulated : policy::Execution::kNative);
    run.forward({at::ones({2, 2}), at::full({2, 2}, 0.5).requires_grad_(true)}).sum().backward();
    const auto seen = run.observer.finish();
    QCOMPARE(run.find(seen, Kind::kInputGradient, 0, "weight")->count, std::uint64_t{emulated ? 12U : 4U});
  }

  /// Each use rounds its gradient, and the copy of the weight that they share adds them up in its own format.
  void theSumOfASharedWeightsGradientsIsSeenToo() {
    Observed run(
        "def f(x: Tensor, w: Tensor) -> Tensor:\n    y = torch.linear(x, w)\n    for i in range(2):\n        y = y + "
        "torch.linear(x, w)\n    return y\n",
        policy::Execution::kEmulated);
    const at::Tensor y = run.forward({at::full({1, 2}, 30000.0), at::full({2, 2}, 0.5).requires_grad_(true)});
    y.sum().backward();
    bool found = false;
    for (const observe::Seen& each : run.observer.finish()) {
      const observe::Watched& watched = run.observer.watched()[static_cast<std::size_t>(each.tensor)];
      if (watched.kind != Kind::kInputGradient || watched.argument != "weight") continue;
      if (watched.emulated) {
        QCOMPARE(each.stats.largest, 30000.0F);
        QCOMPARE(each.stats.non_finite() + each.stats.overflow, std::uint64_t{0});
        continue;
      }
      found = true;
      QVERIFY(watched.format == formats::kFloat16);
      QCOMPARE(each.stats.positive_infinity, std::uint64_t{4});  // three times 30,000
      QVERIFY(each.stats.censored);
    }
    QVERIFY(found);
  }

  void aRuleForOneCallIsSeenForThatCall() {
    Observed run(
        "def f(x: Tensor, w: Tensor) -> Tensor:\n    for i in range(2):\n        x = torch.linear(x, w)\n    return "
        "x\n",
        policy::Execution::kNative);
    policy::Decision decision = run.policy->sites[0];
    decision.execution = policy::Execution::kEmulated;
    run.policy->calls[{0, 1}] = decision;
    run.casts.set_policy(run.policy);
    run.forward({at::ones({2, 2}), at::full({2, 2}, 0.5)});
    run.observer.finish();
    QList<bool> emulated;
    for (const observe::Watched& watched : run.observer.watched()) {
      if (watched.kind == Kind::kOutput) emulated.append(watched.emulated);
    }
    QCOMPARE(emulated, (QList<bool>{false, true}));
  }

  void idsAreStableAndHooksOfAnEarlierStepAreSilent() {
    Observed run(kOneLayer, policy::Execution::kEmulated);
    const at::Tensor w = at::ones({2, 2}).requires_grad_(true);
    const at::Tensor first = run.forward({at::ones({2, 2}), w});
    run.observer.finish();
    const std::size_t known = run.observer.watched().size();
    const at::Tensor second = run.forward({at::ones({2, 2}), w});
    first.sum().backward();  // a graph that was kept over a step
    QVERIFY(run.find(run.observer.finish(), Kind::kOutputGradient, 0) == nullptr);
    QCOMPARE(run.observer.watched().size(), known);
    second.sum().backward();
  }

  void aStepThatEndsHalfWayLeavesNothingBehind() {
    Observed run(
        "def f(x: Tensor, w: Tensor, n: int) -> Tensor:\n"
        "    y = torch.relu(torch.linear(x, w))\n"
        "    return torch.reshape(y, [n, 2])\n",
        policy::Execution::kEmulated);
    const at::Tensor w = at::full({2, 2}, 0.5).requires_grad_(true);
    bool threw = false;
    try {
      run.forward({at::full({2, 2}, 100.0), w, 3});
    } catch (const std::exception&) {
      threw = true;
      run.casts.end();
    }
    QVERIFY(threw);
    run.forward({at::ones({2, 2}), w, 2}).sum().backward();
    const auto seen = run.observer.finish();
    QCOMPARE(run.find(seen, Kind::kOutput, 0)->count, std::uint64_t{4});
    QCOMPARE(run.find(seen, Kind::kOutput, 0)->largest, 1.0F);  // and not the 100 of the step that failed
    QCOMPARE(run.find(seen, Kind::kInputGradient, 0, "weight")->count, std::uint64_t{4});
  }

  void aSiteThatNeverRunsGivesNothing() {
    Observed run(
        "def f(x: Tensor, w: Tensor, other: bool) -> Tensor:\n"
        "    if other:\n        x = torch.tanh(x)\n"
        "    return torch.linear(x, w)\n",
        policy::Execution::kEmulated);
    run.forward({at::ones({2, 2}), at::ones({2, 2}).requires_grad_(true), false}).sum().backward();
    const auto seen = run.observer.finish();
    for (const auto& site : run.flat.sites()) {
      const bool ran = site->op == "aten::linear";
      QCOMPARE(run.find(seen, Kind::kOutput, site->id) != nullptr, ran);
    }
    QVERIFY(std::none_of(run.observer.watched().begin(), run.observer.watched().end(), [&](const auto& watched) {
      return run.flat.sites()[static_cast<std::size_t>(watched.site)]->op == "aten::tanh";
    }));
  }

  void aGraphWithoutAGradientShowsItsValues() {
    Observed run(kOneLayer, policy::Execution::kEmulated);
    run.forward({at::ones({2, 2}), at::ones({2, 2})});
    const auto seen = run.observer.finish();
    QCOMPARE(seen.size(), std::size_t{1});
    QVERIFY(run.find(seen, Kind::kOutput, 0) != nullptr);
  }

  void levelsAreWhatTheySay() {
    Observed run(kOneLayer, policy::Execution::kEmulated);
    const at::Tensor w = at::ones({2, 2}).requires_grad_(true);
    run.forward({at::ones({2, 2}), w}, observe::Level::kOff).sum().backward();
    QVERIFY(run.observer.finish().empty());
    QCOMPARE(run.observer.seconds(), 0.0);
    run.forward({at::ones({2, 2}), w}, observe::Level::kFinite).sum().backward();
    for (const observe::Seen& seen : run.observer.finish()) QVERIFY(seen.stats.scan);
    run.forward({at::ones({2, 2}), w}, observe::Level::kHistogram).sum().backward();
    bool histogram = false;
    for (const observe::Seen& seen : run.observer.finish()) histogram = histogram || !seen.stats.scan;
    QVERIFY(histogram);
  }

  void levelsLookAsCloselyAsTheyAreNamed() {
    Observed run(kOneLayer, policy::Execution::kEmulated);
    const at::Tensor x = at::full({2, 4}, 0.25);
    const at::Tensor w = at::full({3, 4}, 0.5).requires_grad_(true);
    const auto outputs = [&](observe::Level level) {
      run.forward({x, w}, level).sum().backward();
      const auto seen = run.observer.finish();
      const auto* output = run.find(seen, Kind::kOutput, 0);
      const auto* gradient = run.find(seen, Kind::kInputGradient, 0, "weight");
      return std::pair(output == nullptr ? formats::TensorStats{} : *output,
                       gradient == nullptr ? formats::TensorStats{} : *gradient);
    };
    const auto finite = outputs(observe::Level::kFinite);
    QVERIFY(finite.first.scan && finite.second.scan);
    const auto range = outputs(observe::Level::kRange);
    QVERIFY(!range.first.scan && !range.second.scan);
    QCOMPARE(range.first.smallest, 0.5F);
    const auto histogram = outputs(observe::Level::kHistogram);
    QVERIFY(histogram.first.scan && !histogram.second.scan);
    const auto what_if = outputs(observe::Level::kWhatIf);
    QVERIFY(!what_if.first.scan && !what_if.second.scan);
    QCOMPARE(what_if.first.count, std::uint64_t{6});
    QCOMPARE(outputs(observe::Level::kOff).first.count, std::uint64_t{0});
  }

  void argumentsAreSeenBeforeTheirCast_data() {
    QTest::addColumn<int>("execution");
    QTest::addColumn<QString>("format");
    QTest::newRow("emulated") << static_cast<int>(policy::Execution::kEmulated) << QStringLiteral("float16");
    QTest::newRow("native") << static_cast<int>(policy::Execution::kNative) << QStringLiteral("float16");
    QTest::newRow("logical") << static_cast<int>(policy::Execution::kAuto) << QStringLiteral("float8_e5m2");
  }
  void argumentsAreSeenBeforeTheirCast() {
    QFETCH(int, execution);
    QFETCH(QString, format);
    const formats::Format low = *formats::parse(format.toStdString());
    Observed run(kOneLayer, static_cast<policy::Execution>(execution), low);
    run.observer.watch_inputs(true);
    at::Tensor x = at::full({2, 4}, 1e6);
    x.narrow(0, 0, 1).fill_(1e-9);
    run.forward({x, at::full({3, 4}, 0.5).requires_grad_(true)});
    const auto seen = run.observer.finish();
    const auto* input = run.find(seen, Kind::kInput, 0, "input");
    const auto* weight = run.find(seen, Kind::kInput, 0, "weight");
    QVERIFY(input != nullptr && weight != nullptr);
    QCOMPARE(input->count, std::uint64_t{8});
    QCOMPARE(input->overflow, std::uint64_t{4});
    QCOMPARE(input->underflow, std::uint64_t{4});
    QCOMPARE(input->largest, 1e6F);
    QCOMPARE(input->smallest, 1e-9F);
    QVERIFY(!input->censored && input->named.has_value());
    QCOMPARE(weight->largest, 0.5F);
    for (const observe::Seen& each : seen) {
      const observe::Watched& watched = run.observer.watched()[static_cast<std::size_t>(each.tensor)];
      if (watched.kind != Kind::kInput) continue;
      QVERIFY(watched.format == low);
      QCOMPARE(watched.emulated, execution != static_cast<int>(policy::Execution::kNative));
    }
  }

  void oddArgumentsAreTaken() {
    Observed run(kOneLayer, policy::Execution::kEmulated);
    run.observer.watch_inputs(true);
    const at::Tensor w = at::ones({3, 4}).requires_grad_(true);
    const auto count = [&](const at::Tensor& x) {
      run.forward({x, w}, observe::Level::kWhatIf);
      const auto seen = run.observer.finish();
      const auto* input = run.find(seen, Kind::kInput, 0, "input");
      return input == nullptr ? std::uint64_t{0} : input->count;
    };
    QCOMPARE(count(at::ones({0, 4})), std::uint64_t{0});
    QCOMPARE(count(at::ones({4})), std::uint64_t{4});
    QCOMPARE(count(at::ones({1, 4}).expand({5, 4})), std::uint64_t{20});
    QCOMPARE(count(at::ones({4, 6}).t()), std::uint64_t{24});
    QCOMPARE(count(at::ones({2, 4}).to_sparse().to_dense()), std::uint64_t{8});
  }

  void anArgumentThatIsNotCastIsNotSeen() {
    // The second product's input comes in its format, and a softmax takes it up to float32, where nothing is lost.
    Observed run(
        "def f(x: Tensor, w: Tensor) -> Tensor:\n"
        "    return torch.softmax(torch.linear(torch.linear(x, w), w), 1)\n",
        policy::Execution::kEmulated);
    run.forward({at::ones({2, 4}), at::ones({4, 4}).requires_grad_(true)});
    QVERIFY(!run.observer.observes_casts());
    for (const observe::Watched& watched : run.observer.watched()) QVERIFY(watched.kind != Kind::kInput);
    run.observer.watch_inputs(true);
    run.forward({at::ones({2, 4}), at::ones({4, 4}).requires_grad_(true)});
    QVERIFY(run.observer.observes_casts());
    const auto seen = run.observer.finish();
    QVERIFY(run.find(seen, Kind::kInput, 0, "input") != nullptr);
    QVERIFY(run.find(seen, Kind::kInput, 1, "input") == nullptr);
    QVERIFY(run.find(seen, Kind::kInput, 1, "weight") != nullptr);
    QVERIFY(run.find(seen, Kind::kInput, 2, "self") == nullptr);
  }

  void parametersAreSeenWithTheirGradients() {
    Observed run(kOneLayer, policy::Execution::kEmulated);
    at::Tensor w = at::full({3, 4}, 0.25).requires_grad_(true);
    const std::vector<std::pair<std::string, at::Tensor>> parameters{{"fc.weight", w}};
    run.forward({at::ones({2, 4}), w}).sum().backward();
    run.observer.observe_parameters(parameters);  // nobody asked
    QVERIFY(run.find(run.observer.finish(), Kind::kParameter, 0, "fc.weight") == nullptr);
    w.mutable_grad().reset();
    run.observer.watch_parameters(parameters);
    run.forward({at::ones({2, 4}), w}).sum().backward();
    w.mutable_grad().div_(8);
    run.observer.observe_parameters(parameters);
    const auto seen = run.observer.finish();
    const auto* value = run.find(seen, Kind::kParameter, 0, "fc.weight");
    const auto* gradient = run.find(seen, Kind::kParameterGradient, 0, "fc.weight");
    QVERIFY(value != nullptr && gradient != nullptr);
    QCOMPARE(value->largest, 0.25F);
    QCOMPARE(gradient->largest, 0.25F);  // 2 of the two rows, unscaled by 8
    QCOMPARE(gradient->count, std::uint64_t{12});
  }

  void aFilterLeavesTheOtherSitesAlone() {
    Observed run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.relu(torch.linear(x, w))\n",
                 policy::Execution::kEmulated);
    run.observer.set_filter({false, true});
    run.forward({at::ones({2, 4}), at::ones({3, 4}).requires_grad_(true)}).sum().backward();
    const auto seen = run.observer.finish();
    QVERIFY(!seen.empty());
    for (const observe::Seen& each : seen) {
      QCOMPARE(run.observer.watched()[static_cast<std::size_t>(each.tensor)].site, 1);
    }
  }
};

BINADE_SUITE(TestObserver);
#include "tst_observer.moc"
