// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/replay.h"
#include "engine/diagnose/safe_scales.h"
#include "engine/formats/scale_band.h"
#include "engine/run/step.h"
#include "engine/train/training.h"
#include "engine/train/training_state_guard.h"
#include "engine/words/diagnosis_text.h"
#include "tests/diagnose/faults.h"
#include "tests/run/small_run.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/suite.h"

#include <cmath>
#include <cstdio>

using namespace binade;

namespace {

constexpr double kLost = 0.01;

/// The first step of a run under one scale: what gradients were seen, and what the scaler found.
struct First {
  std::vector<formats::TensorStats> stats;
  std::vector<formats::Format> formats;
  bool foundInf = false;
  double worstLost = 0;   ///< of any gradient's norm, where it was seen
  test::Tensors weights;  ///< the gradients of the parameters, unscaled
  std::uint64_t overflow = 0;

  std::vector<formats::ScaledGradient> gradients(int scale) const {
    std::vector<formats::ScaledGradient> all;
    for (std::size_t i = 0; i < stats.size(); ++i) all.push_back({&stats[i], formats[i], static_cast<double>(scale)});
    return all;
  }
};

/// Eight uses of one weight: the sum of their gradients overflows before any of them does.
wire::RunConfig loopRun() {
  wire::RunConfig config = test::smallRun(2);
  config.model = test::saveModel(test::temporaryFolder().toStdString(), R"(
def forward(self, x: Tensor) -> Tensor:
    y = torch.zeros([6, 4], device=x.device)
    for i in range(8):
        y = y + torch.linear(x, self.weight, self.bias)
    return y
)");
  config.data.inputs = {"float32[6,8]"};
  config.data.classes = 4;
  config.batch = 6;
  return config;
}

First firstStep(const wire::RunConfig& run, const formats::Format& low, int scale) {
  wire::RunConfig config = run;
  config.policy.low = low;
  config.policy.execution = policy::Execution::kEmulated;
  config.scaler.init_scale = std::ldexp(1.0, scale);
  config.observe = {.level = "what-if", .every = 1};
  const auto training = train::set_up(config);
  run::Stepper stepper(*training, /*replays=*/false);
  const wire::StepRecord record = stepper.run(0).record;
  First first;
  first.foundInf = record.found_inf;
  for (const wire::Observation& seen : record.observations) {
    const wire::WatchedTensor& tensor = stepper.watched()[static_cast<std::size_t>(seen.tensor)];
    if (tensor.kind != wire::WatchedTensor::Kind::kInputGradient || seen.stats.scan) continue;
    if (tensor.format == formats::kFloat32) continue;
    first.stats.push_back(seen.stats);
    first.formats.push_back(tensor.format);
    first.overflow += seen.stats.overflow + seen.stats.non_finite();
    first.worstLost = std::max(first.worstLost, formats::effect_of(seen.stats, tensor.format).zero.norm.high);
  }
  for (const auto& [name, parameter] : training->model.parameters()) {
    if (parameter.grad().defined()) first.weights.emplace_back(name, parameter.grad().clone());
  }
  return first;
}

/// The largest share of a parameter's gradient that another scale made 0: also what was lost on the way to it.
double lostOnTheWay(const First& step, const First& reference) {
  double most = 0;
  for (std::size_t i = 0; i < step.weights.size(); ++i) {
    const at::Tensor& whole = reference.weights[i].second;
    const double lost = whole.masked_select(step.weights[i].second.eq(0)).norm().item<double>();
    const double norm = whole.norm().item<double>();
    if (norm > 0) most = std::max(most, lost / norm);
  }
  return most;
}

}  // namespace

