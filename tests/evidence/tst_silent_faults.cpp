// SPDX-License-Identifier: Apache-2.0
#include "tests/evidence/silent_run.h"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/jit/api/module.h>

#include <algorithm>
#include <functional>

using namespace binade;
using Kind = wire::SilentFault::Kind;
using test::named;
using test::parameter;
using test::Ran;
using test::trained;
using test::watched;
using wire::Direction;

namespace {

/// Batches of which one is made a thousand times as large.
class Spiked : public batches::BatchSource {
 public:
  Spiked(std::unique_ptr<batches::BatchSource> data, std::int64_t at) : data_(std::move(data)), at_(at) {}
  batches::Batch next() override {
    const bool now = data_->cursor() == at_;
    batches::Batch batch = data_->next();
    if (now) batch.inputs[0] = batch.inputs[0].toTensor().mul(300);
    return batch;
  }
  std::int64_t cursor() const override { return data_->cursor(); }
  void seek(std::int64_t cursor) override { data_->seek(cursor); }
  std::int64_t test_batches() const override { return data_->test_batches(); }
  batches::Batch test_batch(std::int64_t index) const override { return data_->test_batch(index); }
  std::int64_t examples() const override { return data_->examples(); }
  std::int64_t test_examples() const override { return data_->test_examples(); }
  const std::vector<batches::TargetInfo>& targets() const override { return data_->targets(); }

 private:
  std::unique_ptr<batches::BatchSource> data_;
  std::int64_t at_;
};

}  // namespace

/// Each fault planted in a training, and the ranking that names it first.
class SilentFaults : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aLayerScaledDownUnderflows();
  void withoutALossScaleGradientsUnderflow();
  void anUpdateTooSmallForFloat32IsLost();
  void bfloat16WeightsLoseUpdates();
  void aDeadReluIsNamed();
  void whatCanOnlyBeZeroIsNoFault();
  void aProductWithAComplexNumberIsChecked();
  void zerosThatAFormatMakesNameWhoseRoundingItWas();
  void aLossScaleMendsWhatItsLackHasLost();
  void everyParameterHasItsUpdate();
  void aPoisonedBatchIsASpike();
  void logitsGrownByAWeightAreNamed();
  void logitsThatGrowAreNamed();
  void aFusedKernelSaysThatItHidesThem();
  void positionsBeyond2048AreNamed();
  void positionsThatThePolicyCastsAreNamed();
  void halfPrecisionStateIsNamed();
  void sampledStepsAreEnough();
  void anEditBeginsANewReport();
  void whoWatchesHearsOfFiguresThatMove();
};

void SilentFaults::aLayerScaledDownUnderflows() {
  auto config = watched("mlp", 8);
  config.optimizer.kind = "none";  // or the first step would mend it
  const Ran ran = trained(config, [](train::Training& training) {
    parameter(training, "fc2.weight").mul_(0x1p-20);
    parameter(training, "fc2.bias").mul_(0x1p-20);
  });
  FIRST_IS(ran, Kind::kUnderflow);
  QCOMPARE(ran.site(0), std::string("fc2/aten::linear#0"));
  QVERIFY(ran.faults[0].format == formats::kFloat16);
  QVERIFY(ran.faults[0].amount > 0.1);
  QCOMPARE(ran.faults[0].fix.rules.at(0).match, std::string("fc2/aten::linear#0"));
  QVERIFY(!ran.events.empty());
}

void SilentFaults::withoutALossScaleGradientsUnderflow() {
  auto config = watched("cnn", 8);
  config.optimizer.kind = "none";
  config.scaler.init_scale = 0x1p-12;
  const Ran ran = trained(config);
  FIRST_IS(ran, Kind::kUnderflow);
  QVERIFY(ran.faults[0].direction == Direction::kBackward);
  const auto curable = std::find_if(ran.faults.begin(), ran.faults.end(),
                                    [](const wire::SilentFault& fault) { return fault.fix.scale > 0; });
  QVERIFY2(curable != ran.faults.end(), named(ran.faults).c_str());
  // The fix holds: with that scale for the worst of them it is no fault any more.
  double scale = 0;
  for (const auto& fault : ran.faults) scale = std::max(scale, fault.fix.scale);
  config.scaler.init_scale = scale;
  const Ran mended = trained(config);
  for (const auto& fault : mended.faults) {
    QVERIFY2(fault.site != curable->site || fault.what != curable->what, named({fault}).c_str());
  }
}

