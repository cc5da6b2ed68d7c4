// SPDX-License-Identifier: Apache-2.0
#include "engine/train/step.h"
#include "tests/support/suite.h"
#include "tests/train/small_run.h"

#include <cmath>

using namespace binade;
using wire::Verdict;

namespace {

wire::RunConfig runOf(const std::string& body, double scale) {
  wire::RunConfig config = test::smallRun(2);
  config.model =
      test::saveModel(test::temporaryFolder().toStdString(), "def forward(self, x: Tensor) -> Tensor:\n" + body);
  config.data.inputs = {"float32[6,8]"};
  config.data.classes = 4;
  config.batch = 6;
  config.scaler.init_scale = scale;
  return config;
}

/// What the first step is said to have.
wire::Diagnosis diagnosed(const wire::RunConfig& config) {
  const auto training = train::set_up(config);
  return train::Stepper(*training).run(0).diagnosis.value_or(wire::Diagnosis{});
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
    QVERIFY2(found.verdict == Verdict::kBenign, found.explanation.c_str());
    QVERIFY(found.band && found.band->lowest && found.band->highest);
    const double fix = std::log2(found.fix.scale);
    QVERIFY(*found.band->lowest <= fix && fix <= *found.band->highest + 1);
    QVERIFY(found.fix.rules.empty());
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
    QVERIFY2(found.verdict == Verdict::kNoScaleWorks, found.explanation.c_str());
    QVERIFY(found.band && found.band->empty());
    QVERIFY(found.band->lowest_site >= 0 && found.band->highest_site >= 0);
    QVERIFY(found.band->lowest_site != found.band->highest_site);
    QVERIFY2(QString::fromStdString(found.explanation).contains(QStringLiteral("No scale is safe for this step")),
             found.explanation.c_str());
    QVERIFY2(!found.fix.rules.empty(), "the call that overflows in float32 is what helps");
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
    QVERIFY2(found.verdict == Verdict::kBenign, found.explanation.c_str());
    QCOMPARE(found.scaler, whose.toStdString());
    QCOMPARE(found.scale, std::max(first, second));
    QCOMPARE(found.fix.scaler, whose.toStdString());
    QVERIFY(found.fix.scale < std::max(first, second));
    QVERIFY(found.band.has_value());
    for (const wire::Attempt& tried : found.evidence) {
      QCOMPARE(tried.scaler, whose.toStdString());
      QVERIFY2(QString::fromStdString(tried.change).contains(whose), tried.change.c_str());
    }
    // What was said holds: with that scale the step is finite.
    wire::RunConfig lower = twoScalers(first, second);
    lower.scalers[whose == QStringLiteral("main") ? 0 : 1].init_scale = found.fix.scale;
    const auto training = train::set_up(lower);
    QVERIFY(!train::Stepper(*training).run(0).record.found_inf);
  }

  void whereBothOverflowBothScalesAreNamed() {
    const wire::Diagnosis found = diagnosed(twoScalers(std::ldexp(1.0, 40), std::ldexp(1.0, 38)));
    QVERIFY2(found.verdict == Verdict::kBenign, found.explanation.c_str());
    const QString fix = QString::fromStdString(found.fix.text);
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

 private Q_SLOTS:
  void aCastInsideACompositeIsTold() {
    const wire::Diagnosis found = diagnosed(recurrent("x * 1000000.0", "self.weight"), 1024);
    QVERIFY2(found.verdict == Verdict::kCastOverflow, found.explanation.c_str());
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

  void whatIsInfiniteBeforeTheCastIsNotTheCasts() {
    const wire::Diagnosis found = diagnosed(recurrent("torch.exp(x * 1000000.0)", "self.weight"), 1024);
    QVERIFY2(found.verdict == Verdict::kForwardOverflow, found.explanation.c_str());
  }

  void aSumInsideThatOverflowsIsTheOpsOwn() {
    const wire::Diagnosis found = diagnosed(recurrent("x * 0.0 + 60000.0", "self.weight * 0.0 + 1.0"), 1024);
    QVERIFY2(found.verdict == Verdict::kForwardOverflow, found.explanation.c_str());
  }
};

BINADE_SUITE(Verdicts);
BINADE_SUITE(Scalers);
BINADE_SUITE(Inside);
#include "tst_cause_verdicts.moc"
