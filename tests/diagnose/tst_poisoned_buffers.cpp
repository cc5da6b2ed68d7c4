// SPDX-License-Identifier: Apache-2.0
#include "engine/run/step.h"
#include "engine/words/diagnosis_text.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <ATen/ops/zeros.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <vector>

using namespace binade;
using wire::Verdict;

namespace {

/// What was told of one step.
struct Told : wire::Diagnosis {
  std::vector<wire::SiteInfo> sites;
  std::int64_t step = 0;
  silent::Evidence evidence_of_silent;

  QString root() const {
    if (roots.empty()) return QStringLiteral("nothing");
    return QString::fromStdString(roots[0].site < 0 || roots[0].fault == wire::Root::Fault::kBuffer
                                      ? roots[0].what
                                      : sites.at(static_cast<std::size_t>(roots[0].site)).key.name());
  }
  QString sentence() const { return QString::fromStdString(words::sentence_of(*this, sites, step, 1024)); }
  QString said() const { return QString::fromStdString(words::explanation_of(*this, sites)); }
  std::string all() const {
    return root().toStdString() + ": " + wire::name(verdict) + "; " + sentence().toStdString() + " " +
           said().toStdString();
  }
  bool says(const char* words) const {
    return (sentence() + QStringLiteral(" ") + said()).contains(QString::fromLatin1(words));
  }
};

/// Every step of a run; of those that were finite the roots are empty.
std::vector<Told> stepsOf(const wire::RunConfig& config, std::int64_t steps) {
  const auto training = train::set_up(config);
  run::Stepper stepper(*training);
  std::vector<Told> all;
  for (std::int64_t step = 0; step < steps; ++step) {
    run::StepOutcome outcome = stepper.run(step);
    Told& told = all.emplace_back();
    static_cast<wire::Diagnosis&>(told) = outcome.diagnosis.value_or(wire::Diagnosis{});
    told.sites = training->info.sites;
    told.step = step;
    told.evidence_of_silent = std::move(outcome.silent);
  }
  return all;
}

std::vector<Told> stepsOf(const std::string& body, std::int64_t steps) {
  return stepsOf(test::lineRun(body, steps), steps);
}

constexpr const char* kLinear = "    y = torch.linear(x, self.weight, self.bias).float()\n";

}  // namespace

