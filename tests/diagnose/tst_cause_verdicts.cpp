// SPDX-License-Identifier: Apache-2.0
#include "engine/run/step.h"
#include "engine/words/diagnosis_text.h"
#include "engine/words/fix_text.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <cmath>

using namespace binade;
using wire::Verdict;

namespace {

wire::RunConfig runOf(const std::string& body, double scale) {
  wire::RunConfig config = test::lineRun(body, 2);
  config.scaler.init_scale = scale;
  return config;
}

/// What the first step is said to have.
wire::Diagnosis diagnosed(const wire::RunConfig& config) {
  const auto training = train::set_up(config);
  return run::Stepper(*training).run(0).diagnosis.value_or(wire::Diagnosis{});
}

wire::Diagnosis diagnosed(const std::string& body, double scale,
                          policy::Execution execution = policy::Execution::kEmulated) {
  wire::RunConfig config = runOf(body, scale);
  config.policy.execution = execution;
  return diagnosed(config);
}

/// The gradient through the second branch is multiplied by 2^15 and the other one by 2^-25: no scale suits both.
constexpr const char* kNoBand =
    "    a = torch.linear(x, self.weight, self.bias)\n"
    "    b = torch.linear(x * 0.5, self.weight, self.bias)\n"
    "    return (a.float() - a.float().detach()) * 32768.0 + (b.float() - b.float().detach()) * 0.00000003\n";

/// The same, but the small gradient is made small by weights, inside the ops.
constexpr const char* kNoBandInside =
    "    a = torch.linear(x, self.weight, self.bias)\n"
    "    w = self.weight[:, :4] * 0.001\n"
    "    b = torch.linear(x * 0.5, self.weight, self.bias)\n"
    "    c = torch.linear(torch.linear(torch.linear(b, w), w), w)\n"
    "    return (a.float() - a.float().detach()) * 32768.0 + (c.float() - c.float().detach())\n";

/// One branch only: a lower scale is all that is needed.
constexpr const char* kSteep =
    "    a = torch.linear(x, self.weight, self.bias)\n"
    "    return (a.float() - a.float().detach()) * 32768.0\n";

}  // namespace

/// The verdict on a step whose gradients overflow comes from the band of safe scales.
class Verdicts : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aScaleInsideTheBandIsBenign_data() {
    QTest::addColumn<bool>("native");
    QTest::newRow("emulated") << false;
    QTest::newRow("native") << true;
  }
  void aScaleInsideTheBandIsBenign() {
    QFETCH(bool, native);
    const auto execution = native ? policy::Execution::kNative : policy::Execution::kEmulated;
    const wire::Diagnosis found = diagnosed(kSteep, std::ldexp(1.0, 20), execution);
    QVERIFY2(found.verdict == Verdict::kBenign, words::explanation_of(found, {}).c_str());
    QVERIFY(found.band && found.band->lowest && found.band->highest);
    const double fix = std::log2(found.fix.scale);
    QVERIFY(*found.band->lowest <= fix && fix <= *found.band->highest + 1);
    QVERIFY(found.fix.rules.empty());
    // Beside the scale, the op call was tried in float32 and in bfloat16, at the scale of the step.
    std::vector<formats::Format> tried;
    for (const wire::Attempt& attempt : found.evidence) {
      if (attempt.rules.empty()) continue;
      QCOMPARE(attempt.scale, std::ldexp(1.0, 20));
      tried.push_back(attempt.rules.front().format);
      // What is finite at a scale has its safe scales, and is finite there.
      QCOMPARE(attempt.band.has_value(), attempt.finite);
      if (attempt.finite) QVERIFY(!attempt.band->highest || *attempt.band->highest >= 20);
    }
    QVERIFY((tried == std::vector<formats::Format>{formats::kFloat32, formats::kBFloat16}));
  }

  void whereTheBandIsEmptyNoScaleWorks_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<bool>("native");
    for (const bool native : {false, true}) {
      const char* how = native ? "native" : "emulated";
      QTest::addRow("lost in a cast, %s", how) << QString::fromLatin1(kNoBand) << native;
      QTest::addRow("lost inside an op, %s", how) << QString::fromLatin1(kNoBandInside) << native;
    }
  }
  void whereTheBandIsEmptyNoScaleWorks() {
    QFETCH(QString, body);
    QFETCH(bool, native);
    const auto execution = native ? policy::Execution::kNative : policy::Execution::kEmulated;
    const wire::Diagnosis found = diagnosed(body.toStdString(), std::ldexp(1.0, 16), execution);
    QVERIFY2(found.verdict == Verdict::kNoScaleWorks, words::explanation_of(found, {}).c_str());
    QVERIFY(found.band && found.band->empty());
    QVERIFY(found.band->lowest_site >= 0 && found.band->highest_site >= 0);
    QVERIFY(found.band->lowest_site != found.band->highest_site);
    QVERIFY2(QString::fromStdString(words::explanation_of(found, {}))
                 .contains(QStringLiteral("No scale is safe for this step")),
             words::explanation_of(found, {}).c_str());
    QVERIFY2(!found.fix.rules.empty(), "the call that overflows in float32 is what helps");
  }

  /// The gradient of an argument is rounded to the format of the op call that made it, not of the one that takes it.
  void anOverflowNamesTheFormatThatTheGradientIsRoundedTo() {
    wire::RunConfig config = runOf(
        "    h = torch.linear(x * 0.01, self.weight * 0.01, self.bias * 0.01)\n"
        "    return torch.linear(h, self.weight[:, :4], self.bias)\n",
        std::ldexp(1.0, 16));
    config.policy.execution = policy::Execution::kEmulated;
    policy::SiteRule& rule = config.policy.sites.emplace_back();
    rule.match = "aten::linear#0";
    rule.format = *formats::parse("e2m4");
    const wire::Diagnosis found = diagnosed(config);
    QVERIFY2(!found.roots.empty(), words::explanation_of(found, {}).c_str());
    QCOMPARE(found.roots.front().what, std::string("input"));
    QCOMPARE(formats::name(found.roots.front().format), std::string("e2m4"));
  }

  void aFiniteStepHasNoVerdict() {
    const wire::Diagnosis found = diagnosed(kSteep, 0.125);
    QVERIFY(found.verdict == Verdict::kUndetermined);
    QVERIFY(found.roots.empty());
  }
};

