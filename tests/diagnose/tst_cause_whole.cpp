// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/next_safe_scales.h"
#include "engine/graph/samples.h"
#include "engine/run/step.h"
#include "engine/words/diagnosis_text.h"
#include "engine/words/fix_text.h"
#include "tests/diagnose/faults.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <ATen/ops/full.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <cmath>
#include <cstdio>
#include <limits>

using namespace binade;
using wire::Verdict;

namespace {

wire::RunConfig runOfModel(const std::string& model, double scale) {
  wire::RunConfig config = test::smallRun(2);
  config.model = model;
  config.data.inputs = {"float32[6,8]"};
  config.data.classes = 4;
  config.batch = 6;
  config.scaler.init_scale = scale;
  config.policy.execution = policy::Execution::kEmulated;
  return config;
}

struct WholeDiagnosis : wire::Diagnosis {
  std::vector<std::string> sites;  ///< names, by id
  std::string name(int site) const { return site < 0 ? "" : sites.at(static_cast<std::size_t>(site)); }
};

/// What the first step is said to have.
WholeDiagnosis diagnosedWhole(const std::string& body, double scale) {
  const std::string text = "def forward(self, x: Tensor) -> Tensor:\n" + body;
  const auto training = train::set_up(runOfModel(test::saveModel(test::temporaryFolder().toStdString(), text), scale));
  WholeDiagnosis found{run::Stepper(*training).run(0).diagnosis.value_or(wire::Diagnosis{}), {}};
  for (const graph::Site* site : training->sites) found.sites.push_back(site->key.name());
  return found;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::set<std::string> ruled(const wire::Diagnosis& found) {
  std::set<std::string> names;
  for (const policy::SiteRule& rule : found.fix.rules) names.insert(rule.match);
  return names;
}

}  // namespace

/// The band of a step knows of gradients that nobody sees: each is measured before it is rounded.
class UnseenGradients : public test::Suite {
  Q_OBJECT

  /// A layer whose gradient is made small by a product, behind it another that is made large: the smaller the factor,
  /// the higher the lowest scale that is safe.
  static WholeDiagnosis smallBehindLarge(int exponent) {
    return diagnosedWhole(
        "    h = torch.relu(torch.linear(x, self.weight, self.bias))\n"
        "    s = h * " +
            number(std::ldexp(1.0, exponent)) +
            "\n"
            "    y = torch.linear(torch.cat([s, s], 1), self.weight, self.bias)\n"
            "    return y * 30000.0\n",
        65536);
  }

 private Q_SLOTS:
  /// Gradients that meet add up, one after the other, to what float16 does not hold, and the last ones bring the sum
  /// back: none of them is too large, nor their sum.
  void aBandEndsWhereAPartOfASumOverflows() {
    const std::string body =
        "    h = torch.linear(x, self.weight, self.bias)\n"
        "    a = h * -8.0\n"
        "    b = h * -8.0\n"
        "    c = h * -8.0\n"
        "    d = h * -8.0\n"
        "    return h * 8.0 + h * 8.0 + h * 8.0 + h * 8.0 + a + b + c + d + h\n";
    const WholeDiagnosis found = diagnosedWhole(body, 0x1p18);
    QVERIFY(found.verdict == Verdict::kBenign);
    QVERIFY(found.band && found.band->highest && found.scale);
    const auto finite = [&](int exponent) { return diagnosedWhole(body, std::ldexp(1.0, exponent)).roots.empty(); };
    QVERIFY(finite(*found.band->highest));
    QVERIFY(!finite(*found.band->highest + 1));
  }