/// The report of a non-finite buffer names its first step and the call that wrote it, and advises keep_buffers only
/// where that helps.
class PoisonedBuffers : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void whatEveryStepOverwritesIsNone_data() {
    QTest::addColumn<QString>("write");
    const auto row = [](const char* write) { QTest::newRow(write) << QString::fromLatin1(write); };
    row("self.mean.copy_(v.expand(8))");
    row("self.mean[:] = v");
    row("self.mean.fill_(v)");
    row("torch.mul(v.expand(8), 2.0, out=self.mean)");
    row("self.mean.index_copy_(0, torch.arange(8), v.expand(8))");
    row("self.mean.masked_fill_(torch.ones(8) > 0.0, v)");
  }
  void whatEveryStepOverwritesIsNone() {
    QFETCH(QString, write);
    const auto steps = stepsOf(std::string(kLinear) + "    v = (y.detach().abs().mean() + 1.0) * 1e30 * 1e30\n    " +
                                   write.toStdString() + "\n    return y + self.mean[:4] * 1e-6\n",
                               2);
    QCOMPARE(steps.size(), std::size_t{2});
    for (const Told& told : steps) {
      QVERIFY2(told.verdict == Verdict::kForwardOverflow, told.all().c_str());
      QCOMPARE(told.root(), QStringLiteral("aten::mul#1"));
    }
  }

  void whatAStepDoesNotWriteStaysPoisoned() {
    const auto steps = stepsOf(std::string(kLinear) +
                                   "    if bool((self.mean == 0.0).all()):\n"
                                   "        self.mean[6:].copy_((x.abs() + 1.0).mul(1e30).mul(1e30).mean([0])[6:])\n"
                                   "        return y\n"
                                   "    self.mean[:2].copy_(y.detach().mean([0])[:2])\n"
                                   "    return y + self.mean[4:]\n",
                               2);
    QVERIFY(steps[0].roots.empty());
    QVERIFY2(steps[1].verdict == Verdict::kPoisonedBuffer, steps[1].all().c_str());
    QCOMPARE(steps[1].root(), QStringLiteral("mean"));
  }

  void theStepAndTheCallAreSaid() {
    const auto steps = stepsOf(std::string(kLinear) +
                                   "    out = y + self.mean[:4]\n"
                                   "    self.mean.add_((x.abs() + 1000.0).exp().mean([0]))\n"
                                   "    return out\n",
                               2);
    QVERIFY(steps[0].roots.empty());
    const Told& told = steps[1];
    QVERIFY2(told.verdict == Verdict::kPoisonedBuffer, told.all().c_str());
    QVERIFY2(told.says("step 0, which was finite and was not skipped"), told.all().c_str());
    QVERIFY2(told.says("the output of exp#0 overflowed in float32"), told.all().c_str());
    QVERIFY2(told.says("add_#0 wrote it into the buffer"), told.all().c_str());
    QVERIFY2(told.says("clamp the input of exp#0"), told.all().c_str());
    QVERIFY2(!told.says("keep_buffers"), told.all().c_str());
  }

  /// In the first step a product overflows: the loss is not finite, and the step is skipped.
  static wire::RunConfig overflowing() {
    return test::lineRun(
        "    h = torch.linear(x, self.weight, self.bias) * (1e8 if bool((self.mean == 0.0).all()) else 1.0)\n"
        "    out = h.float() + self.mean[:4]\n"
        "    self.mean[:4].add_(h.detach().float().mean([0]))\n"
        "    return out\n",
        2);
  }
  void keepingBuffersIsAdvisedWhereTheirStepWasSkipped() {
    const auto steps = stepsOf(overflowing(), 2);
    QVERIFY2(steps[0].verdict == Verdict::kForwardOverflow, steps[0].all().c_str());
    QVERIFY2(steps[1].verdict == Verdict::kPoisonedBuffer, steps[1].all().c_str());
    QVERIFY2(steps[1].says("step 0, which was skipped"), steps[1].all().c_str());
    QVERIFY2(steps[1].says("keep_buffers"), steps[1].all().c_str());
  }
  void whereTheyAreKeptNothingIsPoisoned() {
    wire::RunConfig config = overflowing();
    config.keep_buffers = true;
    const auto steps = stepsOf(config, 2);
    QCOMPARE(steps.size(), std::size_t{2});
    for (const Told& told : steps) {
      QVERIFY2(told.verdict == Verdict::kForwardOverflow, told.all().c_str());
    }
  }

  /// The step was skipped for its loss scale; the buffer would be infinite without that too.
  void keepingBuffersIsNotAdvisedWhereTheSkipIsAnothers() {
    wire::RunConfig config = test::lineRun(std::string(kLinear) +
                                               "    out = y + self.mean[:4]\n"
                                               "    self.mean.add_((x.abs() + 1000.0).exp().mean([0]))\n"
                                               "    return out\n",
                                           2);
    config.scaler.init_scale = 1e12;
    const auto steps = stepsOf(config, 2);
    QVERIFY2(steps[0].verdict == Verdict::kBenign, steps[0].all().c_str());
    QVERIFY2(steps[1].verdict == Verdict::kPoisonedBuffer, steps[1].all().c_str());
    QVERIFY2(steps[1].says("step 0, which was skipped"), steps[1].all().c_str());
    QVERIFY2(!steps[1].says("keep_buffers"), steps[1].all().c_str());
  }

  void oneThatItsOwnFormatDoesNotHoldIsToBeWider() {
    const wire::RunConfig config = test::lineRun(std::string(kLinear) +
                                                     "    out = y + self.mean[:4].float() * 1e-9\n"
                                                     "    self.mean.add_(30000.0)\n"
                                                     "    return out\n",
                                                 4);
    torch::jit::Module module = torch::jit::load(config.model);
    module.setattr("mean", at::zeros({8}, at::kHalf));
    module.save(config.model);
    const auto steps = stepsOf(config, 4);
    QVERIFY(steps[2].roots.empty());
    QVERIFY2(steps[3].verdict == Verdict::kPoisonedBuffer, steps[3].all().c_str());
    QVERIFY2(steps[3].says("step 2, which was finite"), steps[3].all().c_str());
    QVERIFY2(steps[3].says("keep the buffer in float32"), steps[3].all().c_str());
    QVERIFY2(!steps[3].says("keep_buffers"), steps[3].all().c_str());
  }

  /// A mean over an overflow divides all that follows: every step is finite, and its outputs are 0.
  void whatStaysFiniteIsEvidence() {
    const auto steps = stepsOf(
        "    h = torch.linear(x, self.weight, self.bias)\n"
        "    e = (h.detach() * 1e8).abs().amax().float()\n"
        "    self.mean.mul_(0.9).add_(e)\n"
        "    return h.float() / self.mean[:4]\n",
        2);
    QVERIFY(steps[0].roots.empty() && steps[1].roots.empty());
    QCOMPARE(steps[1].evidence_of_silent.buffers.size(), std::size_t{1});
    const silent::BufferSeen& seen = steps[1].evidence_of_silent.buffers[0];
    QCOMPARE(seen.name, std::string("mean"));
    QVERIFY2(seen.since.find("since step 0") != std::string::npos, seen.since.c_str());
    QVERIFY2(seen.since.find("the output of mul#0 overflowed in float16") != std::string::npos, seen.since.c_str());
    QCOMPARE(seen.sites.size(), std::size_t{2});  // mul_ takes it, add_ wrote it
  }
};

