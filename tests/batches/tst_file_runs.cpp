// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/preview.h"
#include "engine/train/training.h"
#include "engine/words/diagnosis_text.h"
#include "tests/files/arrays.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <cmath>
#include <set>

using binade::Error;
using binade::ErrorCode;
using binade::test::arrayFile;
using binade::test::firstDifference;
using binade::test::Listening;
using binade::test::refusal;
using binade::test::runToEnd;
using binade::test::says;
using binade::wire::RunConfig;

namespace {

/// Six pictures of plain.npz, as sample:mlp does not take them: a model that does, [n,2,2] and a table's column.
RunConfig fileRun() {
  RunConfig config = binade::test::smallRun(12);
  config.model = binade::test::saveModel(binade::test::temporaryFolder().toStdString(), R"(
def forward(self, x):
    # type: (Tensor) -> Tensor
    y = torch.cat([x.flatten(1), x.flatten(1)], 1)
    return torch.linear(y, self.weight, self.bias)
)");
  config.data = {};
  config.data.kind = "files";
  config.data.files = {arrayFile("plain.npz")};
  config.data.columns["x"].from.values = {"images"};
  config.data.columns["x"].mean.values = {6};
  config.data.columns["x"].deviation.values = {3};
  config.data.targets["label"].from.values = {"labels"};
  config.data.test = 0.34;
  config.batch = 2;
  return config;
}

}  // namespace

class TestFileRuns : public binade::test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aModelTrainsOnFilesAndIsEvaluatedOnTheHeldOutRows();
  void prefetchingChangesNoBit();
  void anotherSeedThatHoldsOutTrainedRowsIsTold();
  void weightsOfAnotherRunAreTheStart();
  void oneStepOfAFailedRunShowsItsGradientsAndUpdatesNothing();
  void examplesWithoutALabelAreNotJudged();
  void aBatchWithoutALabelIsToldAndTrainingGoesOn();
  void theLastWordsOfARunAreItsCause();
  void labelsBeyondTheModelNameTheirRow();
  void aDtypeThatDoesNotFitNamesTheFieldThatMendsIt();
  void aPreviewTellsWhatTheFirstBatchIs();
};

void TestFileRuns::aModelTrainsOnFilesAndIsEvaluatedOnTheHeldOutRows() {
  Listening listening;
  const auto done = runToEnd(fileRun(), listening);
  QVERIFY2(done.finished.outcome == binade::wire::Outcome::kCompleted, done.finished.message.c_str());
  QCOMPARE(listening.steps.size(), std::size_t{12});
  QCOMPARE(listening.evaluations.size(), std::size_t{1});
  QVERIFY(std::isfinite(listening.evaluations[0].accuracy));
  QVERIFY(listening.steps.back().loss < listening.steps.front().loss * 2);
}

void TestFileRuns::prefetchingChangesNoBit() {
  std::vector<binade::test::Tensors> ends;
  for (const std::int64_t prefetch : {0, 1, 5}) {
    RunConfig config = fileRun();
    config.data.prefetch = prefetch;
    config.evaluate_every = 5;
    Listening listening;
    ends.push_back(runToEnd(config, listening).tensors);
  }
  QCOMPARE(firstDifference(ends[0], ends[1]), std::string());
  QCOMPARE(firstDifference(ends[0], ends[2]), std::string());
}

