// SPDX-License-Identifier: Apache-2.0
#include "engine/interchange/crc32c.h"
#include "engine/interchange/export_run.h"
#include "engine/record/run_reader.h"
#include "tests/interchange/event_file.h"
#include "tests/interchange/recorded.h"
#include "tests/support/suite.h"

#include <cmath>
#include <map>
#include <random>

using namespace binade;

namespace {

struct Exported {
  std::string run;
  std::string name;
  std::vector<test::ReadEvent> events;
};

Exported exported(const std::vector<record::RunRecord>& history = test::recordedHistory()) {
  const std::string folder = test::temporaryFolder().toStdString();
  Exported result{folder + "/run.binade", {}, {}};
  test::recordRun(result.run, history);
  const auto written = interchange::export_run(result.run, interchange::RunTarget::kTensorBoard, folder + "/logs");
  result.name = written.files.at(0);
  result.events = test::readEvents(test::readBytes(folder + "/logs/" + result.name));
  return result;
}

/// The values of a tag with their steps, in the order of the file.
std::vector<std::pair<std::int64_t, test::ReadValue>> valuesOf(const Exported& exported, const std::string& tag) {
  std::vector<std::pair<std::int64_t, test::ReadValue>> found;
  for (const test::ReadEvent& event : exported.events) {
    for (const test::ReadValue& value : event.values)
      if (value.tag == tag) found.emplace_back(event.step, value);
  }
  return found;
}

bool same(float a, double b) {
  return std::isnan(a) ? std::isnan(b) : a == static_cast<float>(b);
}

std::vector<wire::StepRecord> recordedSteps() {
  std::vector<wire::StepRecord> steps;
  for (const record::RunRecord& each : test::recordedHistory())
    if (const auto* step = std::get_if<wire::StepRecord>(&each)) steps.push_back(*step);
  return steps;
}

/// The history with another run name.
std::vector<record::RunRecord> historyNamed(const std::string& name) {
  std::vector<record::RunRecord> history = test::recordedHistory();
  for (record::RunRecord& each : history)
    if (auto* started = std::get_if<wire::RunStarted>(&each)) started->config.name = name;
  return history;
}

}  // namespace

class TensorBoardFiles : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theChecksumIsCrc32c();
  void theFirstEventIsTheVersion();
  void everyScalarOfEveryStepComesBackWithNanAndInfinity();
  void evaluationsComeBackAndWhatIsUnknownIsAbsent();
  void histogramsHaveTheBinadesOfGradients();
  void aScanHasNoHistogram();
  void textsHoldDescriptionPolicyAndEvents();
  void backquotesStayInTheirBlock();
  void aLongNameOfARunIsShortened();
  void timesAreTheRecordedOnes();
  void aRewindRestartsTheSteps();
  void severalScalersHaveATagEach();
};

void TensorBoardFiles::theChecksumIsCrc32c() {
  QCOMPARE(interchange::crc32c("123456789"), 0xe3069283u);            // the check value of CRC-32C
  QCOMPARE(interchange::crc32c(std::string(32, '\0')), 0x8a9136aau);  // RFC 3720, B.4
  std::minstd_rand random(7);
  for (std::size_t size = 0; size < 300; ++size) {
    std::string bytes(size, '\0');
    for (char& each : bytes) each = static_cast<char>(random() >> 8);
    QCOMPARE(interchange::crc32c(bytes), test::bitwiseCrc32c(bytes));
  }
}

void TensorBoardFiles::theFirstEventIsTheVersion() {
  const Exported file = exported();
  QVERIFY(file.name.starts_with("events.out.tfevents."));
  QVERIFY(file.name.ends_with(".clothes___large_"));
  QCOMPARE(file.events.front().version, std::string("brain.Event:2"));
  QVERIFY(file.events.front().values.empty());
  for (std::size_t i = 1; i < file.events.size(); ++i) QVERIFY(file.events[i].version.empty());
}

void TensorBoardFiles::everyScalarOfEveryStepComesBackWithNanAndInfinity() {
  const Exported file = exported();
  const std::vector<wire::StepRecord> steps = recordedSteps();
  const auto check = [&](const char* tag, auto value) {
    const auto found = valuesOf(file, tag);
    QCOMPARE(found.size(), steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      QCOMPARE(found[i].first, steps[i].step);
      QVERIFY2(same(found[i].second.scalar, value(steps[i])), tag);
    }
  };
  check("loss", [](const wire::StepRecord& step) { return step.loss; });
  check("loss_scale", [](const wire::StepRecord& step) { return step.scale; });
  check("gradient_norm", [](const wire::StepRecord& step) { return step.gradient_norm; });
  check("learning_rate", [](const wire::StepRecord& step) { return step.learning_rate; });
  check("step_seconds", [](const wire::StepRecord& step) { return step.seconds; });
  check("skipped", [](const wire::StepRecord& step) { return step.stepped ? 0.0 : 1.0; });
  QVERIFY(std::isnan(valuesOf(file, "loss")[3].second.scalar));
  QVERIFY(std::isinf(valuesOf(file, "gradient_norm")[3].second.scalar));
}

void TensorBoardFiles::evaluationsComeBackAndWhatIsUnknownIsAbsent() {
  const Exported file = exported();
  const auto losses = valuesOf(file, "evaluation/loss");
  QCOMPARE(losses.size(), std::size_t{2});
  QCOMPARE(losses[0].first, std::int64_t{4});
  QVERIFY(same(losses[0].second.scalar, 0.1 + 0.2));
  const auto accuracies = valuesOf(file, "evaluation/accuracy");
  QCOMPARE(accuracies.size(), std::size_t{1});
  QCOMPARE(accuracies[0].first, std::int64_t{7});
  QVERIFY(same(accuracies[0].second.scalar, 0.875));
}

