// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/prefetch.h"
#include "engine/casts/cast_costs.h"
#include "engine/compare/compare_float32.h"
#include "engine/run/step.h"
#include "engine/train/training.h"
#include "engine/words/cast_text.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <thread>

using namespace binade;

namespace {

/// The ledger of two steps.
wire::CastLedger counted(const wire::RunConfig& config) {
  const auto training = train::set_up(config);
  casts::CastCosts costs(*training);
  run::Stepper stepper(*training);
  for (int step = 0; step < 2; ++step) costs.stepped(step, stepper.run(step).record.seconds);
  return costs.take();
}

/// The batches of another source, and how often each was made.
class Made : public batches::BatchSource {
 public:
  Made(std::unique_ptr<batches::BatchSource> source, std::map<std::int64_t, int>& times)
      : source_(std::move(source)), times_(times) {}
  batches::Batch next() override {
    ++times_[cursor()];
    return source_->next();
  }
  std::int64_t cursor() const override { return source_->cursor(); }
  void seek(std::int64_t cursor) override { source_->seek(cursor); }
  std::int64_t test_batches() const override { return source_->test_batches(); }
  batches::Batch test_batch(std::int64_t index) const override { return source_->test_batch(index); }
  std::int64_t examples() const override { return source_->examples(); }
  std::int64_t test_examples() const override { return source_->test_examples(); }
  const std::vector<batches::TargetInfo>& targets() const override { return source_->targets(); }

 private:
  std::unique_ptr<batches::BatchSource> source_;
  std::map<std::int64_t, int>& times_;
};

double bytes(const wire::CastLedger& casts) {
  double sum = 0;
  for (const wire::CastLine& line : casts.lines) sum += line.bytes;
  return sum;
}

}  // namespace