/// Of several scalers the one whose gradients overflow is found, and its scale alone is lowered.
class Scalers : public test::Suite {
  Q_OBJECT

  static wire::RunConfig twoScalers(double first, double second) {
    wire::RunConfig config = test::smallRun(2);
    config.losses.resize(2);
    config.losses[1].kind = "text";
    config.losses[1].text = "def loss(output: Tensor) -> Tensor:\n    return output.square().mean()\n";
    config.losses[1].scaler = "boxes";
    config.scalers = {{.id = "main", .init_scale = first}, {.id = "boxes", .init_scale = second}};
    return config;
  }

 private Q_SLOTS:
  void theScalerWhoseGradientsOverflowIsNamed_data() {
    QTest::addColumn<double>("first");
    QTest::addColumn<double>("second");
    QTest::addColumn<QString>("whose");
    QTest::newRow("the second") << 1024.0 << std::ldexp(1.0, 40) << QStringLiteral("boxes");
    QTest::newRow("the first") << std::ldexp(1.0, 40) << 1024.0 << QStringLiteral("main");
  }
  void theScalerWhoseGradientsOverflowIsNamed() {
    QFETCH(double, first);
    QFETCH(double, second);
    QFETCH(QString, whose);
    const wire::Diagnosis found = diagnosed(twoScalers(first, second));
    QVERIFY2(found.verdict == Verdict::kBenign, words::explanation_of(found, {}).c_str());
    QCOMPARE(found.scaler, whose.toStdString());
    QCOMPARE(found.scale, std::max(first, second));
    QCOMPARE(found.fix.scaler, whose.toStdString());
    QVERIFY(found.fix.scale < std::max(first, second));
    QVERIFY(found.band.has_value());
    for (const wire::Attempt& tried : found.evidence) {
      QCOMPARE(tried.scaler, whose.toStdString());
      QVERIFY2(QString::fromStdString(words::change_of(tried)).contains(whose), words::change_of(tried).c_str());
    }
    // What was said holds: with that scale the step is finite.
    wire::RunConfig lower = twoScalers(first, second);
    lower.scalers[whose == QStringLiteral("main") ? 0 : 1].init_scale = found.fix.scale;
    const auto training = train::set_up(lower);
    QVERIFY(!run::Stepper(*training).run(0).record.found_inf);
  }