void TestFileRuns::anotherSeedThatHoldsOutTrainedRowsIsTold() {
  RunConfig config = fileRun();
  config.checkpoint = {binade::test::folder(), 6, 5};
  Listening first;
  runToEnd(config, first);
  config.checkpoint = {};
  config.resume = first.checkpoints.front().file;
  // What the batches themselves say: the rows of one test half that are not in the other's.
  const auto held_out = [&](std::uint64_t seed) {
    config.seed = seed;
    const auto rows = binade::train::set_up(config)->data->test_batch(0).rows;
    return std::set<std::int64_t>(rows.begin(), rows.end());
  };
  const std::set<std::int64_t> before = held_out(7);
  int told = 0;
  for (const std::uint64_t seed : {7, 8, 9, 10, 11}) {
    const std::set<std::int64_t> now = held_out(seed);
    const auto trained = std::count_if(now.begin(), now.end(), [&](std::int64_t row) { return !before.contains(row); });
    Listening resumed;
    runToEnd(config, resumed);
    const auto note = std::find_if(resumed.log.begin(), resumed.log.end(), [](const std::string& line) {
      return line.find("hold out different rows") != std::string::npos;
    });
    QCOMPARE(note != resumed.log.end(), trained > 0);
    if (trained == 0) continue;
    ++told;
    const QString said = QString::fromStdString(*note);
    QVERIFY2(
        said.contains(
            QStringLiteral(
                "seed %1 and data.test 0.34 hold out different rows than seed 7 and data.test 0.34 did: %2 of the %3 ")
                .arg(seed)
                .arg(trained)
                .arg(now.size())),
        qPrintable(said));
  }
  QVERIFY(told > 0);
}

void TestFileRuns::weightsOfAnotherRunAreTheStart() {
  RunConfig config = fileRun();
  config.model = arrayFile("net.pt");
  config.weights = arrayFile("checkpoint.pth");
  config.data.columns["x"].shape = {1, 2, 2};
  const Error error = refusal([&] {
    Listening listening;
    runToEnd(config, listening);
  });
  // conv 3x3 does not fit 2x2 pictures: the weights were loaded before, and the op is named.
  QVERIFY2(says(error, QStringLiteral("conv")), error.what());
  config.weights = arrayFile("other_model.pth");
  const Error other = refusal([&] {
    Listening listening;
    runToEnd(config, listening);
  });
  QVERIFY2(says(other, QStringLiteral("contains the weights of another model")), other.what());
}

void TestFileRuns::oneStepOfAFailedRunShowsItsGradientsAndUpdatesNothing() {
  RunConfig config = fileRun();
  config.optimizer = {};
  config.optimizer.kind = "none";
  config.steps = 1;
  config.data.test = 0;
  config.scaler.init_scale = 16777216;
  Listening listening;
  const auto done = runToEnd(config, listening);
  QVERIFY2(done.finished.outcome == binade::wire::Outcome::kCompleted, done.finished.message.c_str());
  QCOMPARE(listening.steps.size(), std::size_t{1});
  QVERIFY(!listening.steps[0].observations.empty());
  RunConfig untouched = config;
  untouched.scaler.init_scale = 1;
  Listening other;
  QCOMPARE(firstDifference(done.tensors, runToEnd(untouched, other).tensors), std::string());
}

void TestFileRuns::examplesWithoutALabelAreNotJudged() {
  // A model that always says 0, and rows that are 0 or have no label.
  RunConfig config = fileRun();
  config.model = binade::test::saveModel(binade::test::temporaryFolder().toStdString(), R"(
def forward(self, x):
    # type: (Tensor) -> Tensor
    return x.flatten(1) * 0.0 + torch.tensor([9.0, 0.0, 0.0, 0.0]) + self.bias * 0.0
)");
  config.data.files.push_back(binade::test::fileOf("class\n0\n-100\n0\n-100\n-100\n0\n", "classes.csv"));
  config.data.targets["label"].from.values = {"class"};
  config.data.test = 0.5;
  config.batch = 1;
  config.steps = 2;
  config.policy.base = binade::policy::Base::kAllFloat32;
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    config.seed = seed;
    Listening listening;
    runToEnd(config, listening);
    if (listening.evaluations.empty()) continue;  // stopped at a batch without a label
    const double accuracy = listening.evaluations[0].accuracy;
    QVERIFY2(accuracy == 1 || std::isnan(accuracy), qPrintable(QString::number(accuracy)));
    if (accuracy == 1) QVERIFY(listening.evaluations[0].loss < 0.01);
  }
  config.data.files.back() = binade::test::fileOf("class\n-100\n-100\n-100\n-100\n-100\n-100\n", "none.csv");
  const Error error = refusal([&] {
    Listening listening;
    runToEnd(config, listening);
  });
  QVERIFY2(says(error, QStringLiteral("is -100 in every row, so no example has a class")), error.what());
}