  /// The whole gradient is 0 in float16 at every scale that is finite.
  void aGradientThatIsAllZeroSetsTheLowerEdge() {
    const WholeDiagnosis some = smallBehindLarge(-44);
    const WholeDiagnosis more = smallBehindLarge(-54);
    for (const WholeDiagnosis& found : {some, more}) {
      QVERIFY(found.band && found.band->lowest && found.band->highest);
      std::printf("2^%d to 2^%d\n", *found.band->lowest, *found.band->highest);
      std::fflush(stdout);
      QVERIFY2(found.verdict == Verdict::kNoScaleWorks, words::explanation_of(found, {}).c_str());
      QVERIFY(found.band->empty());
      QVERIFY(!found.band->bound);
      QCOMPARE(found.name(found.band->lowest_site), std::string("aten::mul#0"));
    }
    QCOMPARE(*more.band->lowest, *some.band->lowest + 10);
    QCOMPARE(*more.band->highest, *some.band->highest);
  }

  void theBandOfNoSampleIsABound() {
    QVERIFY(!graph::samples().empty());
    for (const graph::Sample& sample : graph::samples()) {
      if (sample.faulty) continue;
      for (const formats::Format& low : {formats::kFloat16, formats::kBFloat16, *formats::parse("e5m3")}) {
        wire::RunConfig config = test::healthyRun(sample.name);
        config.policy.low = low;
        const auto training = train::set_up(config);
        const auto band = diagnose::band_of_next_step(*training);
        QVERIFY(band && band->lowest && band->highest);
        QVERIFY2(!band->bound, (sample.name + " in " + formats::name(low)).c_str());
      }
    }
  }

  /// Where h is 0 its gradient is 10^16 times that of the loss, beyond float16 at every scale, and masked out behind:
  /// the scale is too high for the product beside it, and nothing else is wrong.
  void aGradientThatIsMaskedOutEndsNoBand() {
    const WholeDiagnosis found = diagnosedWhole(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    h = torch.relu(y)\n"
        "    return y * 16.0 + h / (h.detach().float() + 1e-16)\n",
        std::ldexp(1.0, 20));
    QVERIFY2(found.verdict == Verdict::kBenign, words::explanation_of(found, {}).c_str());
    QVERIFY(found.band && !found.band->empty());
    QVERIFY(found.fix.rules.empty() && found.fix.scale > 1);
  }

  /// What a static scale is lowered to has to do for other batches as well: nothing lowers it again.
  void aStaticScaleIsJudgedOverBatches() {
    const std::string text =
        "def forward(self, x: Tensor) -> Tensor:\n    return torch.linear(x, self.weight, self.bias) * 8.0\n";
    wire::RunConfig config =
        runOfModel(test::saveModel(test::temporaryFolder().toStdString(), text), std::ldexp(1.0, 20));
    config.scaler.fixed = true;
    config.optimizer.learning_rate = 1e-7;
    config.steps = 30;
    const auto training = train::set_up(config);
    const wire::Diagnosis found = run::Stepper(*training).run(0).diagnosis.value_or(wire::Diagnosis{});
    QVERIFY2(found.verdict == Verdict::kScaleHeld, words::explanation_of(found, {}).c_str());
    QVERIFY(found.band && found.band->highest);
    QVERIFY2(found.fix.scale <= std::ldexp(0.25, *found.band->highest), words::fix_of(found.fix).c_str());
    const auto further = [](const wire::Attempt& tried) { return tried.ahead == 0; };
    QVERIFY(std::any_of(found.evidence.begin(), found.evidence.end(), further));
    config.scaler.init_scale = found.fix.scale;
    const auto mended = train::set_up(config);
    run::Stepper stepper(*mended);
    for (std::int64_t step = 0; step < config.steps; ++step) QVERIFY(stepper.run(step).record.stepped);
  }