  void whereBothOverflowBothScalesAreNamed() {
    const wire::Diagnosis found = diagnosed(twoScalers(std::ldexp(1.0, 40), std::ldexp(1.0, 38)));
    QVERIFY2(found.verdict == Verdict::kBenign, words::explanation_of(found, {}).c_str());
    const QString fix = QString::fromStdString(words::fix_of(found.fix));
    QVERIFY2(fix.contains(QStringLiteral("\"main\"")) && fix.contains(QStringLiteral("\"boxes\"")), qPrintable(fix));
  }

  void aRunWithOneScalerNamesNone() {
    wire::RunConfig config = test::smallRun(2);
    config.scaler.init_scale = std::ldexp(1.0, 40);
    const wire::Diagnosis found = diagnosed(config);
    QVERIFY(found.verdict == Verdict::kBenign);
    QVERIFY(!found.scaler && !found.fix.scaler);
    QVERIFY(!found.evidence.empty() && !found.evidence.front().scaler);
  }
};

/// A composite op casts inside: what overflows there is told as a cast.
class Inside : public test::Suite {
  Q_OBJECT

  /// One step of a recurrent layer without memory: an op that multiplies inside.
  static std::string recurrent(const std::string& input, const std::string& weight) {
    return "    h = torch.zeros([1, x.size(0), 4], device=x.device)\n"
           "    weights = [" +
           weight +
           ", self.weight[:, :4] * 0.0]\n"
           "    y = torch.rnn_relu((" +
           input +
           ").unsqueeze(1), h, weights, False, 1, 0.0, True, False, True)[0]\n"
           "    return y.squeeze(1) + self.bias\n";
  }

  /// Under the CPU's list, which reaches inside the layer: CUDA's casts it as a whole, as cuDNN.
  static wire::Diagnosis insideOf(const std::string& body, double scale) {
    wire::RunConfig config = runOf(body, scale);
    config.policy.base = policy::Base::kCpuAmp;
    config.policy.low = formats::kFloat16;
    config.policy.execution = policy::Execution::kEmulated;
    return diagnosed(config);
  }

 private Q_SLOTS:
  void aCastInsideACompositeIsTold() {
    const wire::Diagnosis found = insideOf(recurrent("x * 1000000.0", "self.weight"), 1024);
    QVERIFY2(found.verdict == Verdict::kCastOverflow, words::explanation_of(found, {}).c_str());
    QCOMPARE(found.roots.size(), std::size_t{1});
    const wire::Root& root = found.roots.front();
    QVERIFY(root.fault == wire::Root::Fault::kCast);
    QVERIFY2(root.what.ends_with(" inside"), root.what.c_str());
    QVERIFY(root.format == formats::kFloat16);
    QVERIFY(!root.inputs.empty());
    QVERIFY(root.inputs.back().largest > 65504);
    QVERIFY(!found.fix.rules.empty());
    qInfo("%s", root.what.c_str());
  }

  /// What leaves float16's range on its way into a recurrent layer is an event under CUDA's list, on the CPU too.
  void theInputOfARecurrentLayerOverflowsAsOnCuda() {
    const wire::Diagnosis found = diagnosed(recurrent("x * 1000000.0", "self.weight"), 1024);
    QVERIFY2(found.verdict == Verdict::kCastOverflow, words::explanation_of(found, {}).c_str());
    QVERIFY(!found.roots.empty());
    QVERIFY(found.roots.front().format == formats::kFloat16);
  }

  void whatIsInfiniteBeforeTheCastIsNotTheCasts() {
    const wire::Diagnosis found = insideOf(recurrent("torch.exp(x * 1000000.0)", "self.weight"), 1024);
    QVERIFY2(found.verdict == Verdict::kForwardOverflow, words::explanation_of(found, {}).c_str());
  }

  void aSumInsideThatOverflowsIsTheOpsOwn() {
    const wire::Diagnosis found = insideOf(recurrent("x * 0.0 + 60000.0", "self.weight * 0.0 + 1.0"), 1024);
    QVERIFY2(found.verdict == Verdict::kForwardOverflow, words::explanation_of(found, {}).c_str());
  }

