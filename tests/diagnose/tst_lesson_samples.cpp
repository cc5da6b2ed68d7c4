// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/samples.h"
#include "engine/run/step.h"
#include "engine/words/fix_text.h"
#include "tests/diagnose/faults.h"
#include "tests/run/small_run.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <ATen/core/Tensor.h>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSet>

#include <set>
#include <string>

using namespace binade;

namespace {

/// A run of a lesson's sample under CUDA's lists, float16 emulated, with this loss scale.
wire::RunConfig lessonRun(const std::string& sample, double scale) {
  wire::RunConfig config = test::smallRun(2);
  config.model = "sample:" + sample;
  config.data.inputs = graph::find_sample(config.model)->inputs;
  config.data.prefetch = 0;
  config.batch = sample == "attention" ? 16 : 64;
  config.scaler.init_scale = scale;
  config.observe.level = "off";
  return config;
}

/// Share of the values of a weight's gradient that are not 0 after the first step.
double reached(const std::string& weight, const wire::RunConfig& config) {
  const auto training = train::set_up(config);
  run::Stepper(*training, /*replays=*/false).run(0);
  for (const auto& [name, parameter] : training->model.parameters()) {
    if (name != weight || !parameter.grad().defined()) continue;
    return static_cast<double>(parameter.grad().count_nonzero().item<std::int64_t>()) /
           static_cast<double>(parameter.numel());
  }
  return -1;
}

}  // namespace

/// The samples that lessons let fail: each has the fault that its lesson explains, and no other.
class LessonSamples : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void twoSamplesAreFaulty() {
    QStringList faulty;
    for (const graph::Sample& sample : graph::samples()) {
      if (sample.faulty) faulty << QString::fromStdString(sample.name);
    }
    QCOMPARE(faulty, (QStringList{QStringLiteral("deep"), QStringLiteral("attention")}));
  }

  void lessonsNameSamplesThatExist() {
    const QRegularExpression sample(QStringLiteral("^sample: (.*)$"), QRegularExpression::MultilineOption);
    QSet<QString> named;
    const QDir folder(QStringLiteral(BINADE_SOURCE_DIR "/resources/lessons"));
    for (const QFileInfo& lesson : folder.entryInfoList({QStringLiteral("*.md")})) {
      QFile file(lesson.filePath());
      QVERIFY(file.open(QIODevice::ReadOnly));
      auto found = sample.globalMatch(QString::fromUtf8(file.readAll()));
      while (found.hasNext()) named << found.next().captured(1);
    }
    QVERIFY(named.contains(QStringLiteral("deep")) && named.contains(QStringLiteral("attention")));
    for (const QString& name : named) {
      QVERIFY2(graph::find_sample("sample:" + name.toStdString()) != nullptr, qPrintable(name));
    }
  }

  void theFirstGradientsOfDeepVanishWithoutALossScale() {
    QCOMPARE(reached("fc1.weight", lessonRun("deep", 1)), 0.0);
    const double last = reached("head.weight", lessonRun("deep", 1));
    QVERIFY2(last > 0.02, QByteArray::number(last));  // small features too: many vanish even there
    const double first = reached("fc1.weight", lessonRun("deep", 65536));
    QVERIFY2(first > 0.2, QByteArray::number(first));
  }

  /// bfloat16 has float32's range, so nothing vanishes without a loss scale.
  void inBFloat16NoneOfThemVanishes() {
    wire::RunConfig config = lessonRun("deep", 1);
    config.policy.low = formats::kBFloat16;
    QVERIFY(reached("fc1.weight", config) > 0.2);
  }

  void theBiasesOfDeepAreZero() {
    int biases = 0;
    for (const auto& [name, parameter] : graph::make_sample("deep", 1).parameters()) {
      if (!name.ends_with("bias")) continue;
      ++biases;
      QVERIFY2(parameter.requires_grad() && parameter.count_nonzero().item<std::int64_t>() == 0, name.c_str());
    }
    QCOMPARE(biases, 17);
  }

  void theProductOfQueriesAndKeysOverflows_data() {
    QTest::addColumn<double>("scale");
    QTest::newRow("scale 65536") << 65536.0;
    QTest::newRow("scale 1") << 1.0;
  }
  /// At every loss scale: the fault is in the forward pass.
  void theProductOfQueriesAndKeysOverflows() {
    QFETCH(const double, scale);
    const auto training = train::set_up(lessonRun("attention", scale));
    const run::StepOutcome outcome = run::Stepper(*training).run(0);
    QVERIFY(outcome.diagnosis);
    QCOMPARE(wire::name(outcome.diagnosis->verdict), wire::name(wire::Verdict::kForwardOverflow));
    QVERIFY(outcome.diagnosis->direction == wire::Direction::kForward);
    QVERIFY(test::rootsOf(*outcome.diagnosis, *training) == std::set<std::string>{"aten::matmul#0"});
  }

  /// The rule found for the first step is tried on the second one alone, and a search of lower scales begins with it,
  /// too. The list of what was tried shows it once.
  void aChangeThatWasTriedTwiceIsListedOnce() {
    const auto training = train::set_up(lessonRun("attention", 65536));
    run::Stepper stepper(*training);
    const auto first = stepper.run(0).diagnosis;
    QVERIFY(first && first->fix.rules.size() == 1 && !first->fix.scales.empty());
    const auto second = stepper.run(1).diagnosis;
    QVERIFY(second && second->evidence.size() > 1);
    QVERIFY(second->evidence.front().rules == first->fix.rules && !second->evidence.front().finite);
    std::set<std::string> changes;
    for (const wire::Attempt& tried : second->evidence)
      QVERIFY2(changes.insert(words::change_of(tried)).second, words::change_of(tried).c_str());
  }

  /// The op calls that the lesson names are those of the model.
  void attentionHasTheOpCallsOfTheLesson() {
    const auto training = train::set_up(lessonRun("attention", 1));
    std::set<std::string> names;
    for (const graph::Site* site : training->sites) names.insert(site->key.name());
    for (const char* name :
         {"norm/aten::layer_norm#0", "aten::mul#0", "q/aten::linear#0", "k/aten::linear#0", "v/aten::linear#0",
          "aten::matmul#0", "aten::div#0", "aten::softmax#0", "aten::matmul#1", "out/aten::linear#0"}) {
      QVERIFY2(names.contains(name), name);
    }
  }
};

BINADE_SUITE(LessonSamples);
#include "tst_lesson_samples.moc"