/// A pole is none of the loss scale's, and a 0 that a difference makes is none that was lost.
class Poles : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  /// One logit is far below 0, so that its probability is a 0 in float16; the logarithm's zeros are another's.
  void aZeroOfADifferenceIsNoLostZero() {
    const auto steps = stepsOf(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    c = torch.tensor([12.0, -20.0, 1.0, 2.0]).to(y.dtype)\n"
        "    return y + torch.log(1.0 - torch.sigmoid(y * 0.0 + c))\n",
        1);
    const Told& told = steps[0];
    QVERIFY2(told.verdict == Verdict::kLostValue, told.all().c_str());
    QCOMPARE(told.root(), QStringLiteral("aten::sigmoid#0"));
    QVERIFY2(told.says("was rounded to 1 in float16 (6 of 24 values)"), told.all().c_str());
    QVERIFY2(!told.says("became 0 in"), told.all().c_str());
  }

  void slopesAtALostValueAreNoOverflow_data() {
    QTest::addColumn<QString>("expression");
    const auto row = [](const char* expression) { QTest::newRow(expression) << QString::fromLatin1(expression); };
    row("torch.pow(1.0 - p, 0.5)");
    row("torch.sqrt(1.0 - p)");
    row("torch.log(1.0 - p).clamp(min=-100.0)");
    row("torch.reciprocal(1.0 - p).clamp(max=100.0)");
  }
  void slopesAtALostValueAreNoOverflow() {
    QFETCH(QString, expression);
    const auto steps = stepsOf(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    p = torch.sigmoid(y * 0.01 + torch.tensor([12.0, -20.0, 1.0, 2.0]).to(y.dtype))\n"
        "    return y + " +
            expression.toStdString() + "\n",
        1);
    const Told& told = steps[0];
    QVERIFY2(told.verdict == Verdict::kLostValue, told.all().c_str());
    QCOMPARE(told.root(), QStringLiteral("aten::sigmoid#0"));
    QVERIFY2(told.says("rounded to 1"), told.all().c_str());
    QVERIFY2(!told.says("overflow"), told.all().c_str());
  }

  /// 1 - tanh^2 is the slope of a tanh: its ones go through a product before they make a 0.
  void onesAreFollowedThroughWhatHandsThemOn() {
    const auto steps = stepsOf(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    t = torch.tanh(y * 0.0 + torch.tensor([-6.0, 0.5, 1.0, 2.0]).to(y.dtype))\n"
        "    return y + torch.log(1.0 - t * t)\n",
        1);
    const Told& told = steps[0];
    QVERIFY2(told.verdict == Verdict::kLostValue, told.all().c_str());
    QCOMPARE(told.root(), QStringLiteral("aten::tanh#0"));
    QVERIFY2(told.says("was rounded to -1 in float16 (6 of 24 values)"), told.all().c_str());
  }

  void maskedRootsOfNegativesAreSaid() {
    const auto steps = stepsOf(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    return y + torch.where(y > 0.0, torch.sqrt(y), torch.zeros_like(y))\n",
        52);
    for (const Told& told : {steps.front(), steps.back()}) {
      QCOMPARE(told.root(), QStringLiteral("aten::sqrt#0"));
      QVERIFY(told.roots[0].fault == wire::Root::Fault::kInvalid);
      QVERIFY2(told.says("the root of a number below 0"), told.all().c_str());
      QVERIFY2(!told.says("overflow"), told.all().c_str());
    }
    QVERIFY2(steps.front().verdict == Verdict::kInvalidOperation, steps.front().all().c_str());
  }

  /// The slope of acos at 1, which no table of the engine has: told from what earlier steps showed.
  void aSlopeThatNoFormatHoldsIsNoOverflowLaterOn() {
    const auto steps = stepsOf(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    return y + torch.acos(y * 0.0 + 1.0)\n",
        52);
    for (const Told& told : {steps.front(), steps.back()}) {
      QCOMPARE(told.root(), QStringLiteral("aten::acos#0"));
      QVERIFY2(!told.says("overflow"), told.all().c_str());
    }
    QVERIFY2(steps.front().verdict == Verdict::kInvalidOperation, steps.front().all().c_str());
  }
};

BINADE_SUITE(PoisonedBuffers);
BINADE_SUITE(Poles);
#include "tst_poisoned_buffers.moc"