  void theGradientOfACastInsideIsItsArguments() {
    const wire::Diagnosis found = insideOf(recurrent("x * 1000.0", "self.weight"), 1024);
    QVERIFY(found.direction == wire::Direction::kBackward);
    QVERIFY(!found.roots.empty());
    const wire::Root& root = found.roots.front();
    QVERIFY(root.fault == wire::Root::Fault::kOverflow && root.format == formats::kFloat16);
    QCOMPARE(root.what, std::string("weight of aten::linear inside"));
    QCOMPARE(found.ends, std::string("weight"));
  }
};

/// What no format holds may still be a matter of formats: of what was lost before it.
class Invalid : public test::Suite {
  Q_OBJECT

  static constexpr const char* kHalfProbabilities =
      "    y = torch.linear(x, self.weight, self.bias)\n"
      "    h = torch.softmax(y * 50.0, 1).half() + 1e-8\n"
      "    return torch.log(h.float())\n";

  static std::vector<std::string> ruled(const wire::Diagnosis& found) {
    std::vector<std::string> names;
    for (const policy::SiteRule& rule : found.fix.rules) names.push_back(rule.match);
    return names;
  }

 private Q_SLOTS:
  void aConstantThatIsZeroInTheFormatIsFound() {
    const wire::Diagnosis found = diagnosed(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    n = torch.relu(y - 1000.0)\n"
        "    return y + n / (n + 1e-8)\n",
        1024);
    QVERIFY2(found.verdict == Verdict::kLostValue, words::explanation_of(found, {}).c_str());
    QCOMPARE(ruled(found), std::vector<std::string>{"aten::add#0"});
    const QString explanation = QString::fromStdString(words::explanation_of(found, {}));
    QVERIFY2(explanation.contains(QStringLiteral("0 divided by 0: 24 of 24 divisors are 0")), qPrintable(explanation));
    QVERIFY2(explanation.contains(QStringLiteral("became 0 in float16 (the constant 1e-08 is 0 there)")),
             qPrintable(explanation));
  }

  void aProbabilityThatBecameZeroIsFound() {
    const wire::Diagnosis found = diagnosed(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    p = torch.sigmoid(y * 0.001 - 20.0)\n"
        "    return y + torch.log(p)\n",
        1024);
    QVERIFY2(found.verdict == Verdict::kLostValue, words::explanation_of(found, {}).c_str());
    QCOMPARE(ruled(found), std::vector<std::string>{"aten::sigmoid#0"});
  }

  // At apex-o2 the gradients of float16 weights go to float32 masters, and are looked at where they overflow.
  void anOverflowAboveMasterWeightsIsFound() {
    wire::RunConfig config = runOf("    return torch.linear(x * 1000.0, self.weight, self.bias)\n", 65536);
    config.policy.base = policy::Base::kApexO2;
    const wire::Diagnosis found = diagnosed(config);
    QVERIFY2(found.verdict == Verdict::kBenign, words::explanation_of(found, {}).c_str());
    QVERIFY(!found.roots.empty() && found.roots.front().direction == wire::Direction::kBackward);
    QVERIFY2(found.fix.scale > 0 && found.fix.scale < 65536, words::fix_of(found.fix).c_str());
  }

  // The constant is 0 in float16; with it, the gradient is too large for the half that the model's own code asks for.
  void aCastOfTheModelsOwnThatNarrowsIsLeftOut() {
    const wire::Diagnosis found = diagnosed(runOf(kHalfProbabilities, 65536));
    QVERIFY2(found.verdict == Verdict::kLostValue, words::explanation_of(found, {}).c_str());
    QVERIFY2(words::fix_of(found.fix).find("ithout the model's own cast aten::to#0") != std::string::npos,
             words::fix_of(found.fix).c_str());
    QVERIFY2(found.fix.scale >= 16, words::fix_of(found.fix).c_str());
  }

  // A copy cannot be left out: with the constant the gradient is finite only where the scale presses all others down.
  void aFixThatPressesGradientsDownIsNone() {
    const wire::Diagnosis found =
        diagnosed(runOf("    y = torch.linear(x, self.weight, self.bias)\n"
                        "    h = torch.zeros([y.size(0), y.size(1)], dtype=5)\n"
                        "    h.copy_(torch.softmax(y * 50.0, 1))\n"
                        "    return torch.log((h + 1e-8).float())\n",
                        65536));
    QVERIFY2(found.verdict == Verdict::kLostValue, words::explanation_of(found, {}).c_str());
    QVERIFY2(found.fix.rules.empty() && found.fix.scale == 0, words::fix_of(found.fix).c_str());
    QVERIFY2(
        words::fix_of(found.fix).starts_with("No fix is known: with aten::add#0") &&
            words::fix_of(found.fix).find(" in float32, this batch is finite only at scale 2^-") != std::string::npos,
        words::fix_of(found.fix).c_str());
  }