// The band of safe loss scales is a prediction: here training itself is asked.
class SafeBand : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theEdgesLieWhereTrainingFindsThem_data() {
    QTest::addColumn<QString>("sample");
    QTest::addColumn<QByteArray>("low");
    QTest::addColumn<int>("scale");
    for (const char* sample : {"mlp", "cnn", "transformer", "lstm"}) {
      for (const int scale : {8, 12}) {
        QTest::addRow("%s, float16 from 2^%d", sample, scale) << sample << QByteArray("float16") << scale;
      }
      QTest::addRow("%s, e5m3 from 2^8", sample) << sample << QByteArray("e5m3") << 8;
    }
    QTest::newRow("a weight in a loop, float16 from 2^8") << QStringLiteral("loop") << QByteArray("float16") << 8;
  }
  /// The band is told from one step at one scale. Then training is asked, in the last binade of the band at each edge
  /// and in the next one outside: inside nothing overflows, and no op call loses more than a hundredth of a gradient's
  /// norm; outside something does, or that much is gone by the time a gradient has reached its parameter (what is lost
  /// early is no longer there to be lost later).
  void theEdgesLieWhereTrainingFindsThem() {
    QFETCH(QString, sample);
    QFETCH(QByteArray, low);
    QFETCH(int, scale);
    const wire::RunConfig run = sample == QStringLiteral("loop") ? loopRun() : test::healthyRun(sample.toStdString());
    const formats::Format format = *formats::parse(low.toStdString());
    const First seen = firstStep(run, format, scale);
    QVERIFY(!seen.stats.empty());
    const auto gradients = seen.gradients(scale);
    const formats::SafeBand band = formats::safe_band(gradients, kLost);
    QVERIFY(band.lowest && band.highest && !band.empty());

    const auto overflows = [&](int at) {
      const First step = firstStep(run, format, at);
      return step.foundInf || step.overflow > 0;
    };
    const auto loses = [&](int at) { return firstStep(run, format, at).worstLost > kLost; };
    const auto harms = [&](int at) {
      const First step = firstStep(run, format, at);
      return std::max(step.worstLost, lostOnTheWay(step, seen)) > kLost;
    };
    std::printf("%s, %s: 2^%d to 2^%d\n", qPrintable(sample), low.constData(), *band.lowest, *band.highest);
    std::fflush(stdout);
    QVERIFY(!overflows(*band.highest));
    QVERIFY(overflows(*band.highest + 1));
    QVERIFY(!loses(*band.lowest));
    QVERIFY(harms(*band.lowest - 1));
  }

  void whereNothingCanBeEmulatedTheBandIsABoundWithTheReason() {
    const auto training = train::set_up(loopRun());
    diagnose::Replay replay(*training);
    training->buffers.keep();
    replay.begin(training->data->cursor(), train::RandomState::of(training->device));
    replay.add(training->data->next());
    const train::TrainingStateGuard guard(*training);
    const diagnose::SafeScales known = diagnose::measure_safe_scales(replay, 0, {1}, {});
    QVERIFY(known.not_emulated.empty() && !known.band.bound);
    test::FailingAllocator::instance().fail_after(0);
    const diagnose::SafeScales not_known = diagnose::measure_safe_scales(replay, 0, {1}, {});
    QVERIFY(!test::FailingAllocator::instance().disarm());
    QVERIFY2(not_known.not_emulated.find("can't allocate memory") != std::string::npos, not_known.not_emulated.c_str());
    QVERIFY(not_known.band.bound);
  }

  // Memory runs out at each place of a step that overflows: where the band is not of emulated formats, it is told.
  void anExplanationSaysThatItsBandIsABound() {
    wire::RunConfig config = loopRun();
    config.scaler.init_scale = 0x1p24;
    int told = 0;
    bool failed = true;
    for (std::int64_t count = 0; failed && told == 0; count += 10) {
      const auto training = train::set_up(config);
      run::Stepper stepper(*training);
      test::FailingAllocator::instance().fail_after(count);
      std::optional<wire::Diagnosis> diagnosis;
      try {
        diagnosis = stepper.run(0).diagnosis;
      } catch (const std::exception&) {
        // The step itself did not fit.
      }
      failed = !test::FailingAllocator::instance().disarm();
      if (!diagnosis) continue;
      const bool says = words::explanation_of(*diagnosis, {}).find("the step could not run with emulated formats: ") !=
                        std::string::npos;
      if (!says) continue;
      QVERIFY(words::explanation_of(*diagnosis, {}).find("can't allocate memory") != std::string::npos);
      QVERIFY(diagnosis->band && diagnosis->band->bound);
      ++told;
    }
    QCOMPARE(told, 1);
  }
};

BINADE_SUITE(SafeBand);
#include "tst_safe_band.moc"