void TestFileRuns::aBatchWithoutALabelIsToldAndTrainingGoesOn() {
  for (const bool scaled : {false, true}) {
    RunConfig config = fileRun();
    config.data.files.push_back(binade::test::fileOf("class\n0\n1\n-100\n-100\n2\n-100\n", "classes.csv"));
    config.data.targets["label"].from.values = {"class"};
    config.data.test = 0;
    config.data.shuffle = false;
    config.batch = 2;
    config.steps = 3;
    config.scaler.enabled = scaled;
    config.policy.base = binade::policy::Base::kAllFloat32;
    Listening listening;
    binade::run::Control control(/*attended=*/false);
    const auto done = runToEnd(config, listening, control);
    // Without a scaler a loss that is not finite ends a run that nobody watches; this one is the data's.
    QVERIFY2(done.finished.outcome == binade::wire::Outcome::kCompleted, done.finished.message.c_str());
    QCOMPARE(listening.steps.size(), std::size_t{3});
    for (const std::size_t step : {0, 1, 2}) {
      const auto& record = listening.steps[step];
      QVERIFY2(record.stepped == (step != 1 || scaled),
               qPrintable(QStringLiteral("step %1, loss %2").arg(step).arg(record.loss)));
    }
    const auto told = std::find_if(listening.events.begin(), listening.events.end(),
                                   [](const auto& event) { return event.diagnosis.has_value(); });
    QVERIFY(told != listening.events.end());
    QCOMPARE(told->step, std::int64_t{1});
    const QString sentence = QString::fromStdString(listening.said(*told));
    QVERIFY2(sentence.contains(QStringLiteral("the mean over the labels of a batch that has none")),
             qPrintable(sentence));
    QVERIFY2(sentence.contains(
                 QStringLiteral("None of the batch's rows 0 and 1 of 2 (examples 2 and 3 of the data) has a label")),
             qPrintable(sentence));
    QVERIFY2(QString::fromStdString(binade::words::explanation_of(*told->diagnosis, {}))
                 .contains(QStringLiteral("-100 means no label")),
             binade::words::explanation_of(*told->diagnosis, {}).c_str());
  }
}

void TestFileRuns::theLastWordsOfARunAreItsCause() {
  RunConfig config = fileRun();
  config.data.files.push_back(
      binade::test::fileOf("a,b,c,d\n1,2,3,4\n4,3,2,1\n1,2,3,4\n5,70000,7,8\n1,2,3,4\n5,6,7,8\n", "large.csv"));
  config.data.columns["x"] = {};
  config.data.columns["x"].from.values = {"a", "b", "c", "d"};
  config.data.columns["x"].dtype = "float32";
  config.data.test = 0;
  config.data.shuffle = false;
  config.scaler.enabled = false;
  Listening listening;
  binade::run::Control control(/*attended=*/false);
  const auto done = runToEnd(config, listening, control);
  QVERIFY(done.finished.outcome == binade::wire::Outcome::kFailed);
  const QString hint = QString::fromStdString(done.finished.hint);
  QVERIFY2(hint.contains(QStringLiteral("overflowed in the cast to float16")), qPrintable(hint));
  QVERIFY2(hint.contains(QStringLiteral("in float32")), qPrintable(hint));
  QVERIFY2(!hint.contains(QStringLiteral("learning_rate")), qPrintable(hint));
}

void TestFileRuns::labelsBeyondTheModelNameTheirRow() {
  RunConfig config = fileRun();
  config.data.files.push_back(binade::test::fileOf("class\n0\n1\n2\n9\n1\n0\n", "classes.csv"));
  config.data.targets["label"].from.values = {"class"};
  const Error error = refusal([&] {
    Listening listening;
    runToEnd(config, listening);
  });
  QCOMPARE(error.code, ErrorCode::kBadData);
  QVERIFY2(says(error, QStringLiteral("has 4 classes, but the largest label is 9")), error.what());
  QVERIFY2(says(error, QStringLiteral(", first in line 5 of data.targets.label (classes.csv")), error.what());
}