void SilentFaults::anUpdateTooSmallForFloat32IsLost() {
  auto config = watched("mlp", 6);
  config.optimizer.groups.push_back({.match = "fc2.weight", .learning_rate = 1e-12, .weight_decay = {}});
  const Ran ran = trained(config);
  FIRST_IS(ran, Kind::kUpdateLost);
  QCOMPARE(ran.faults.size(), std::size_t{1});
  QCOMPARE(ran.faults[0].what, std::string("fc2.weight"));
  QVERIFY(ran.faults[0].format == formats::kFloat32);
  QVERIFY(ran.faults[0].amount > 0.99);
  QCOMPARE(ran.faults[0].seen, std::int64_t{6});
}

void SilentFaults::bfloat16WeightsLoseUpdates() {
  auto model = graph::make_sample("mlp", 7);
  const std::string file = test::temporaryFolder().toStdString() + "/mlp.pt";
  for (const char* layer : {"fc1", "fc2", "fc3"}) model.module().attr(layer).toModule().to(at::kBFloat16);
  model.module().save(file);
  auto config = watched("mlp", 6);
  config.model = file;
  config.policy.low = formats::kBFloat16;
  config.scaler.enabled = false;
  config.optimizer = {};
  config.optimizer.learning_rate = 1e-4;
  const Ran ran = trained(config);
  FIRST_IS(ran, Kind::kUpdateLost);
  QVERIFY(ran.faults[0].format == formats::kBFloat16);
  QVERIFY(ran.faults[0].amount > 0.9);
}

void SilentFaults::aDeadReluIsNamed() {
  const Ran ran =
      trained(watched("mlp", 8), [](train::Training& training) { parameter(training, "fc1.bias").fill_(-1000); });
  FIRST_IS(ran, Kind::kDeadSite);
  QCOMPARE(ran.site(0), std::string("aten::relu#0"));
  QVERIFY(ran.faults[0].direction == Direction::kForward);
  QCOMPARE(ran.faults.size(), std::size_t{1});
}

void SilentFaults::whatCanOnlyBeZeroIsNoFault() {
  auto config = watched("mlp", 8);
  config.model = test::saveModel(test::temporaryFolder().toStdString(), R"(
def forward(self, x: Tensor) -> Tensor:
    y = torch.linear(x, self.weight, self.bias)
    return y + torch.relu(y) * 0.0 + y[:0].sum()
)");
  config.data.inputs = {"float32[4,8]"};
  config.data.classes = 4;
  const Ran ran = trained(config);
  QVERIFY2(ran.faults.empty(), named(ran.faults).c_str());
}

void SilentFaults::aProductWithAComplexNumberIsChecked() {
  auto config = watched("mlp", 3);
  config.model = test::saveModel(test::temporaryFolder().toStdString(), R"(
def forward(self, x: Tensor) -> Tensor:
    y = torch.linear(x, self.weight, self.bias)
    return torch.view_as_real(torch.complex(y, y) * (1.0 + 2.0j)).sum(2)
)");
  config.data.inputs = {"float32[4,8]"};
  config.data.classes = 4;
  config.policy.base = policy::Base::kAllFloat32;
  QVERIFY(trained(config).faults.empty());
}

void SilentFaults::zerosThatAFormatMakesNameWhoseRoundingItWas() {
  auto config = watched("mlp", 8);
  config.model = test::saveModel(test::temporaryFolder().toStdString(), R"(
def forward(self, x: Tensor) -> Tensor:
    big = torch.linear(x, self.weight, self.bias) * 0.1 + 1000.0
    return big - 1000.0
)");
  config.data.inputs = {"float32[4,8]"};
  config.data.classes = 4;
  config.policy.low = formats::kBFloat16;
  config.scaler.enabled = false;
  const Ran ran = trained(config);
  FIRST_IS(ran, Kind::kDeadSite);
  QCOMPARE(ran.site(0), std::string("aten::sub#0"));
  QVERIFY2(ran.sentence(0).find("gives only zeros, and would not in float32: the error of 0.") != std::string::npos,
           ran.sentence(0).c_str());
  QCOMPARE(ran.events.size(), std::size_t{1});
  QCOMPARE(ran.said(0).find(ran.sentence(0)), std::size_t{0});
  QCOMPARE(ran.faults[0].fix.rules.at(0).match, std::string("aten::add#0"));
  config.policy.sites = ran.faults[0].fix.rules;  // the fix holds
  const Ran mended = trained(config);
  QVERIFY2(mended.faults.empty(), named(mended.faults).c_str());
}

