// SPDX-License-Identifier: Apache-2.0
#include "engine/run/step.h"
#include "engine/words/fix_text.h"
#include "engine/words/site_text.h"
#include "tests/diagnose/faults.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <cstdio>
#include <fstream>

using namespace binade;

namespace {

constexpr int kRows = 24;
constexpr int kBadRow = 17;  // of the file, from 0

/// 24 rows of eight numbers above 0 and a label; one number of one row is `bad`.
std::string writeTable(const std::string& folder, double bad) {
  const std::string path = folder + "/rows.csv";
  std::ofstream file(path);
  file << "a,b,c,d,e,f,g,h,label\n";
  for (int row = 0; row < kRows; ++row) {
    for (int i = 0; i < 8; ++i) {
      if (row == kBadRow && i == 3) {
        file << bad << ",";
      } else {
        file << 0.25 + 0.125 * ((row + i) % 7) << ",";
      }
    }
    file << row % 4 << "\n";
  }
  return path;
}

/// One epoch of it in batches of four, for a model whose forward is `body`.
wire::RunConfig runOver(double bad, const std::string& body) {
  const std::string folder = test::temporaryFolder().toStdString();
  wire::RunConfig config = test::smallRun(kRows / 4);
  config.model = test::saveModel(folder, "def forward(self, x: Tensor) -> Tensor:\n" + body);
  config.data = {};
  config.data.kind = "files";
  config.data.files = {writeTable(folder, bad)};
  config.data.columns["x"].from.values = {"a", "b", "c", "d", "e", "f", "g", "h"};
  config.data.targets["label"].from.values = {"label"};
  config.data.targets["label"].shape = std::vector<std::int64_t>{};
  config.batch = 4;
  config.scaler.init_scale = 1024;
  return config;
}

/// The first event of a run that has a diagnosis, and its sentence.
struct Explained : wire::Event {
  std::string sentence;
};
std::optional<Explained> explained(const wire::RunConfig& config) {
  test::Listening heard;
  test::runToEnd(config, heard);
  for (const wire::Event& event : heard.events) {
    if (event.diagnosis && !event.diagnosis->roots.empty()) return Explained{event, heard.said(event)};
  }
  return std::nullopt;
}

}  // namespace