void TestFileRuns::aDtypeThatDoesNotFitNamesTheFieldThatMendsIt() {
  const auto hint = [](const RunConfig& config) {
    const Error error = refusal([&] {
      Listening listening;
      runToEnd(config, listening);
    });
    return QString::fromStdString(error.hint);
  };
  RunConfig real = fileRun();
  real.data.targets["label"].dtype = "float32";
  QVERIFY2(hint(real).contains(QStringLiteral("\"dtype\": \"int64\" in data.targets.label")), qPrintable(hint(real)));
  // One-hot labels: as whole numbers, and for another number of classes than the model's four.
  RunConfig hot = fileRun();
  hot.data.files.push_back(
      binade::test::fileOf("a,b,c,d,e\n1,0,0,0,0\n0,1,0,0,0\n0,0,1,0,0\n1,0,0,0,0\n0,1,0,0,0\n0,0,1,0,0\n", "hot.csv"));
  hot.data.targets["label"].from.values = {"a", "b", "c", "d"};
  QVERIFY2(hint(hot).contains(QStringLiteral("\"dtype\": \"float32\" in data.targets.label")), qPrintable(hint(hot)));
  hot.data.targets["label"].dtype = "float32";
  Listening listening;
  const auto done = runToEnd(hot, listening);
  QVERIFY2(done.finished.outcome == binade::wire::Outcome::kCompleted, done.finished.message.c_str());
  hot.data.targets["label"].from.values = {"a", "b", "c", "d", "e"};
  QVERIFY2(hint(hot).startsWith(QStringLiteral("Change the model's last layer, or use labels")), qPrintable(hint(hot)));
  RunConfig whole = fileRun();
  whole.data.files.push_back(
      binade::test::fileOf("a,b,c,d\n1,2,3,4\n5,6,7,8\n1,2,3,4\n5,6,7,8\n1,2,3,4\n5,6,7,8\n", "whole.csv"));
  whole.data.columns["x"].from.values = {"a", "b", "c", "d"};
  whole.data.columns["x"].mean = {};
  whole.data.columns["x"].deviation = {};
  whole.data.columns["x"].dtype = "int64";
  QVERIFY2(hint(whole).contains(QStringLiteral("\"dtype\": \"float32\" in data.columns.x")), qPrintable(hint(whole)));
}

void TestFileRuns::aPreviewTellsWhatTheFirstBatchIs() {
  RunConfig config = fileRun();
  config.batch = 4;
  config.data.shuffle = false;
  config.data.test = 0;
  const auto preview = binade::batches::preview(config);
  QCOMPARE(preview.examples, 6);
  QCOMPARE(preview.batches, 1);
  QCOMPARE(preview.test_examples, 0);
  QCOMPARE(preview.columns.size(), std::size_t{2});
  const auto& x = preview.columns[0];
  QCOMPARE(x.name, std::string("x"));
  QVERIFY(!x.target);
  QCOMPARE(x.dtype, std::string("float32"));
  QCOMPARE(x.shape, (std::vector<std::int64_t>{4, 2, 2}));
  QCOMPARE(x.lowest, -2.0);
  QCOMPARE(x.highest, 0.5);
  QCOMPARE(x.mean, -0.75);
  QCOMPARE(x.non_finite, 0);
  const auto& label = preview.columns[1];
  QVERIFY(label.target);
  QVERIFY((label.labels == std::vector<binade::wire::LabelCount>{{0, 2}, {1, 1}, {2, 1}}));

  const auto drawn = binade::batches::preview(binade::test::smallRun(1));
  QCOMPARE(drawn.examples, 0);
  QCOMPARE(drawn.columns[0].shape, (std::vector<std::int64_t>{16, 1, 28, 28}));
}

BINADE_SUITE(TestFileRuns);
#include "tst_file_runs.moc"