// The gradient of a product that is no matrix product is seen after rounding: a comparison measures it.
void SilentFaults::aLossScaleMendsWhatItsLackHasLost() {
  auto config = watched("mlp", 6);
  config.data.inputs = {"float32[16,8]"};
  config.data.classes = 4;
  config.optimizer.kind = "none";
  config.scaler.init_scale = 2;
  const auto ran = [&](const std::string& factor) {
    config.model = test::saveModel(test::temporaryFolder().toStdString(),
                                   "def forward(self, x: Tensor) -> Tensor:\n"
                                   "    y = torch.linear(x, self.weight, self.bias)\n"
                                   "    return y * " +
                                       factor + "\n");
    return trained(config);
  };
  const Ran faint = ran("1e-7");
  const auto found = std::find_if(faint.faults.begin(), faint.faults.end(), [&](const wire::SilentFault& fault) {
    return fault.kind == Kind::kUnderflow && fault.what == "gradient";
  });
  QVERIFY2(found != faint.faults.end(), named(faint.faults).c_str());
  QCOMPARE(faint.sites.at(static_cast<std::size_t>(found->site)), std::string("aten::mul#0"));
  QVERIFY2(found->fix.scale > 2 && found->fix.rules.empty(), named({*found}).c_str());
  config.scaler.init_scale = found->fix.scale;
  const Ran mended = ran("1e-7");  // its output stays as small as it is
  for (const wire::SilentFault& fault : mended.faults)
    QVERIFY2(fault.direction == Direction::kForward, named({fault}).c_str());
  // Subnormal numbers are less exact, and hardly one becomes 0: the safe band has no fault with that, nor has this.
  config.scaler.init_scale = 1;
  const Ran subnormal = ran("1e-5");
  QVERIFY2(subnormal.faults.empty(), named(subnormal.faults).c_str());
}

void SilentFaults::everyParameterHasItsUpdate() {
  auto config = watched("mlp", 5);
  const Ran ran = trained(config);
  QVERIFY2(ran.faults.empty(), named(ran.faults).c_str());
  QCOMPARE(ran.updates.size(), std::size_t{6});
  QCOMPARE(ran.updates[0].parameter, std::string("fc1.weight"));
  for (const wire::ParameterUpdate& update : ran.updates) {
    QCOMPARE(update.step, std::int64_t{4});
    QVERIFY(update.format == formats::kFloat32);
    QVERIFY2(update.moved > 0 && update.moved <= update.elements, update.parameter.c_str());
    QVERIFY2(update.lost * 100 <= update.moved, update.parameter.c_str());
    QVERIFY(update.update_over_weight > 0);
  }
  config.policy.base = policy::Base::kApexO3;  // weights in float16
  config.scaler = {};
  config.optimizer.learning_rate = 1e-4;
  const Ran low = trained(config);
  QVERIFY(low.updates.at(0).format == formats::kFloat16);
  QVERIFY(low.updates[0].lost > low.updates[0].moved / 2 && low.updates[0].lost_norm > 0.1);
}

void SilentFaults::aPoisonedBatchIsASpike() {
  auto config = watched("mlp", 62);
  config.optimizer.learning_rate = 0.001;
  const Ran ran = trained(config, [](train::Training& training) {
    training.data = std::make_unique<Spiked>(std::move(training.data), 60);
  });
  FIRST_IS(ran, Kind::kLossSpike);
  QCOMPARE(ran.faults[0].first_step, std::int64_t{60});
  QVERIFY(ran.said(0).find("at step 60") != std::string::npos);
}

