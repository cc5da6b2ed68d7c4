// SPDX-License-Identifier: Apache-2.0
#include "engine/scaler/fused_adam.h"
#include "engine/scaler/fused_sgd.h"
#include "engine/scaler/grad_scaler.h"
#include "engine/scaler/master_weights.h"
#include "engine/scaler/optimizer_state.h"
#include "tests/apex/gather.h"
#include "tests/support/suite.h"

#include <torch/optim/adagrad.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/lbfgs.h>
#include <torch/optim/rmsprop.h>
#include <torch/optim/sgd.h>

using namespace binade;
using scaler::MasterWeights;

namespace {

using MakeOptimizer = std::function<std::unique_ptr<torch::optim::Optimizer>(std::vector<at::Tensor>)>;

std::vector<std::pair<const char*, MakeOptimizer>> optimizers() {
  using namespace torch::optim;
  using scaler::FusedAdam;
  using scaler::FusedAdamW;
  using scaler::FusedSGD;
  return {{"sgd", [](auto p) { return std::make_unique<SGD>(p, SGDOptions(0.125).momentum(0.5)); }},
          {"adam", [](auto p) { return std::make_unique<Adam>(p, AdamOptions(0.01).amsgrad(true)); }},
          {"adamw", [](auto p) { return std::make_unique<AdamW>(p, AdamWOptions(0.01)); }},
          {"rmsprop",
           [](auto p) { return std::make_unique<RMSprop>(p, RMSpropOptions(0.01).momentum(0.5).centered(true)); }},
          {"adagrad", [](auto p) { return std::make_unique<Adagrad>(p, AdagradOptions(0.01)); }},
          {"fused sgd", [](auto p) { return std::make_unique<FusedSGD>(p, SGDOptions(0.125).momentum(0.5)); }},
          {"fused adam", [](auto p) { return std::make_unique<FusedAdam>(p, AdamOptions(0.01).amsgrad(true)); }},
          {"fused adamw", [](auto p) { return std::make_unique<FusedAdamW>(p, AdamWOptions(0.01)); }}};
}

at::Tensor parameter(std::initializer_list<float> numbers, at::ScalarType dtype) {
  return torch::tensor(std::vector<float>(numbers)).to(dtype).requires_grad_(true);
}

}  // namespace

// float32 copies of float16 parameters that an optimizer steps.
class TestMasterWeights : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void mastersTakeThePlaceOfHalfParameters();
  void otherDtypesAreRefused();
  void everyOptimizerStepsAsIfTheWeightsWereFloat32_data();
  void everyOptimizerStepsAsIfTheWeightsWereFloat32();
  void whatTheOptimizerKeptMovesToTheMaster_data();
  void whatTheOptimizerKeptMovesToTheMaster();
  void updatesBelowHalfAUnitAddUp();
  void gradScalerTakesTheMasters();
  void backwardHandsOverByItself();
  void addedGroupsGetMasters();
  void loadedWeightsReachTheMasters();
};

void TestMasterWeights::mastersTakeThePlaceOfHalfParameters() {
  const at::Tensor half = parameter({1, 2}, at::kHalf);
  const at::Tensor single = parameter({3}, at::kFloat);
  const at::Tensor frozen = torch::ones({2}).to(at::kHalf);
  half.mutable_grad() = torch::ones_like(half);
  torch::optim::SGD optimizer({half, single, frozen}, 0.5);
  const MasterWeights masters(optimizer);
  const auto& group = optimizer.param_groups()[0].params();
  QCOMPARE(masters.pairs().size(), std::size_t{1});
  QVERIFY(masters.pairs()[0].model.is_same(half));
  QVERIFY(group[0].is_same(masters.pairs()[0].master));
  QVERIFY(group[0].scalar_type() == at::kFloat && group[0].is_leaf() && group[0].requires_grad());
  QVERIFY(group[1].is_same(single) && group[2].is_same(frozen));
  QVERIFY(!half.grad().defined());
}

void TestMasterWeights::otherDtypesAreRefused() {
  torch::optim::SGD optimizer({parameter({1}, at::kBFloat16)}, 0.5);
  try {
    MasterWeights masters(optimizer);
    QFAIL("bfloat16 was taken");
  } catch (const c10::TypeError& error) {
    QVERIFY(QString::fromUtf8(error.what_without_backtrace())
                .contains("must be either Float or Half tensors. Received BFloat16"));
  }
}

void TestMasterWeights::everyOptimizerStepsAsIfTheWeightsWereFloat32_data() {
  QTest::addColumn<int>("optimizer");
  const auto all = optimizers();
  for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].first) << static_cast<int>(i);
}

void TestMasterWeights::everyOptimizerStepsAsIfTheWeightsWereFloat32() {
  QFETCH(int, optimizer);
  const MakeOptimizer make = optimizers()[static_cast<std::size_t>(optimizer)].second;
  const at::Tensor model = parameter({1, -2, 0.5}, at::kHalf);
  const at::Tensor plain = parameter({1, -2, 0.5}, at::kFloat);
  const auto with = make({model});
  const auto without = make({plain});
  MasterWeights masters(*with);
  for (int step = 0; step < 5; ++step) {
    model.mutable_grad() = torch::tensor({0.25F, -1.0F, 0.0625F * static_cast<float>(step)}).to(at::kHalf);
    plain.mutable_grad() = model.grad().to(at::kFloat);
    masters.gradients_to_masters();
    with->step();
    without->step();
    masters.masters_to_model();
    QVERIFY(masters.pairs()[0].master.equal(plain));
    QVERIFY(model.equal(plain.to(at::kHalf)));
  }
}

void TestMasterWeights::whatTheOptimizerKeptMovesToTheMaster_data() {
  everyOptimizerStepsAsIfTheWeightsWereFloat32_data();
}