  /// The gradient that overflows first is masked out: the step stays finite beyond the band, and the scale that is
  /// named lies inside all the same.
  void theScaleOfAFixLiesInTheBand() {
    const WholeDiagnosis found = diagnosedWhole(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    column = torch.arange(4, device=x.device)\n"
        "    c = torch.where(column == 0, 256.0, 1.0).to(y.dtype)\n"
        "    kept = torch.where((column > 0).unsqueeze(0), y, y.detach())\n"
        "    return (kept - kept.detach()) * 64.0 * c + y * 16.0\n",
        std::ldexp(1.0, 20));
    QVERIFY2(found.verdict == Verdict::kBenign, words::explanation_of(found, {}).c_str());
    QVERIFY(found.band && found.band->highest);
    QVERIFY(found.evidence.size() > 1);
    double finite = 0;
    for (const wire::Attempt& tried : found.evidence) {
      if (tried.finite) finite = std::max(finite, tried.scale);
    }
    QVERIFY2(finite > found.fix.scale, "the step was finite at a scale above the band");
    QCOMPARE(found.fix.scale, std::ldexp(1.0, *found.band->highest));
  }
};

/// What is said of a gradient that fails in the cast behind a call's backward.
class CastGradients : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  /// The pole of the logarithm at 0 is masked out; a value beside it is beyond float16, and far from float32's end.
  void theCastIsBlamedWhereALowerScaleHelps() {
    const WholeDiagnosis found = diagnosedWhole(
        "    h = torch.relu(torch.linear(x, self.weight, self.bias))\n"
        "    return torch.where(h > 0.0, torch.log(h), torch.zeros_like(h))\n",
        std::ldexp(1.0, 20));
    QVERIFY2(found.verdict == Verdict::kBenign, words::explanation_of(found, {}).c_str());
    QCOMPARE(found.roots.size(), std::size_t{1});
    QVERIFY(found.roots[0].fault == wire::Root::Fault::kCast);
    QVERIFY(found.roots[0].format == formats::kFloat16);
    QCOMPARE(found.roots[0].what, std::string("self"));
    QVERIFY(!found.chain.empty());
    QVERIFY(found.chain.front().format == formats::kFloat16);
  }

  void whatArrivedAtTheCallIsItsGradient() {
    const WholeDiagnosis found =
        diagnosedWhole("    return torch.linear(x * 2000.0, self.weight, self.bias) * 0.01\n", 65536);
    QVERIFY(!found.roots.empty());
    const wire::Root& root = found.roots.front();
    QVERIFY2(found.name(root.site) == "aten::linear#0" && root.what == "weight",
             (found.name(root.site) + " " + root.what).c_str());
    QVERIFY(!root.inputs.empty());
    QCOMPARE(root.inputs[0].name, std::string("gradient"));
    QCOMPARE(root.inputs[0].count, std::int64_t{6 * 4});  // of the output; the weight has 32
  }
};

/// A tensor that the model holds, and that is neither parameter nor buffer.
class FromOutside : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theCallThatTakesItFirstIsNamed() {
    const std::string file = test::saveModel(test::temporaryFolder().toStdString(),
                                             "def forward(self, x: Tensor) -> Tensor:\n    return x\n");
    torch::jit::Module module = torch::jit::load(file);
    torch::jit::Module other("__torch__.Other");
    other.register_attribute("training", c10::BoolType::get(), true);
    for (const auto& parameter : module.named_parameters()) {
      other.register_parameter(parameter.name, parameter.value, false);
    }
    const at::Tensor held = at::full({4}, std::numeric_limits<double>::quiet_NaN());
    other.register_attribute("held", c10::TensorType::get(), held);
    other.define(
        "def forward(self, x: Tensor) -> Tensor:\n"
        "    return torch.linear(x, self.weight, self.bias) * self.held\n");
    other.save(file);
    const auto training = train::set_up(runOfModel(file, 1024));
    const run::StepOutcome outcome = run::Stepper(*training).run(0);
    QVERIFY(outcome.diagnosis.has_value());
    const wire::Diagnosis& found = *outcome.diagnosis;
    QVERIFY2(found.verdict == Verdict::kPropagatedOnly, words::explanation_of(found, {}).c_str());
    QCOMPARE(found.roots.size(), std::size_t{1});
    const std::string sentence = words::sentence_of(found, training->info.sites, 0, 1024);
    QVERIFY2(sentence.find("which mul#0 takes first") != std::string::npos, sentence.c_str());
  }
};