void SilentFaults::logitsGrownByAWeightAreNamed() {
  auto config = watched("transformer", 5);
  config.optimizer.kind = "none";
  const Ran ran = trained(config, [](train::Training& training) {
    parameter(training, "block1.attention.qkv.weight").narrow(0, 0, 128).mul_(40);  // query and key
  });
  const auto found = std::find_if(ran.faults.begin(), ran.faults.end(),
                                  [](const wire::SilentFault& fault) { return fault.kind == Kind::kLargeLogits; });
  QVERIFY2(found != ran.faults.end(), named(ran.faults).c_str());
  QCOMPARE(ran.sites.at(static_cast<std::size_t>(found->site)), std::string("block1.attention/aten::softmax#0"));
  QVERIFY(found->amount > 0.2);
  FIRST_IS(ran, Kind::kLargeLogits);
}

void SilentFaults::logitsThatGrowAreNamed() {
  auto config = watched("transformer", 14);
  config.optimizer.kind = "none";
  config.policy.base = policy::Base::kAllFloat32;
  const Ran ran = trained(
      config, {}, [](train::Training& training) { parameter(training, "block0.attention.qkv.weight").mul_(1.4); });
  FIRST_IS(ran, Kind::kLargeLogits);
  QCOMPARE(ran.site(0), std::string("block0.attention/aten::softmax#0"));
  QVERIFY(ran.faults[0].facts.before.has_value());
}

void SilentFaults::aFusedKernelSaysThatItHidesThem() {
  auto config = watched("mlp", 4);
  config.model = test::saveModel(test::temporaryFolder().toStdString(), R"(
def forward(self, x: Tensor) -> Tensor:
    y = torch.scaled_dot_product_attention(x.unsqueeze(1), x.unsqueeze(1), x.unsqueeze(1))
    return torch.linear(y.squeeze(1), self.weight, self.bias).mean(1)
)");
  config.data.inputs = {"float32[4,6,8]"};
  config.data.classes = 4;
  const Ran ran = trained(config);
  QVERIFY2(ran.faults.empty(), named(ran.faults).c_str());
  QCOMPARE(ran.hidden.size(), std::size_t{1});
  QVERIFY(ran.hidden[0].find("inside one kernel, which hides the logits") != std::string::npos);
}

void SilentFaults::positionsBeyond2048AreNamed() {
  auto config = watched("mlp", 4);
  config.model = test::saveModel(test::temporaryFolder().toStdString(), R"(
def forward(self, x: Tensor) -> Tensor:
    positions = torch.arange(4096).to(5)
    wave = torch.sin(positions.to(6) * 0.001).reshape([512, 8]).mean([0])
    return torch.linear(x + wave, self.weight, self.bias)
)");
  config.data.inputs = {"float32[4,8]"};
  config.data.classes = 4;
  const Ran ran = trained(config);
  FIRST_IS(ran, Kind::kInexactIntegers);
  QCOMPARE(ran.site(0), std::string("aten::to#0"));
  // Every odd number between 2,048 and 4,096.
  QVERIFY(ran.sentence(0).starts_with("1,024 of 4,095 whole numbers in self of to#0 change in float16"));
  QVERIFY(ran.faults[0].fix.rules.empty());
}

void SilentFaults::positionsThatThePolicyCastsAreNamed() {
  auto config = watched("mlp", 4);
  config.model = test::saveModel(test::temporaryFolder().toStdString(), R"(
def forward(self, x: Tensor) -> Tensor:
    positions = torch.arange(1000).to(6).reshape([1000, 1])
    angles = torch.matmul(positions, torch.full([1, 8], 0.001))
    return torch.linear(x + torch.sin(angles).mean([0]), self.weight, self.bias)
)");
  config.data.inputs = {"float32[4,8]"};
  config.data.classes = 4;
  config.policy.low = formats::kBFloat16;
  const Ran ran = trained(config);
  FIRST_IS(ran, Kind::kInexactIntegers);
  QCOMPARE(ran.site(0), std::string("aten::matmul#0"));
  QVERIFY(ran.faults[0].format == formats::kBFloat16);
  QCOMPARE(ran.faults[0].fix.rules.at(0).match, std::string("aten::matmul#0"));
  config.policy.sites = ran.faults[0].fix.rules;  // the fix holds
  const Ran mended = trained(config);
  QVERIFY2(mended.faults.empty(), named(mended.faults).c_str());
}