/// Which sample it was: a first cause that lies in rows of the batch names them, and nothing is said where it does not.
class BadRows : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aRowThatAnOpCannotTakeIsNamedWithItsExample() {
    const auto event = explained(runOver(0, "    return torch.linear(torch.log(x), self.weight, self.bias)\n"));
    QVERIFY(event.has_value());
    const wire::Root& root = event->diagnosis->roots.front();
    QVERIFY(root.fault == wire::Root::Fault::kInvalid);
    QVERIFY(root.rows.has_value());
    QCOMPARE(root.rows->of, std::int64_t{4});
    QCOMPARE(root.rows->bad, std::int64_t{1});
    QVERIFY((root.rows->examples == std::vector<std::int64_t>{kBadRow}));
    const wire::Attempt& tried = event->diagnosis->evidence.back();
    QVERIFY(tried.finite);
    QVERIFY(QString::fromStdString(words::change_of(tried)).contains(QStringLiteral("of the batch replaced by row")));
    QVERIFY(event->sentence.find("(example 17 of the data)") != std::string::npos);
    std::printf("%s\n", event->sentence.c_str());
    std::fflush(stdout);
  }

  // The model refuses a batch in which two rows are alike: whether the row is to blame cannot be tried out.
  void whatCannotBeTriedOutIsNotKnownWithTheReason() {
    const auto event =
        explained(runOver(0, R"(    assert bool(((x - x[:1]).abs().sum(1) == 0).sum() == 1), "two rows are alike"
    return torch.linear(torch.log(x), self.weight, self.bias)
)"));
    QVERIFY(event.has_value());
    QVERIFY(!event->diagnosis->roots.front().rows.has_value());
    const wire::Attempt& tried = event->diagnosis->evidence.back();
    QVERIFY(!tried.finite);
    QVERIFY2(words::change_of(tried).find(" of the batch replaced by row ") != std::string::npos &&
                 words::change_of(tried).find("two rows are alike") != std::string::npos,
             words::change_of(tried).c_str());
  }

  void aRowThatOverflowsInTheCastIsNamed() {
    const auto event = explained(runOver(1e6, "    return torch.linear(x, self.weight, self.bias)\n"));
    QVERIFY(event.has_value());
    const wire::Root& root = event->diagnosis->roots.front();
    QVERIFY(root.fault == wire::Root::Fault::kCast);
    QVERIFY(root.rows.has_value());
    QVERIFY((root.rows->examples == std::vector<std::int64_t>{kBadRow}));
  }

  void aRowWhoseBackwardIsNotFiniteIsNamed() {
    const auto event = explained(
        runOver(0, "    return torch.linear(torch.sqrt(x * self.weight[0].abs()), self.weight, self.bias)\n"));
    QVERIFY(event.has_value());
    const wire::Root& root = event->diagnosis->roots.front();
    QVERIFY(root.direction == wire::Direction::kBackward);
    QVERIFY(root.rows.has_value());
    QVERIFY((root.rows->examples == std::vector<std::int64_t>{kBadRow}));
  }

  // Four rows of weights are not four examples, though the batch has four.
  void rowsOfAWeightAreNoRowsOfTheBatch() {
    const auto event = explained(runOver(1, "    return torch.linear(x, torch.log(self.weight + 0.9), self.bias)\n"));
    QVERIFY(event.has_value());
    const wire::Root& root = event->diagnosis->roots.front();
    QVERIFY(root.fault == wire::Root::Fault::kInvalid);
    QVERIFY(!root.rows.has_value());
    QVERIFY(event->sentence.find("row") == std::string::npos);
  }

  void allRowsAreNoRowsInParticular() {
    const auto event = explained(runOver(1, "    return torch.linear(x * 1e6, self.weight, self.bias)\n"));
    QVERIFY(event.has_value());
    QVERIFY(!event->diagnosis->roots.front().rows.has_value());
  }

  void dataNamesItsRow() {
    int cases = 0;
    for (const char* sample : {"mlp", "cnn"}) {
      for (std::uint64_t seed = 0; seed < 4; ++seed) {
        auto made = test::makeCase(sample, test::Fault::kBadInput, seed, test::temporaryFolder().toStdString());
        QVERIFY(made.has_value());
        const batches::Batch batch = made->training->data->next();
        made->training->data->seek(0);
        const at::Tensor values = batch.inputs.front().toTensor().flatten(1);
        const auto row = values.isfinite().all(1).to(at::kByte).argmin().item<std::int64_t>();
        run::Stepper stepper(*made->training);
        const run::StepOutcome outcome = stepper.run(0);
        QVERIFY(outcome.diagnosis.has_value());
        const wire::Root& root = outcome.diagnosis->roots.front();
        QVERIFY(root.fault == wire::Root::Fault::kData);
        QVERIFY(root.rows.has_value());
        QVERIFY((root.rows->rows == std::vector<std::int64_t>{row}));
        QVERIFY(root.rows->examples.empty());  // drawn: it is no example of any data
        ++cases;
      }
    }
    std::printf("%d batches with one bad row\n", cases);
    std::fflush(stdout);
  }

  void wordsNameAFewRows() {
    wire::BadRows rows{.batch = 0, .of = 64, .bad = 1, .rows = {3}, .examples = {1203}};
    QCOMPARE(words::rows_text(rows), std::string("row 3 of 64 (example 1203 of the data)"));
    rows = {.batch = 0, .of = 64, .bad = 3, .rows = {3, 17, 22}, .examples = {}};
    QCOMPARE(words::rows_text(rows), std::string("rows 3, 17 and 22 of 64"));
    rows = {.batch = 0, .of = 64, .bad = 12, .rows = {0, 1, 2, 3}, .examples = {}};
    QCOMPARE(words::rows_text(rows), std::string("rows 0, 1, 2 and 9 more of 64"));
  }
};

BINADE_SUITE(BadRows);
#include "tst_bad_rows.moc"