/// A step that is finite because an infinity vanishes is not mended.
class WholeFix : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void bothOfTwoInfinitiesThatMeetAreMended() {
    const WholeDiagnosis found = diagnosedWhole(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    z = torch.linear(x * 0.5, self.weight, self.bias)\n"
        "    return torch.tanh(y * 10000000.0 - z * 10000000.0)\n",
        1024);
    QVERIFY(found.verdict == Verdict::kForwardOverflow);
    QCOMPARE(found.roots.size(), std::size_t{2});
    const std::set<std::string> both{"aten::mul#1", "aten::mul#2"};
    QVERIFY2(ruled(found) == both, words::fix_of(found.fix).c_str());
    const auto swallows = [](const wire::Attempt& tried) {
      return tried.finite && tried.rules.size() == 1 && !tried.overflows.empty();
    };
    QVERIFY(std::any_of(found.evidence.begin(), found.evidence.end(), swallows));
  }

  /// Its infinity is divided by in every run, with the fix and without.
  void anOverflowThatVanishedBesideIsNotWidened() {
    const WholeDiagnosis found = diagnosedWhole(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    q = y.detach() * 0.0 + 300.0\n"
        "    return y + y.detach() * 10000000.0 + y / (q * q)\n",
        1024);
    QVERIFY(found.verdict == Verdict::kForwardOverflow);
    QVERIFY2(ruled(found) == std::set<std::string>{"aten::mul#1"}, words::fix_of(found.fix).c_str());
    // The two additions behind it are promoted, and log_softmax computes in the dtype of the output.
    QCOMPARE(found.fix.changed, std::int64_t{4});
  }

  /// With a rule for the product alone its gradient, 10^7 times that of the loss, is cast to float16 on the way back:
  /// finite only at a loss scale below 1. So the layer in front of it is in float32 too, and all behind it with that.
  void aFixThatNeedsAScaleBelowOneIsNone() {
    const WholeDiagnosis found = diagnosedWhole(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    q = y.detach() * 0.0 + 300.0\n"
        "    return y * 10000000.0 + y / (q * q)\n",
        1024);
    QVERIFY(found.verdict == Verdict::kForwardOverflow);
    QVERIFY2(ruled(found) == std::set<std::string>{"aten::linear#0"}, words::fix_of(found.fix).c_str());
    QCOMPARE(found.fix.scale, 0.0);
    const auto pressed_down = [](const wire::Attempt& tried) {
      return tried.finite && tried.scale < 1 && tried.rules.size() == 1 && tried.rules[0].match == "aten::mul#1";
    };
    QVERIFY(std::any_of(found.evidence.begin(), found.evidence.end(), pressed_down));
  }

  /// With a rule for the product alone this batch is finite at a scale of 8, and one with gradients ten times as large
  /// only below 1.
  void aScaleThatLeavesNoRoomIsNoFixWhereRulesAre() {
    const WholeDiagnosis found = diagnosedWhole("    return torch.linear(x, self.weight, self.bias) * 40000.0\n", 1024);
    QVERIFY(found.verdict == Verdict::kForwardOverflow);
    QVERIFY2(ruled(found) == std::set<std::string>{"aten::linear#0"}, words::fix_of(found.fix).c_str());
    QCOMPARE(found.fix.scale, 0.0);
    const auto little = [](const wire::Attempt& tried) {
      return tried.finite && tried.scale >= 1 && tried.scale < 16 && tried.rules.size() == 1;
    };
    QVERIFY(std::any_of(found.evidence.begin(), found.evidence.end(), little));
  }
};

BINADE_SUITE(UnseenGradients);
BINADE_SUITE(CastGradients);
BINADE_SUITE(FromOutside);
BINADE_SUITE(WholeFix);
#include "tst_cause_whole.moc"