void SilentFaults::halfPrecisionStateIsNamed() {
  auto config = watched("mlp", 8);
  config.policy.base = policy::Base::kApexO3;
  config.scaler = {};
  config.optimizer = {};
  config.optimizer.kind = "adam";
  config.optimizer.learning_rate = 0.002;
  config.optimizer.epsilon = 1e-3;  // a smaller one is 0 in float16 too
  const Ran ran = trained(config);
  FIRST_IS(ran, Kind::kLowState);
  QVERIFY(ran.faults[0].what.ends_with(".exp_avg_sq"));
  QVERIFY(ran.faults[0].format == formats::kFloat16);
}

void SilentFaults::sampledStepsAreEnough() {
  auto config = watched("mlp", 90);
  config.observe = {.level = "histogram", .every = 8, .between = "off"};
  const Ran ran = trained(config, [](train::Training& training) { parameter(training, "fc1.bias").fill_(-1000); });
  FIRST_IS(ran, Kind::kDeadSite);
  QCOMPARE(ran.site(0), std::string("aten::relu#0"));
  QCOMPARE(ran.faults[0].seen, ran.faults[0].observed_steps);
  QVERIFY(ran.faults[0].seen >= 10 && ran.faults[0].seen <= 12);
}

void SilentFaults::anEditBeginsANewReport() {
  auto config = watched("mlp", 20);
  config.optimizer.kind = "none";
  const auto training = train::set_up(config);
  parameter(*training, "fc2.weight").mul_(0x1p-20);
  test::Listening listening;
  run::Control control;
  listening.at_step = [&](const wire::StepRecord& record) {
    if (record.step != 9) return;
    wire::PolicySet edit{1, config.policy};
    edit.policy.sites.emplace_back();
    edit.policy.sites.back().match = "fc2/aten::linear#0";
    control.set_policy(edit);
  };
  checkpoint::CheckpointFolder none({}, {});
  run::RunLoop(*training, none, 0, listening, control).run();
  QVERIFY(listening.silent.size() >= 2);
  QVERIFY(!listening.silent.front().faults.empty());
  const wire::SilentReport& last = listening.silent.back();
  QCOMPARE(last.policy_revision, 1);
  QCOMPARE(last.first_step, std::int64_t{10});
  for (const auto& fault : last.faults) {
    QVERIFY2(fault.kind != Kind::kUnderflow || fault.direction != Direction::kForward, named({fault}).c_str());
  }
}

void SilentFaults::whoWatchesHearsOfFiguresThatMove() {
  const auto told = [](bool watches) {
    auto config = watched("mlp", 40);
    config.observe.live = 1e-9;
    const auto training = train::set_up(config);
    parameter(*training, "fc1.bias").fill_(-1000);
    test::Listening listening;
    listening.at_step = [&](const wire::StepRecord& record) {
      if (record.step == 19) parameter(*training, "fc1.bias").fill_(0);  // it lives again
    };
    run::Control control;
    control.set_watched(watches);
    checkpoint::CheckpointFolder none({}, {});
    run::RunLoop(*training, none, 0, listening, control).run();
    return listening.silent;
  };
  const auto is_dead = [](const wire::SilentReport& report) {
    return std::any_of(report.faults.begin(), report.faults.end(),
                       [](const wire::SilentFault& fault) { return fault.kind == Kind::kDeadSite; });
  };
  const std::size_t unwatched = told(false).size();
  QVERIFY2(unwatched >= 2 && unwatched <= 4, std::to_string(unwatched).c_str());  // with news, and at the end
  const auto reports = told(true);
  QVERIFY2(reports.size() > 20, std::to_string(reports.size()).c_str());
  for (std::size_t i = 1; i < reports.size(); ++i) QVERIFY(reports[i].observed_steps >= reports[i - 1].observed_steps);
  QVERIFY(std::any_of(reports.begin(), reports.end(), is_dead));
  QVERIFY(!is_dead(reports.back()));
}

BINADE_SUITE(SilentFaults);
#include "tst_silent_faults.moc"
