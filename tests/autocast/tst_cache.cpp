// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/cast_cache.h"
#include "tests/autocast/casting_run.h"
#include "tests/support/suite.h"
#include "tests/support/warnings.h"

#include <ATen/TensorOperators.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/rand.h>

#include <thread>

using namespace binade;

Q_DECLARE_METATYPE(binade::policy::Behaviour)

namespace {

constexpr auto kFixed = policy::Behaviour::kFixed;
constexpr auto kPyTorch = policy::Behaviour::kPyTorch211;

void behaviours() {
  QTest::addColumn<policy::Behaviour>("behaviour");
  QTest::newRow("fixed") << kFixed;
  QTest::newRow("pytorch-2.11") << kPyTorch;
}

at::Tensor converted(const at::Tensor& tensor, const autocast::Precision& to) {
  return tensor.to(to.dtype);
}

/// A cast in a region whose low dtype is `dtype`.
autocast::CastCache::Found cast(const at::Tensor& tensor, at::ScalarType dtype, policy::Behaviour behaviour) {
  return autocast::CastCache::of(behaviour).cast(tensor, autocast::precision_of(dtype), dtype, &converted);
}

}  // namespace

class TestCache : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    test::failOnWarnings();
    autocast::enter_scope();
  }
  void cleanup() { autocast::leave_scope(); }

  void aTrainableFloat32LeafIsCastOnce_data() { behaviours(); }
  void aTrainableFloat32LeafIsCastOnce() {
    QFETCH(policy::Behaviour, behaviour);
    const at::Tensor weight = at::rand({3}).requires_grad_(true);
    const auto first = cast(weight, at::kHalf, behaviour);
    const auto second = cast(weight, at::kHalf, behaviour);
    QVERIFY(!first.served);
    QVERIFY(second.served);
    QVERIFY(first.copy.is_same(second.copy));
    QCOMPARE(autocast::CastCache::of(behaviour).size(), std::size_t{1});
  }

  void aThreadThatEntersLeavesTheCopiesOfOthers() {
    const at::Tensor weight = at::rand({3}).requires_grad_(true);
    for (const auto behaviour : {kFixed, kPyTorch}) cast(weight, at::kHalf, behaviour);
    std::thread other([] {
      autocast::enter_scope();
      at::autocast::decrement_nesting();  // leaving clears the process's cache, as PyTorch does
    });
    other.join();
    for (const auto behaviour : {kFixed, kPyTorch}) {
      QCOMPARE(autocast::CastCache::of(behaviour).size(), std::size_t{1});
    }
  }

  void whatMayChangeOrIsUsedOnceIsNotKept_data() { behaviours(); }
  void whatMayChangeOrIsUsedOnceIsNotKept() {
    QFETCH(policy::Behaviour, behaviour);
    const at::Tensor leaf = at::rand({4, 4}).requires_grad_(true);
    cast(at::rand({3}), at::kHalf, behaviour);                                      // no gradient
    cast(leaf * 2, at::kHalf, behaviour);                                           // not a leaf
    cast(leaf.t(), at::kHalf, behaviour);                                           // a view
    cast(at::rand({3}).to(at::kHalf).requires_grad_(true), at::kFloat, behaviour);  // not float32
    QCOMPARE(autocast::CastCache::of(behaviour).size(), std::size_t{0});
  }

  void theDtypeIsPartOfTheKeyUnlessAsPyTorch() {
    const at::Tensor weight = at::rand({3}).requires_grad_(true);
    QVERIFY(cast(weight, at::kBFloat16, kFixed).copy.scalar_type() == at::kBFloat16);
    QVERIFY(cast(weight, at::kHalf, kFixed).copy.scalar_type() == at::kHalf);
    QVERIFY(cast(weight, at::kBFloat16, kPyTorch).copy.scalar_type() == at::kBFloat16);
    QVERIFY(cast(weight, at::kHalf, kPyTorch).copy.scalar_type() == at::kBFloat16);
  }

  void anUpdateInPlaceIsSeenUnlessAsPyTorch() {
    const at::Tensor weight = at::rand({3}).requires_grad_(true);
    for (const auto behaviour : {kFixed, kPyTorch}) {
      const at::Tensor before = cast(weight, at::kHalf, behaviour).copy;
      {
        const at::NoGradGuard no_history;
        weight.mul_(3);
      }
      QCOMPARE(cast(weight, at::kHalf, behaviour).copy.equal(before), behaviour == kPyTorch);
      QCOMPARE(autocast::CastCache::of(behaviour).size(), std::size_t{1});  // the old copy is gone
    }
  }

  void aCastMadeWithoutGradientsHasAHistoryAllTheSame_data() { behaviours(); }
  void aCastMadeWithoutGradientsHasAHistoryAllTheSame() {
    QFETCH(policy::Behaviour, behaviour);
    const at::Tensor weight = at::rand({3}).requires_grad_(true);
    {
      const at::NoGradGuard no_history;
      cast(weight, at::kHalf, behaviour);
    }
    cast(weight, at::kHalf, behaviour).copy.sum().backward();
    QVERIFY(weight.grad().defined());
  }

  void theOutermostScopeClearsIt_data() { behaviours(); }
  void theOutermostScopeClearsIt() {
    QFETCH(policy::Behaviour, behaviour);
    const at::Tensor weight = at::rand({3}).requires_grad_(true);
    cast(weight, at::kHalf, behaviour);
    autocast::enter_scope();
    autocast::leave_scope();
    QCOMPARE(autocast::CastCache::of(behaviour).size(), std::size_t{1});
    autocast::leave_scope();
    QCOMPARE(autocast::CastCache::of(behaviour).size(), std::size_t{0});
    autocast::enter_scope();
  }

  void switchedOffNothingIsKept_data() { behaviours(); }
  void switchedOffNothingIsKept() {
    QFETCH(policy::Behaviour, behaviour);
    const at::Tensor weight = at::rand({3}).requires_grad_(true);
    at::autocast::set_autocast_cache_enabled(false);
    cast(weight, at::kHalf, behaviour);
    at::autocast::set_autocast_cache_enabled(true);
    QCOMPARE(autocast::CastCache::of(behaviour).size(), std::size_t{0});
  }

  void aWeightUsedTwiceHasOneRoundedGradient() {
    // One cast node: the gradients of both uses are added in float16 before they become float32, as native does.
    test::CastingRun run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.mm(x, w) + torch.mm(x * 2, w)\n",
                         test::stock(policy::Base::kCudaAmp, formats::kFloat16));
    const at::Tensor w = at::rand({4, 4}).requires_grad_(true);
    const at::Tensor x = at::rand({4, 4});
    run.run({x, w}).toTensor().sum().backward();
    const at::Tensor half = w.grad().to(at::kHalf).to(at::kFloat);
    QVERIFY(half.equal(w.grad()));
  }
};

BINADE_SUITE(TestCache);
#include "tst_cache.moc"