  // Skipped steps have brought the scale down: a fix is one at the scale that the run began with.
  void aFallenScaleChangesNoFix() {
    const wire::Diagnosis whole = diagnosed(runOf(kHalfProbabilities, 65536));
    wire::RunConfig config = runOf(kHalfProbabilities, 65536);
    const auto training = train::set_up(config);
    training->scalers.set_scale(0, 0x1p-12);
    const run::StepOutcome outcome = run::Stepper(*training).run(0);
    QVERIFY(outcome.diagnosis.has_value());
    QCOMPARE(words::fix_of(outcome.diagnosis->fix), words::fix_of(whole.fix));
    QCOMPARE(outcome.diagnosis->fix.scale, whole.fix.scale);
  }

  // The slope at 0 is infinite at every scale; beside it the scale is too high for a weight's gradient.
  void anOverflowBesideIsNotCalledInvalid() {
    const wire::Diagnosis found = diagnosed(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    z = torch.linear(x * 1000.0, self.weight, self.bias)\n"
        "    return z + torch.sqrt(y * 0.0)\n",
        65536);
    QVERIFY2(found.verdict == Verdict::kInvalidOperation, words::explanation_of(found, {}).c_str());
    QCOMPARE(found.roots.size(), std::size_t{2});
    QVERIFY(found.roots[0].fault == wire::Root::Fault::kInvalid);
    QVERIFY(found.roots[1].fault == wire::Root::Fault::kOverflow);
    QCOMPARE(found.roots[1].what, std::string("weight"));
    QVERIFY2(
        QString::fromStdString(words::explanation_of(found, {})).contains(QStringLiteral("its slope at 0 is infinite")),
        words::explanation_of(found, {}).c_str());
  }

  void whatFloat32DoesNotMendIsNotSearchedFor_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("why");
    QTest::addColumn<int>("most");  // replays
    QTest::newRow("forward") << QStringLiteral("torch.log(y * 0.0)") << QStringLiteral("the logarithm of 0: 24 of 24")
                             << 1;
    QTest::newRow("backward") << QStringLiteral("torch.sqrt(y * 0.0)") << QStringLiteral("its slope at 0 is infinite")
                              << 9;
    QTest::newRow("softmax") << QStringLiteral("torch.softmax(y.masked_fill(y == y, float('-inf')), 1)")
                             << QStringLiteral("values that are all masked") << 1;
  }
  void whatFloat32DoesNotMendIsNotSearchedFor() {
    QFETCH(QString, body);
    QFETCH(QString, why);
    QFETCH(int, most);
    const wire::Diagnosis found =
        diagnosed("    y = torch.linear(x, self.weight, self.bias)\n    return y + " + body.toStdString() + "\n", 1024);
    QVERIFY2(found.verdict == Verdict::kInvalidOperation, words::explanation_of(found, {}).c_str());
    const QString explanation = QString::fromStdString(words::explanation_of(found, {}));
    QVERIFY2(explanation.contains(why), qPrintable(explanation));
    QVERIFY2(explanation.contains(QStringLiteral("Float32 everywhere does not help")), qPrintable(explanation));
    QVERIFY(found.fix.rules.empty());
    QVERIFY2(found.evidence.size() <= static_cast<std::size_t>(most), std::to_string(found.evidence.size()).c_str());
    QVERIFY(!found.evidence.back().finite);
  }

  void anOverflowOfFloat32SaysSo() {
    const wire::Diagnosis found =
        diagnosed("    return torch.exp(torch.linear(x, self.weight, self.bias) * 100.0)\n", 1024);
    QVERIFY(found.verdict == Verdict::kForwardOverflow);
    QVERIFY2(QString::fromStdString(words::explanation_of(found, {})).contains(QStringLiteral("the largest float32")),
             words::explanation_of(found, {}).c_str());
    QVERIFY(found.fix.rules.empty());
  }
};