void TensorBoardFiles::histogramsHaveTheBinadesOfGradients() {
  const Exported file = exported();
  const auto found = valuesOf(file, "gradients_log2/fc1.weight");
  QCOMPARE(found.size(), std::size_t{5});  // steps 0, 2, 4, 4 again, 6
  for (const auto& [step, value] : found) {
    QVERIFY(value.kind == test::ReadValue::Kind::kHistogram);
    const test::ReadHistogram& histogram = value.histogram;
    // 0.75, 1.25, 1.5 and 12, divided by 2^step: one value in binade -1, two in 0, one in 3.
    const auto shift = static_cast<double>(step);
    QCOMPARE(histogram.limits, (std::vector<double>{-shift, 1 - shift, 2 - shift, 3 - shift, 4 - shift}));
    QCOMPARE(histogram.counts, (std::vector<double>{1, 2, 0, 0, 1}));
    QCOMPARE(histogram.values, 4.0);
    QCOMPARE(histogram.smallest, std::log2(0.75) - shift);
    QCOMPARE(histogram.largest, std::log2(12.0) - shift);
  }
  QCOMPARE(valuesOf(file, "gradients_zeros/fc1.weight").at(0).second.scalar, 1.0f);
  QCOMPARE(valuesOf(file, "gradients_not_finite/fc1.weight").at(0).second.scalar, 1.0f);
}

void TensorBoardFiles::aScanHasNoHistogram() {
  const Exported file = exported();
  const std::string name = "layer2::helper/aten::conv2d#2 output";
  const auto counts = valuesOf(file, "scaled_gradients_not_finite/" + name);
  QCOMPARE(counts.size(), std::size_t{5});
  QCOMPARE(counts[0].second.scalar, 2.0f);
  QVERIFY(valuesOf(file, "scaled_gradients_log2/" + name).empty());
  QVERIFY(valuesOf(file, "scaled_gradients_zeros/" + name).empty());
}

void TensorBoardFiles::textsHoldDescriptionPolicyAndEvents() {
  const Exported file = exported();
  const auto description = valuesOf(file, "run/description");
  QCOMPARE(description.size(), std::size_t{1});
  QCOMPARE(description[0].second.plugin, std::string("text"));
  QVERIFY(description[0].second.text.find("clothes, \\\"large\\\"") != std::string::npos);
  QVERIFY(valuesOf(file, "policy").at(0).second.text.find("layer4.*/aten::conv2d#*") != std::string::npos);
  const auto events = valuesOf(file, "events/gradient_overflow");
  QCOMPARE(events.size(), std::size_t{1});
  QCOMPARE(events[0].first, std::int64_t{3});
  QVERIFY(events[0].second.text.find("fc1.weight") != std::string::npos);
}

void TensorBoardFiles::backquotesStayInTheirBlock() {
  const Exported file = exported(historyNamed("a ````` b ```"));
  const std::string text = valuesOf(file, "run/description").at(0).second.text;
  const std::string fence(6, '`');
  QVERIFY(text.starts_with(fence + "\n"));
  QVERIFY(text.ends_with("\n" + fence));
  QVERIFY(valuesOf(file, "policy").at(0).second.text.starts_with("```\n"));
}

void TensorBoardFiles::aLongNameOfARunIsShortened() {
  const Exported file = exported(historyNamed(std::string(1000, 'n')));
  QVERIFY(file.name.ends_with("nnnn"));
  QVERIFY(file.name.size() < 150);
}

void TensorBoardFiles::timesAreTheRecordedOnes() {
  const Exported file = exported();
  const auto created = static_cast<double>(record::RunReader(file.run).created().value());
  double expected = created;
  for (const test::ReadEvent& event : file.events) {
    QVERIFY(event.timed);
    if (!event.values.empty() && event.values.front().tag == "loss") expected += 0.25;
    QCOMPARE(event.wall, expected);
  }
  QCOMPARE(expected, created + 2.5);  // ten steps
}

void TensorBoardFiles::aRewindRestartsTheSteps() {
  const Exported file = exported();
  int restarts = 0;
  for (const test::ReadEvent& event : file.events) {
    if (!event.restarts) continue;
    ++restarts;
    QCOMPARE(event.step, std::int64_t{4});
  }
  QCOMPARE(restarts, 1);
}

void TensorBoardFiles::severalScalersHaveATagEach() {
  auto history = test::recordedHistory();
  auto& started = std::get<wire::RunStarted>(history.front());
  started.config.scalers = {{.id = "fast"}, {.id = "slow"}};
  started.config.losses = {{.kind = "mse", .scaler = "fast"}, {.kind = "mse", .scaler = "slow"}};
  for (record::RunRecord& each : history)
    if (auto* step = std::get_if<wire::StepRecord>(&each)) step->scalers = {{step->scale, 8, false}, {4, 4, true}};
  const std::string folder = test::temporaryFolder().toStdString();
  test::recordRun(folder + "/run.binade", history);
  const auto written =
      interchange::export_run(folder + "/run.binade", interchange::RunTarget::kTensorBoard, folder + "/logs");
  const Exported file{{}, {}, test::readEvents(test::readBytes(folder + "/logs/" + written.files.at(0)))};
  QCOMPARE(valuesOf(file, "loss_scale/fast").at(0).second.scalar, 65536.0f);
  QCOMPARE(valuesOf(file, "loss_scale/slow").size(), std::size_t{10});
  QVERIFY(valuesOf(file, "loss_scale").empty());
}

BINADE_SUITE(TensorBoardFiles);
#include "tst_tensorboard_files.moc"
