// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/cast_cache.h"
#include "tests/autocast/casting_run.h"
#include "tests/support/suite.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/rand.h>

using namespace binade;

class TestCache : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aTrainableFloat32LeafIsCastOnce() {
    autocast::CastCache cache;
    const at::Tensor weight = at::rand({3}).requires_grad_(true);
    const at::Tensor first = cache.cast(weight, at::kHalf);
    QVERIFY(first.is_same(cache.cast(weight, at::kHalf)));
    QCOMPARE(cache.size(), std::size_t{1});
  }

  void whatMayChangeOrIsUsedOnceIsNotKept() {
    autocast::CastCache cache;
    const at::Tensor leaf = at::rand({4, 4}).requires_grad_(true);
    cache.cast(at::rand({3}), at::kHalf);                                      // no gradient
    cache.cast(leaf * 2, at::kHalf);                                           // not a leaf
    cache.cast(leaf.t(), at::kHalf);                                           // a view
    cache.cast(at::rand({3}).to(at::kHalf).requires_grad_(true), at::kFloat);  // not float32
    QCOMPARE(cache.size(), std::size_t{0});
    QVERIFY(cache.cast(leaf, at::kFloat).is_same(leaf));
  }

  void theDtypeIsPartOfTheKey() {
    // PyTorch's own cache gives the bfloat16 copy to a float16 region.
    autocast::CastCache cache;
    const at::Tensor weight = at::rand({3}).requires_grad_(true);
    QCOMPARE(static_cast<int>(cache.cast(weight, at::kBFloat16).scalar_type()), static_cast<int>(at::kBFloat16));
    QCOMPARE(static_cast<int>(cache.cast(weight, at::kHalf).scalar_type()), static_cast<int>(at::kHalf));
  }

  void anUpdateInPlaceIsSeen() {
    // PyTorch's own cache keeps serving the stale copy.
    autocast::CastCache cache;
    const at::Tensor weight = at::rand({3}).requires_grad_(true);
    const at::Tensor before = cache.cast(weight, at::kHalf);
    {
      const at::NoGradGuard no_history;
      weight.mul_(3);
    }
    QVERIFY(!cache.cast(weight, at::kHalf).equal(before));
  }

  void aCastMadeWithoutGradientsHasAHistoryAllTheSame() {
    autocast::CastCache cache;
    const at::Tensor weight = at::rand({3}).requires_grad_(true);
    {
      const at::NoGradGuard no_history;
      cache.cast(weight, at::kHalf);
    }
    cache.cast(weight, at::kHalf).sum().backward();
    QVERIFY(weight.grad().defined());
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