/// The change that is proposed is one that cannot be made smaller.
class SmallestFix : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  /// Rules alone serve here, once all calls on the way have one: no scale is lowered with them.
  void aScaleIsNotLoweredWhereRulesAloneServe() {
    constexpr const char* kBody =
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    z = torch.linear(torch.cat([y, y], 1), self.weight, self.bias)\n"
        "    return torch.linear(torch.cat([z * 20000.0, z], 1), self.weight, self.bias)\n";
    wire::RunConfig config = runOf(kBody, 65536);
    const wire::Diagnosis found = diagnosed(config);
    QVERIFY2(found.verdict == Verdict::kForwardOverflow, words::explanation_of(found, {}).c_str());
    QVERIFY(!found.fix.rules.empty());
    const auto survives = [&](const std::vector<policy::SiteRule>& rules) {
      wire::RunConfig mended = runOf(kBody, found.fix.scale > 0 ? found.fix.scale : 65536);
      mended.policy.sites = rules;
      const auto training = train::set_up(mended);
      return run::Stepper(*training).run(0).record.stepped;
    };
    QVERIFY2(survives(found.fix.rules), words::fix_of(found.fix).c_str());
    for (std::size_t i = 0; i < found.fix.rules.size(); ++i) {
      auto fewer = found.fix.rules;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      QVERIFY2(!survives(fewer), found.fix.rules[i].match.c_str());
    }
    for (std::size_t i = 0; i < found.evidence.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        QVERIFY2(words::change_of(found.evidence[i]) != words::change_of(found.evidence[k]),
                 words::change_of(found.evidence[i]).c_str());
      }
    }
  }
};

/// Gradients of several uses, several first causes, several batches.
class Meeting : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  /// A weight that a loop uses: each gradient fits into float16, and not their sum. The band knows of sums.
  void gradientsOfASharedWeightAddUpBeyondTheFormat() {
    wire::Diagnosis found;
    for (int scale = 10; scale < 30; ++scale) {
      found = diagnosed(
          "    y = torch.zeros([6, 4], device=x.device)\n"
          "    for i in range(8):\n"
          "        y = y + torch.linear(x, self.weight, self.bias)\n"
          "    return y\n",
          std::ldexp(1.0, scale));
      if (!found.roots.empty()) break;
    }
    QVERIFY(!found.roots.empty());
    const wire::Root& root = found.roots.front();
    QVERIFY(root.fault == wire::Root::Fault::kSum);
    QVERIFY2(root.what == "weight" || root.what == "bias", root.what.c_str());
    QVERIFY(root.format == formats::kFloat16);
    QVERIFY2(found.verdict == Verdict::kBenign, words::explanation_of(found, {}).c_str());
    QVERIFY(found.band && found.band->highest);
    QCOMPARE(*found.band->highest, static_cast<int>(std::log2(found.fix.scale)));
  }

  void causesSideBySideAreAllNamed() {
    const wire::Diagnosis found = diagnosed(
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    return y * 100000.0 * 100000.0 + torch.log(y * 0.0)\n",
        1024);
    QCOMPARE(found.roots.size(), std::size_t{2});
    QVERIFY(found.roots[0].fault == wire::Root::Fault::kOverflow);
    QVERIFY(found.roots[1].fault == wire::Root::Fault::kInvalid);
    for (const wire::Root& root : found.roots) QVERIFY(!root.inputs.empty());
  }

  void theBatchThatBeganItIsNamed() {
    wire::RunConfig config = runOf(
        "    self.mean.add_(1.0)\n"
        "    y = torch.linear(x, self.weight, self.bias)\n"
        "    return y * (1000000.0 if int(self.mean[0]) % 2 == 0 else 1.0)\n",
        1024);
    config.accumulate = 2;
    const wire::Diagnosis found = diagnosed(config);
    QVERIFY2(QString::fromStdString(words::explanation_of(found, {}))
                 .contains(QStringLiteral("It began in batch 2 of the 2")),
             words::explanation_of(found, {}).c_str());
  }
};

BINADE_SUITE(Verdicts);
BINADE_SUITE(Scalers);
BINADE_SUITE(Inside);
BINADE_SUITE(Invalid);
BINADE_SUITE(SmallestFix);
BINADE_SUITE(Meeting);
#include "tst_cause_verdicts.moc"