void TestMasterWeights::whatTheOptimizerKeptMovesToTheMaster() {
  QFETCH(int, optimizer);
  const MakeOptimizer make = optimizers()[static_cast<std::size_t>(optimizer)].second;
  // Two steps in float32, then the model is cast and goes on with masters.
  const at::Tensor model = parameter({1, -2}, at::kFloat);
  const at::Tensor plain = parameter({1, -2}, at::kFloat);
  const auto with = make({model});
  const auto without = make({plain});
  const auto give = [](const at::Tensor& tensor) {
    tensor.mutable_grad() = torch::tensor({0.5F, -0.25F}).to(tensor.scalar_type());
  };
  give(model);
  give(plain);
  with->step();
  without->step();
  {
    const at::NoGradGuard no_history;  // so that both stand on the same values
    plain.copy_(plain.to(at::kHalf));
    model.mutable_grad().reset();
    model.set_data(model.to(at::kHalf));
  }
  MasterWeights masters(*with);
  QCOMPARE(with->state().size(), std::size_t{1});
  QCOMPARE(with->state().count(masters.pairs()[0].master.unsafeGetTensorImpl()), std::size_t{1});
  give(model);
  give(plain);
  masters.gradients_to_masters();
  with->step();
  without->step();
  QVERIFY(masters.pairs()[0].master.equal(plain));
}

void TestMasterWeights::updatesBelowHalfAUnitAddUp() {
  // 1 + 1e-4 is 1 in float16; ten of them are a unit.
  const at::Tensor with = parameter({1}, at::kHalf);
  const at::Tensor without = parameter({1}, at::kHalf);
  torch::optim::SGD sgd({with}, 1e-4);
  torch::optim::SGD half_sgd({without}, 1e-4);
  MasterWeights masters(sgd);
  int first_change = 0;
  for (int step = 1; step <= 10; ++step) {
    with.mutable_grad() = -torch::ones({1}).to(at::kHalf);
    without.mutable_grad() = -torch::ones({1}).to(at::kHalf);
    masters.gradients_to_masters();
    sgd.step();
    masters.masters_to_model();
    half_sgd.step();
    if (first_change == 0 && with.item<float>() != 1) first_change = step;
  }
  QCOMPARE(without.item<float>(), 1.0F);
  QCOMPARE(first_change, 5);  // the first beyond half of 2^-10
  QVERIFY(std::abs(masters.pairs()[0].master.item<float>() - 1.001F) < 1e-6F);
  QCOMPARE(with.item<float>(), 1.0009765625F);
}

void TestMasterWeights::gradScalerTakesTheMasters() {
  const at::Tensor model = parameter({1, 2}, at::kHalf);
  torch::optim::SGD sgd({model}, 0.5);
  MasterWeights masters(sgd);
  scaler::GradScaler scaler({.init_scale = 1024});
  scaler.scale((model * model).to(at::kFloat).sum()).backward();
  masters.gradients_to_masters();
  QVERIFY(scaler.step(sgd).stepped);
  masters.masters_to_model();
  QVERIFY(test::values(model) == (std::vector<double>{0, 0}));
}

void TestMasterWeights::backwardHandsOverByItself() {
  const at::Tensor model = parameter({1, 2}, at::kHalf);
  const at::Tensor later = parameter({1}, at::kHalf);
  torch::optim::SGD sgd({model}, torch::optim::SGDOptions(0.5));
  {
    MasterWeights masters(sgd);
    masters.follow_backward();
    masters.add_param_group(
        torch::optim::OptimizerParamGroup({later}, std::make_unique<torch::optim::SGDOptions>(0.5)));
    // 2048 + 1 is no float16: sums of several backward passes are the masters'.
    for (const double factor : {2048.0, 1.0}) (model.to(at::kFloat).sum() * factor + later.sum()).backward();
    QVERIFY(!model.grad().defined());
    QVERIFY(test::values(masters.pairs()[0].master.grad()) == (std::vector<double>{2049, 2049}));
    QCOMPARE(masters.pairs()[1].master.grad().item<float>(), 2.0F);
  }
  model.to(at::kFloat).sum().backward();  // nobody hands over any more
  QVERIFY(model.grad().defined());
}

void TestMasterWeights::addedGroupsGetMasters() {
  const at::Tensor first = parameter({1}, at::kHalf);
  const at::Tensor second = parameter({2}, at::kHalf);
  torch::optim::SGD sgd({first}, torch::optim::SGDOptions(1.0));
  MasterWeights masters(sgd);
  second.mutable_grad() = torch::ones({1}).to(at::kHalf);
  masters.add_param_group(torch::optim::OptimizerParamGroup({second}, std::make_unique<torch::optim::SGDOptions>(0.5)));
  QCOMPARE(sgd.param_groups().size(), std::size_t{2});
  QVERIFY(second.grad().defined());  // what was there is kept
  masters.gradients_to_masters();
  sgd.step();
  masters.masters_to_model();
  QCOMPARE(second.item<float>(), 1.5F);
  QCOMPARE(first.item<float>(), 1.0F);
}

void TestMasterWeights::loadedWeightsReachTheMasters() {
  const at::Tensor model = parameter({1}, at::kHalf);
  torch::optim::SGD sgd({model}, 0.5);
  MasterWeights masters(sgd);
  {
    const at::NoGradGuard no_history;
    model.fill_(5);
  }
  masters.model_to_masters();
  model.mutable_grad() = torch::ones({1}).to(at::kHalf);
  masters.gradients_to_masters();
  sgd.step();
  masters.masters_to_model();
  QCOMPARE(model.item<float>(), 4.5F);
}

BINADE_SUITE(TestMasterWeights);
#include "tst_master_weights.moc"