// What casts cost, why they are made, and what removes them.
class CastCosts : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyLineSaysWhatItCostsAndWhy() {
    const wire::CastLedger casts = counted(test::smallRun(4));
    QCOMPARE(casts.steps, std::int64_t{2});
    QCOMPARE(casts.last_step - casts.first_step, std::int64_t{1});
    QVERIFY(!casts.lines.empty());
    for (const wire::CastLine& line : casts.lines) {
      QVERIFY(line.casts + line.saved > 0);
      QVERIFY(line.casts == 0 || line.bytes > 0);
      QVERIFY(line.cause == wire::CastLine::Cause::kBaseList && !line.rule.empty());
      QVERIFY(line.from != line.to);
    }
    // The loss takes the model's float16 output, and widens it inside.
    const auto inside = std::find_if(casts.lines.begin(), casts.lines.end(),
                                     [](const wire::CastLine& line) { return line.argument.empty(); });
    QVERIFY(inside != casts.lines.end());
    QVERIFY(inside->from == formats::kFloat16 && inside->to == formats::kFloat32);
    QVERIFY(std::is_sorted(casts.lines.begin(), casts.lines.end(),
                           [](const auto& a, const auto& b) { return a.bytes > b.bytes; }));
  }

  void aWeightsCastWritesItsSizeInTheFormat() {
    const wire::RunConfig config = test::smallRun(4);
    const auto training = train::set_up(config);
    for (const wire::CastLine& line : counted(config).lines) {
      const graph::Site& site = *training->sites[static_cast<std::size_t>(line.site)];
      if (line.argument != "weight" || site.op != "aten::linear") continue;
      for (const auto& [name, parameter] : training->trainable) {
        if (name != site.key.path + ".weight") continue;
        QCOMPARE(line.bytes, 2.0 * static_cast<double>(parameter.numel()));
        QCOMPARE(line.casts, 1.0);
        return;
      }
    }
    QFAIL("no linear's weight was cast");
  }

  // The figure is what a person will see after the edit: other casts come in place of the one that goes.
  void anEditsPriceIsWhatItWritesLess() {
    const wire::RunConfig config = test::smallRun(4);
    const auto training = train::set_up(config);
    casts::CastCosts costs(*training);
    run::Stepper stepper(*training);
    for (int step = 0; step < 2; ++step) costs.stepped(step, stepper.run(step).record.seconds);
    wire::CastLedger before = costs.take();
    QVERIFY(!before.lines.empty());
    for (const wire::CastLine& line : before.lines) QVERIFY(!line.edit_bytes);  // two steps do not pay for a try
    std::vector<at::Tensor> parameters;
    for (const auto& [name, parameter] : training->trainable) parameters.push_back(parameter.detach().clone());
    const std::int64_t cursor = training->data->cursor();
    costs.measure_savings(before, 1000);
    QCOMPARE(training->data->cursor(), cursor);
    for (std::size_t i = 0; i < parameters.size(); ++i) QVERIFY(training->trainable[i].second.equal(parameters[i]));
    int edits = 0;
    for (const wire::CastLine& line : before.lines) {
      QCOMPARE(line.edit_bytes.has_value(), line.edit_format.has_value());
      QVERIFY(!line.edit_seconds);  // emulated: no time is a speed
      if (!line.edit_bytes) continue;
      wire::RunConfig edited = config;
      policy::SiteRule rule;
      rule.match = line.edit_match;
      rule.format = *line.edit_format;
      edited.policy.sites.push_back(rule);
      QCOMPARE(*line.edit_bytes, bytes(counted(edited)) - bytes(before));
      ++edits;
    }
    QVERIFY(edits > 2);
  }

  // A model that runs in its format only: what the edit would save is not known, and the run says why.
  void anEditUnderWhichTheModelFailsHasNoPriceAndAReason() {
    wire::RunConfig config = test::smallRun(1010);
    config.model = test::saveModel(test::temporaryFolder().toStdString(), R"(
def forward(self, x: Tensor) -> Tensor:
    y = torch.linear(x, self.weight, self.bias)
    assert y.dtype != 6, "only in 16 bits"
    return y
)");
    config.data.inputs = {"float32[16,8]"};
    config.data.classes = 4;
    const std::string sentence = "What aten::linear#0 in float32 would save is not known, because trying it failed: ";
    const auto training = train::set_up(config);
    casts::CastCosts costs(*training);
    run::Stepper stepper(*training);
    costs.stepped(0, stepper.run(0).record.seconds);
    wire::CastLedger casts = costs.take();
    costs.measure_savings(casts, 1000);
    for (const wire::CastLine& line : casts.lines) {
      if (words::cast_edit(line) == "aten::linear#0 in float32") QVERIFY(!line.edit_bytes);
    }
    const auto failures = costs.take_failures();
    QCOMPARE(failures.size(), std::size_t{1});
    QVERIFY2(failures[0].starts_with(sentence) && failures[0].find("only in 16 bits") != std::string::npos,
             failures[0].c_str());
    QVERIFY(costs.take_failures().empty());
    // While a run goes on it is told once.
    test::Listening heard;
    heard.at_step = [](const wire::StepRecord& record) {
      // An edit is tried where a hundredth of the time is enough for it, once a second.
      if (record.step == 1000) std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    };
    test::runToEnd(config, heard);
    const auto told = std::count_if(heard.log.begin(), heard.log.end(),
                                    [&](const std::string& line) { return line.starts_with(sentence); });
    QCOMPARE(told, std::ptrdiff_t{1});
  }

  /// Of a list, what is told is the tensor that is cast, and what gives it.
  void aListsLineIsOfTheTensorThatIsCast() {
    wire::RunConfig config = test::smallRun(4);
    config.model = test::saveModel(test::temporaryFolder().toStdString(),
                                   "def forward(self, x: Tensor) -> Tensor:\n"
                                   "    y = torch.linear(x, self.weight, self.bias)\n"
                                   "    return torch.cat([x, y], 1)\n");
    config.data.inputs = {"float32[16,8]"};
    config.policy.low = formats::kBFloat16;
    config.policy.execution = policy::Execution::kNative;
    policy::SiteRule rule;
    rule.match = "aten::cat#0";
    rule.format = formats::kFloat32;
    config.policy.sites = {rule};
    const wire::CastLedger casts = counted(config);
    const auto line = std::find_if(casts.lines.begin(), casts.lines.end(),
                                   [](const wire::CastLine& each) { return each.argument == "tensors"; });
    QVERIFY(line != casts.lines.end());
    QVERIFY(line->from == formats::kBFloat16 && line->to == formats::kFloat32);
    QCOMPARE(line->bytes, 16.0 * 4 * 4);
    QCOMPARE(QString::fromStdString(words::cast_edit(*line)), QStringLiteral("aten::linear#0 in float32"));
  }

  void theEditOfALineRemovesIt() {
    const wire::RunConfig config = test::smallRun(4);
    const wire::CastLedger before = counted(config);
    int edits = 0;
    for (const wire::CastLine& line : before.lines) {
      if (!line.edit_format) continue;
      wire::RunConfig edited = config;
      policy::SiteRule rule;
      rule.match = line.edit_match;
      rule.format = *line.edit_format;
      edited.policy.sites.push_back(rule);
      const wire::CastLedger after = counted(edited);
      const bool there = std::any_of(after.lines.begin(), after.lines.end(), [&](const wire::CastLine& other) {
        return other.site == line.site && other.argument == line.argument && other.casts > 0;
      });
      QVERIFY2(!there, words::cast_edit(line).c_str());
      ++edits;
    }
    QVERIFY(edits > 0);
    // All in float32: nothing is cast.
    wire::RunConfig full = config;
    full.policy = {};
    full.policy.base = policy::Base::kAllFloat32;
    QCOMPARE(bytes(counted(full)), 0.0);
  }

  // No op call made the model's input, a parameter or a buffer: the op call that takes it can take it as it is.
  void everyCastOfAValueThatNoOpCallMadeHasAnEdit() {
    const wire::RunConfig config = test::smallRun(4);
    const auto training = train::set_up(config);
    const wire::CastLedger casts = counted(config);
    const auto first = std::find_if(casts.lines.begin(), casts.lines.end(), [&](const wire::CastLine& line) {
      return line.argument == "input" &&
             training->sites[static_cast<std::size_t>(line.site)]->key.name() == "fc1/aten::linear#0";
    });
    QVERIFY(first != casts.lines.end());
    QVERIFY(first->from == formats::kFloat32 && first->to == formats::kFloat16);
    QCOMPARE(QString::fromStdString(words::cast_edit(*first)), QStringLiteral("fc1/aten::linear#0 in float32"));
    for (const wire::CastLine& line : casts.lines) QVERIFY(line.edit_format);
  }

  // The op call behind the cast has a dtype of its own, which no rule changes.
  void anEditThatWasSeenNotToRemoveItsCastIsTakenBack() {
    wire::RunConfig config = test::smallRun(4);
    config.model = test::saveModel(test::temporaryFolder().toStdString(),
                                   "def forward(self, x: Tensor) -> Tensor:\n"
                                   "    y = torch.ones_like(x, dtype=5)\n"
                                   "    return torch.linear(y, self.weight, self.bias)\n");
    config.data.inputs = {"float32[16,8]"};
    config.data.classes = 4;
    config.policy.low = formats::kBFloat16;
    config.policy.execution = policy::Execution::kNative;
    const auto training = train::set_up(config);
    casts::CastCosts costs(*training);
    run::Stepper stepper(*training);
    costs.stepped(0, stepper.run(0).record.seconds);
    wire::CastLedger casts = costs.take();
    const auto line = std::find_if(casts.lines.begin(), casts.lines.end(),
                                   [](const wire::CastLine& each) { return each.from == formats::kFloat16; });
    QVERIFY(line != casts.lines.end());
    QCOMPARE(QString::fromStdString(words::cast_edit(*line)), QStringLiteral("aten::ones_like#0 in bfloat16"));
    costs.measure_savings(casts, 1000);
    QVERIFY(words::cast_edit(*line).empty());
    QVERIFY(!line->edit_bytes && !line->edit_seconds);
  }

  // Batches are made ahead while a step runs; whoever tries an edit between two steps leaves them there.
  void tryingEditsLeavesTheBatchesMadeAhead() {
    std::vector<double> plain, tried;
    for (const bool tries : {false, true}) {
      wire::RunConfig config = test::smallRun(10);
      config.accumulate = 2;
      config.data.prefetch = 0;
      const auto training = train::set_up(config);
      std::map<std::int64_t, int> times;
      training->data =
          std::make_unique<batches::Prefetched>(std::make_unique<Made>(std::move(training->data), times), 3);
      casts::CastCosts costs(*training);
      run::Stepper stepper(*training);
      int edits = 0;
      for (int step = 0; step < 10; ++step) {
        const wire::StepRecord record = stepper.run(step).record;
        (tries ? tried : plain).push_back(record.loss);
        costs.stepped(step, record.seconds);
        if (!tries || step % 3 != 2) continue;
        wire::CastLedger casts = costs.take();
        costs.measure_savings(casts, 2);
        edits += static_cast<int>(std::count_if(casts.lines.begin(), casts.lines.end(),
                                                [](const auto& line) { return line.edit_bytes.has_value(); }));
        compare::compare_with_float32(*training, step + 1);
      }
      QVERIFY(!tries || edits > 2);
      QCOMPARE(training->data->cursor(), std::int64_t{20});
      training->data.reset();  // with its thread, which counts
      QVERIFY(times.size() >= 20);
      for (const auto& [batch, count] : times) {
        QVERIFY2(count == 1, qPrintable(QStringLiteral("batch %1 was made %2 times").arg(batch).arg(count)));
      }
    }
    QVERIFY(plain.size() == 10 && plain == tried);
  }

  void aNewPolicyBeginsANewPage() {
    const auto training = train::set_up(test::smallRun(8));
    casts::CastCosts costs(*training);
    run::Stepper stepper(*training);
    QVERIFY(!costs.due());
    for (int step = 0; step < 3; ++step) costs.stepped(step, stepper.run(step).record.seconds);
    QVERIFY(costs.due());
    costs.reset();
    QVERIFY(!costs.due());
    QVERIFY(costs.take().lines.empty());
  }

  void lookingChangesNothing() {
    test::Tensors with, without;
    for (const bool looks : {false, true}) {
      const auto training = train::set_up(test::smallRun(4));
      std::optional<casts::CastCosts> costs;
      if (looks) costs.emplace(*training);
      run::Stepper stepper(*training);
      for (int step = 0; step < 4; ++step) {
        stepper.run(step);
        if (!costs) continue;
        costs->stepped(step, 0.1);
        costs->take();
      }
      for (const auto& [name, tensor] : training->trainable) {
        (looks ? with : without).emplace_back(name, tensor.detach().clone());
      }
    }
    QCOMPARE(test::firstDifference(with, without), std::string());
  }
};

BINADE_SUITE(CastCosts);
#include "tst_cast_costs.moc"
