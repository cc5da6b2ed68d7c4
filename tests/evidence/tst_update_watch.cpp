// SPDX-License-Identifier: Apache-2.0
#include "engine/evidence/silent_watch.h"
#include "engine/evidence/update_watch.h"
#include "engine/run/step.h"
#include "engine/train/training.h"
#include "tests/diagnose/faults.h"
#include "tests/run/small_run.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/suite.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/csrc/jit/api/module.h>

#include <array>

using namespace binade;

namespace {

constexpr std::int64_t kLost = 300;

/// Gradients of which some move a weight of 1, some are too small for it, and the others are 0.
at::Tensor mixedGradient(const at::Tensor& weight, std::int64_t moving) {
  at::Tensor gradient = at::zeros_like(weight);
  at::Tensor flat = gradient.view(-1);
  flat.narrow(0, 0, moving).fill_(0.125);
  flat.narrow(0, flat.numel() - kLost, kLost).fill_(1e-9);  // beside 1 it is less than half a unit in the last place
  return gradient;
}

const silent::UpdateSeen* find(const silent::Evidence& evidence, const std::string& name) {
  for (const silent::UpdateSeen& seen : evidence.updates) {
    if (seen.parameter == name) return &seen;
  }
  return nullptr;
}

}  // namespace

/// What the optimizer's next step will do, before it does it.
class UpdateWatch : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aParameterWithoutDimensionsHasItsUpdate_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<bool>("fused");
    for (const char* kind : {"sgd", "adam", "adamw", "rmsprop", "adagrad"})
      QTest::newRow(kind) << QString::fromLatin1(kind) << false;
    QTest::newRow("fused adam") << QStringLiteral("adam") << true;
  }
  /// Such as the temperature of a contrastive loss.
  void aParameterWithoutDimensionsHasItsUpdate() {
    QFETCH(QString, kind);
    QFETCH(bool, fused);
    wire::RunConfig config = test::lineRun("    return torch.linear(x, self.weight, self.bias)\n", 3);
    torch::jit::Module module("__torch__.Temperature");
    module.register_attribute("training", c10::BoolType::get(), true);
    module.register_parameter("weight", at::linspace(-1, 1, 32).reshape({4, 8}).requires_grad_(true), false);
    module.register_parameter("temperature", at::ones({}).requires_grad_(true), false);
    module.define(
        "def forward(self, x: Tensor) -> Tensor:\n    return torch.linear(x, self.weight) * self.temperature\n");
    module.save(config.model);
    config.optimizer = {};
    config.optimizer.kind = kind.toStdString();
    config.optimizer.fused = fused;
    if (kind == QStringLiteral("sgd")) config.optimizer.momentum = 0.9;
    const auto training = train::set_up(config);
    run::Stepper stepper(*training);
    for (std::int64_t step = 0; step < 3; ++step) {
      const run::StepOutcome outcome = stepper.run(step);
      QVERIFY(outcome.record.stepped);
      for (const silent::Unmeasured& each : outcome.silent.unmeasured) QFAIL(each.why.c_str());
      const silent::UpdateSeen* seen = find(outcome.silent, "temperature");
      QVERIFY(seen != nullptr);
      QCOMPARE(seen->moved, std::uint64_t{1});
      QCOMPARE(seen->elements, std::uint64_t{1});
    }
  }

  void everyUpdateIsCountedHoweverFarTheOthersMove_data() {
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"sgd", "adam"}) QTest::newRow(kind) << QString::fromLatin1(kind);
  }
  void everyUpdateIsCountedHoweverFarTheOthersMove() {
    QFETCH(QString, kind);
    wire::RunConfig config = test::smallRun(1);
    config.optimizer = {};
    config.optimizer.kind = kind.toStdString();
    config.optimizer.learning_rate = 1;
    config.optimizer.epsilon = 1;  // adam's update is about the gradient's size, too
    const auto training = train::set_up(config);
    const at::NoGradGuard no_history;
    for (auto& [name, parameter] : training->trainable) parameter.mutable_grad() = at::zeros_like(parameter);
    auto& [name, weight] = training->trainable.front();
    const std::int64_t moving = weight.numel() / 2;
    QVERIFY(weight.numel() > 3 * (1 << 15));  // several parts, the last of which only has lost ones and zeros
    weight.fill_(1);
    weight.mutable_grad() = mixedGradient(weight, moving);
    const at::Tensor before = weight.clone();
    silent::Evidence evidence;
    evidence::measure_lost_updates(*training, evidence);
    QVERIFY(weight.equal(before));
    const silent::UpdateSeen* seen = find(evidence, name);
    QVERIFY(seen != nullptr);
    QCOMPARE(seen->moved, static_cast<std::uint64_t>(moving + kLost));
    QCOMPARE(seen->lost, static_cast<std::uint64_t>(kLost));
    QVERIFY(seen->lost_norm < 1e-6);
  }

  // Memory runs out with the updates, and every op fails where the step's casts and logits are read.
  void aStepThatCannotBeReadDoesNotCount() {
    const auto training = train::set_up(test::healthyRun("transformer"));
    evidence::SilentWatch watch(*training);
    watch.begin(true);
    const std::array<graph::SiteHook*, 2> hooks{watch.hook(), &training->autocast};
    training->forward.run(training->data->peek(0).inputs, hooks);
    test::FailingAllocator::instance().fail_after(0);
    for (auto& [name, parameter] : training->trainable) parameter.mutable_grad() = parameter.detach();
    watch.before_optimizer();
    QVERIFY(!test::FailingAllocator::instance().disarm());
    silent::Evidence evidence;
    {
      const c10::impl::IncludeDispatchKeyGuard nothing_runs(c10::DispatchKey::TESTING_ONLY_GenericMode);
      evidence = watch.finish();
    }
    QVERIFY(!evidence.observed && evidence.logits.empty() && evidence.arguments.empty());
    QCOMPARE(evidence.unmeasured.size(), std::size_t{3});
    const auto& last = evidence.unmeasured.back();
    QVERIFY(last.kind == wire::SilentFault::Kind::kUnderflow && last.site == -1);
    QVERIFY2(last.why.find("Could not run 'aten::") != std::string::npos, last.why.c_str());
    // The next step is observed again.
    watch.begin(true);
    training->forward.run(training->data->peek(0).inputs, hooks);
    const silent::Evidence next = watch.finish();
    QVERIFY(next.observed && !next.logits.empty() && next.unmeasured.empty());
  }

  void updatesThatDoNotFitIntoMemoryAreNotKnown() {
    const auto training = train::set_up(test::smallRun(1));
    for (auto& [name, parameter] : training->trainable) parameter.mutable_grad() = at::ones_like(parameter);
    evidence::SilentWatch watch(*training);
    watch.begin(true);
    test::FailingAllocator::instance().fail_after(0);
    watch.before_optimizer();
    QVERIFY(!test::FailingAllocator::instance().disarm());
    const silent::Evidence evidence = watch.finish();
    QVERIFY(evidence.observed && evidence.updates.empty());
    QCOMPARE(evidence.unmeasured.size(), std::size_t{2});
    QVERIFY(evidence.unmeasured[0].kind == wire::SilentFault::Kind::kUpdateLost);
    QVERIFY(evidence.unmeasured[1].kind == wire::SilentFault::Kind::kLowState);
    QVERIFY(evidence.unmeasured[0].why.find("can't allocate memory") != std::string::npos);
  }
};

BINADE_SUITE(UpdateWatch);
#include "tst_update_watch.moc"
