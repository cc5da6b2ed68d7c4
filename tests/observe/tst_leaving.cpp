// SPDX-License-Identifier: Apache-2.0
#include "tests/observe/observed.h"
#include "tests/support/suite.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>

#include <map>
#include <utility>

using namespace binade;
using test::Observed;

namespace {

using Kind = observe::Watched::Kind;

constexpr const char* kTwoUses =
    "def f(x: Tensor, w: Tensor) -> Tensor:\n"
    "    h = torch.relu(torch.linear(x, w))\n"
    "    return torch.mul(h, 3.0) + torch.mul(h, 5.0)\n";
enum TwoUses : int { kLinear, kRelu, kTriple, kQuintuple, kAdd };

}  // namespace

/// Gradients as they leave a native call for its arguments.
class TestLeaving : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void severalUsesOfATensorAreSeenOneByOne() {
    Observed run(kTwoUses, policy::Execution::kNative);
    const at::Tensor w = at::ones({3, 4}).requires_grad_(true);
    run.forward({at::ones({2, 4}), w}).backward(at::full({2, 3}, 2.0, at::kHalf));
    const auto seen = run.observer.finish();
    const auto* triple = run.find(seen, Kind::kInputGradient, kTriple, "self");
    const auto* quintuple = run.find(seen, Kind::kInputGradient, kQuintuple, "self");
    const auto* sum = run.find(seen, Kind::kOutputGradient, kRelu);
    QVERIFY(triple != nullptr && quintuple != nullptr && sum != nullptr);
    QCOMPARE(triple->largest, 6.0F);
    QCOMPARE(quintuple->largest, 10.0F);
    QCOMPARE(sum->largest, 16.0F);
    QCOMPARE(triple->count, std::uint64_t{6});
    QVERIFY(triple->censored);  // a float16 tensor: what was lost on the way is gone
  }

  void whatArrivesElsewhereIsNotLookedAtTwice() {
    Observed run(kTwoUses, policy::Execution::kNative);
    const at::Tensor w = at::ones({3, 4}).requires_grad_(true);
    run.forward({at::ones({2, 4}), w}).backward(at::ones({2, 3}, at::kHalf));
    const auto seen = run.observer.finish();
    QVERIFY(run.find(seen, Kind::kInputGradient, kRelu, "self") == nullptr);  // the linear's only use
    QVERIFY(run.find(seen, Kind::kOutputGradient, kLinear) != nullptr);
    QVERIFY(run.find(seen, Kind::kInputGradient, kAdd, "self") == nullptr);  // passes what arrives
    QVERIFY(run.find(seen, Kind::kInputGradient, kAdd, "other") == nullptr);
    QVERIFY(run.find(seen, Kind::kInputGradient, kLinear, "input") == nullptr);  // nobody asks for it
    QVERIFY(run.find(seen, Kind::kInputGradient, kLinear, "weight") != nullptr);
  }

  void whatGoesBackThroughAnEmulatedRoundingArrivesThere() {
    Observed run(kTwoUses, policy::Execution::kEmulated);
    const at::Tensor w = at::ones({3, 4}).requires_grad_(true);
    run.forward({at::ones({2, 4}), w}).backward(at::ones({2, 3}, at::kHalf));
    const auto seen = run.observer.finish();
    QVERIFY(run.find(seen, Kind::kInputGradient, kRelu, "self") == nullptr);
    QVERIFY(run.find(seen, Kind::kInputGradient, kTriple, "self") != nullptr);  // two uses
  }

  void aTensorThatIsGivenTwiceIsSeenForEachArgument() {
    Observed run("def f(x: Tensor) -> Tensor:\n    h = torch.exp(x)\n    return torch.mul(h, h)\n",
                 policy::Execution::kNative);
    run.forward({at::full({4}, 0.0).requires_grad_(true)}).backward(at::full({4}, 0.5));
    const auto seen = run.observer.finish();
    for (const char* argument : {"self", "other"}) {
      const auto* leaving = run.find(seen, Kind::kInputGradient, 1, argument);
      QVERIFY2(leaving != nullptr, argument);
      QCOMPARE(leaving->count, std::uint64_t{4});
      QCOMPARE(leaving->largest, 0.5F);
    }
    QCOMPARE(run.find(seen, Kind::kOutputGradient, 0)->largest, 1.0F);
  }

  void whatEntersACastCountsAgainstTheFormatOfTheOp() {
    Observed run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.linear(torch.exp(x), w)\n",
                 policy::Execution::kNative);
    const at::Tensor w = at::full({3, 4}, 2.0).requires_grad_(true);
    run.forward({at::ones({2, 4}).requires_grad_(true), w}).backward(at::ones({2, 3}, at::kHalf));
    const auto seen = run.observer.finish();
    const auto* leaving = run.find(seen, Kind::kInputGradient, 1, "input");
    QVERIFY(leaving != nullptr);
    QCOMPARE(leaving->largest, 6.0F);
    for (const observe::Watched& watched : run.observer.watched()) {
      if (watched.kind != Kind::kInputGradient) continue;
      QVERIFY(watched.format == (watched.site == 1 ? formats::kFloat16 : formats::kFloat32));
    }
  }

  void aCallBehindAViewOrAnUnwatchedOneIsSeen() {
    Observed run("def f(x: Tensor) -> Tensor:\n    return torch.relu(torch.exp(x).reshape([4]))\n",
                 policy::Execution::kNative);
    const auto seen_with = [&](const std::vector<bool>& filter) {
      run.observer.set_filter(filter);
      run.forward({at::ones({2, 2}).requires_grad_(true)}).backward(at::full({4}, 3.0));
      return run.observer.finish();
    };
    const auto all = seen_with({});
    QVERIFY(run.find(all, Kind::kInputGradient, 2, "self") != nullptr);
    const auto only_relu = seen_with({false, false, true});
    QVERIFY(run.find(only_relu, Kind::kInputGradient, 2, "self") != nullptr);
    QVERIFY(run.find(only_relu, Kind::kOutputGradient, 0) == nullptr);
  }

  /// Nothing holds what adds up a parameter's gradient before the op that takes it.
  void theGradientOfAParameterThatIsNotCastIsSeen() {
    const at::Tensor x = at::rand({2, 4});
    for (int i = 0; i < 20; ++i) {
      Observed run(
          "def f(x: Tensor, w: Tensor, g: Tensor) -> Tensor:\n"
          "    return torch.mul(torch.layer_norm(x, [4], w), g)\n",
          policy::Execution::kNative);
      const at::Tensor w = at::ones({4}).requires_grad_(true);
      const at::Tensor g = at::ones({4}).requires_grad_(true);
      run.forward({x, w, g}).sum().backward();
      const auto seen = run.observer.finish();
      const auto* weight = run.find(seen, Kind::kInputGradient, 0, "weight");
      const auto* factor = run.find(seen, Kind::kInputGradient, 1, "other");
      QVERIFY(weight != nullptr && factor != nullptr);
      QCOMPARE(weight->count, std::uint64_t{4});
      QCOMPARE(factor->largest, g.grad().abs().max().item<float>());
    }
  }

  void everyContributionInsideACompositeOpIsSeen() {
    Observed run(
        "def f(x: Tensor, w: Tensor) -> Tensor:\n    h = torch.relu(x)\n"
        "    return torch.cosine_similarity(h, w, 1) + h.sum(1)\n",
        policy::Execution::kNative);
    const at::Tensor x = at::rand({2, 4}).requires_grad_(true);
    run.forward({x, at::rand({2, 4})}, observe::Level::kRange).backward(at::ones({2}));
    const auto seen = run.observer.finish();
    const auto* similarity = run.find(seen, Kind::kInputGradient, 1, "x1");
    QVERIFY(similarity != nullptr);
    QVERIFY(similarity->count >= 8);
    QVERIFY(run.find(seen, Kind::kInputGradient, 1, "x2") == nullptr);
  }

  void microBatchesOfAStepCountTogether_data() {
    QTest::addColumn<bool>("emulated");
    QTest::newRow("native") << false;
    QTest::newRow("emulated") << true;
  }

  void microBatchesOfAStepCountTogether() {
    QFETCH(bool, emulated);
    const auto execution = emulated ? policy::Execution::kEmulated : policy::Execution::kNative;
    const at::Tensor w = at::ones({3, 4}).requires_grad_(true);
    const auto counts = [&](int batches) {
      Observed run(kTwoUses, execution);
      run.observer.begin(observe::Level::kHistogram);
      // A graph is gone, and its addresses are free, before the next is made.
      for (int i = 0; i < batches; ++i) run.again({at::ones({2, 4}), w}).backward(at::ones({2, 3}, at::kHalf));
      std::map<std::pair<int, std::string>, std::uint64_t> found;
      for (const observe::Seen& seen : run.observer.finish()) {
        const observe::Watched& watched = run.observer.watched()[static_cast<std::size_t>(seen.tensor)];
        found[{static_cast<int>(watched.kind) * 10 + watched.site, watched.argument}] += seen.stats.count;
      }
      return found;
    };
    auto one = counts(1);
    for (auto& [tensor, count] : one) count *= 5;
    QVERIFY(counts(5) == one);
  }

  void eachResultOfAnOpIsSeen() {
    Observed run("def f(x: Tensor) -> Tensor:\n    s, m = torch.std_mean(x, 1)\n    return s + m\n",
                 policy::Execution::kNative);
    const at::Tensor x = at::rand({2, 4}).requires_grad_(true);
    run.forward({x}).backward(at::ones({2}));
    const auto seen = run.observer.finish();
    const auto* mean = run.find(seen, Kind::kOutput, 0, "1");
    QVERIFY(mean != nullptr);
    QCOMPARE(mean->largest, x.detach().mean(1).max().item<float>());
    QVERIFY(run.find(seen, Kind::kOutput, 0) != nullptr);
    QVERIFY(run.find(seen, Kind::kOutputGradient, 0) != nullptr);
    QVERIFY(run.find(seen, Kind::kOutputGradient, 0, "1") != nullptr);
    QVERIFY(run.find(seen, Kind::kOutput, 0, "2") == nullptr);
  }

  void theFiniteLevelLeavesItToTheSum() {
    Observed run(kTwoUses, policy::Execution::kNative);
    const at::Tensor w = at::ones({3, 4}).requires_grad_(true);
    run.forward({at::ones({2, 4}), w}, observe::Level::kFinite).backward(at::ones({2, 3}, at::kHalf));
    const auto seen = run.observer.finish();
    QVERIFY(run.find(seen, Kind::kInputGradient, kTriple, "self") == nullptr);
    QVERIFY(run.find(seen, Kind::kOutputGradient, kRelu) != nullptr);
  }

  void lookingChangesNoGradient() {
    const at::Tensor x = at::rand({2, 4});
    const at::Tensor gradient = at::rand({2, 3}).to(at::kHalf);
    const auto gradient_at = [&](observe::Level level) {
      Observed run(kTwoUses, policy::Execution::kNative);
      const at::Tensor w = at::full({3, 4}, 0.3).requires_grad_(true);
      run.forward({x, w}, level).backward(gradient);
      return w.grad();
    };
    const at::Tensor bare = gradient_at(observe::Level::kOff);
    for (const auto level : {observe::Level::kRange, observe::Level::kHistogram, observe::Level::kWhatIf}) {
      QVERIFY(gradient_at(level).equal(bare));
    }
  }
};

BINADE_SUITE(TestLeaving);
#include "tst_leaving.moc"
