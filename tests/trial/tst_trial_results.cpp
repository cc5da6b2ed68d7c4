// SPDX-License-Identifier: Apache-2.0
// What a Try says about policies that fail, orders that cannot be made, and one that is cancelled.
#include "engine/formats/error.h"
#include "engine/policy/base_policy.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"
#include "tests/trial/trial_runs.h"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace binade;
using test::inFloat32;
using test::orderOf;
using test::saved;
using test::trained;
using test::trialRun;
using trial::Trials;
using wire::TrialVerdict;

namespace {

/// The error that `work` throws; nullopt: none.
std::optional<Error> errorOf(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

int text(TrialVerdict verdict) {
  return static_cast<int>(verdict);
}

/// A linear layer on large inputs, whose products exceed float16.
wire::RunConfig overflowing() {
  wire::RunConfig config = test::lineRun("    return torch.linear(x * 30000.0, self.weight, self.bias) * 0.0001\n", 50);
  config.observe = {};
  config.observe.level = "off";
  config.optimizer.learning_rate = 1e-3;
  return config;
}

}  // namespace

namespace binade::test {

class TrialResults : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void anOverflowOfFloat16Diverges();
  void float32MendsIt();
  void anEditWithoutEffectIsInsideTheNoise();
  void aScaleThatNeverFitsDiverges();
  void aBannedOpDoesNotRun();
  void anUnknownOpDoesNotRun();
  void aRuleThatMatchesNothingIsNoted();
  void costsAreThoseOfThePolicy();
  void cancellingKeepsWhatWasLearnt();
  void eachSeedIsReported();
  void ordersThatShowNothingAreRefused();
  void anotherRunsCheckpointIsRefused();
  void dataWrittenLaterIsNoted();
};

void TrialResults::anOverflowOfFloat16Diverges() {
  const wire::RunConfig config = overflowing();
  Trials trials(config, {});
  const wire::Trial tried = trials.run(orderOf(policy::float32_throughout(), config.policy, 20));
  QCOMPARE(text(tried.verdict), text(TrialVerdict::kDiverged));
  QCOMPARE(tried.worse_from.value_or(-1), std::int64_t{0});
  QVERIFY(tried.emulated_after);
  QVERIFY(!tried.emulated_before);
  // The training is given up after ten losses that are not finite.
  const wire::TrialArm& after = tried.seeds.front().after;
  QVERIFY(after.losses.size() >= 10 && after.losses.size() < 20);
  QVERIFY(tried.complete);
  QVERIFY(after.skipped >= 10);
}

void TrialResults::float32MendsIt() {
  const wire::RunConfig config = overflowing();
  Trials trials(config, {});
  const wire::Trial tried =
      trials.run(orderOf(policy::float32_throughout(), inFloat32(config.policy, "aten::linear#0"), 20));
  QVERIFY(text(tried.verdict) != text(TrialVerdict::kDiverged));
  QVERIFY(text(tried.verdict) != text(TrialVerdict::kWorse));
  QCOMPARE(tried.seeds.front().after.losses.size(), std::size_t{20});
}

void TrialResults::anEditWithoutEffectIsInsideTheNoise() {
  const wire::RunConfig config = trialRun();
  Trials trials(config, {});
  const policy::Policy plain = policy::float32_throughout();
  const wire::Trial tried = trials.run(orderOf(plain, inFloat32(plain, "fc1"), 12));
  QVERIFY(tried.seeds.front().before.losses == tried.seeds.front().after.losses);
  QCOMPARE(text(tried.verdict), text(TrialVerdict::kInsideNoise));
  QCOMPARE(tried.loss.mean, 0.0);
  QCOMPARE(QString::fromStdString(tried.name), QStringLiteral("fc1 in float32"));
}

void TrialResults::aScaleThatNeverFitsDiverges() {
  wire::RunConfig config = trialRun();
  config.scaler.init_scale = 1e30;  // float16 gradients overflow, and a fixed scale cannot come down
  config.scaler.fixed = true;
  Trials trials(config, {});
  const wire::Trial tried = trials.run(orderOf(policy::float32_throughout(), config.policy, 12));
  QCOMPARE(tried.seeds.front().before.skipped, std::int64_t{0});
  QCOMPARE(tried.seeds.front().after.skipped, std::int64_t{12});
  QCOMPARE(tried.seeds.front().after.overflows, std::int64_t{12});
  QVERIFY(std::isfinite(tried.seeds.front().after.losses.back()));
  QCOMPARE(text(tried.verdict), text(TrialVerdict::kDiverged));
}

void TrialResults::aBannedOpDoesNotRun() {
  const wire::RunConfig config = trialRun();
  policy::Policy banned = config.policy;
  banned.ops["aten::linear"] = policy::Treatment::kBanned;
  Trials trials(config, {});
  const wire::Trial tried = trials.run(orderOf(config.policy, banned, 4, 3));
  QCOMPARE(text(tried.verdict), text(TrialVerdict::kDoesNotRun));
  QVERIFY(QString::fromStdString(tried.seeds.front().after.failure).contains(u"linear"));
  QCOMPARE(tried.seeds.size(), std::size_t{1});  // further seeds would show the same
  QVERIFY(tried.complete);
  const wire::Trial reversed = trials.run(orderOf(banned, config.policy, 4));
  QCOMPARE(text(reversed.verdict), text(TrialVerdict::kUnknown));
  QVERIFY(!reversed.seeds.front().before.failure.empty());
  // And the training is as before.
  const wire::Trial good = trials.run(orderOf(config.policy, inFloat32(config.policy, "fc1"), 4));
  QVERIFY(good.seeds.front().after.failure.empty());
  QVERIFY(good.seeds.front().before == tried.seeds.front().before);
}

void TrialResults::anUnknownOpDoesNotRun() {
  const wire::RunConfig config = trialRun();
  policy::Policy unknown = config.policy;
  unknown.ops["aten::liinear"] = formats::kFloat32;
  Trials trials(config, {});
  const wire::Trial tried = trials.run(orderOf(config.policy, unknown, 3));
  QCOMPARE(text(tried.verdict), text(TrialVerdict::kDoesNotRun));
  QVERIFY(QString::fromStdString(tried.seeds.front().after.failure).contains(u"aten::liinear"));
}

void TrialResults::aRuleThatMatchesNothingIsNoted() {
  const wire::RunConfig config = trialRun();
  Trials trials(config, {});
  const wire::Trial tried = trials.run(orderOf(config.policy, inFloat32(config.policy, "fc9"), 3));
  QCOMPARE(tried.notes.size(), std::size_t{1});
  QVERIFY(QString::fromStdString(tried.notes.front()).contains(u"fc9"));
  QVERIFY(tried.seeds.front().before.losses == tried.seeds.front().after.losses);
}

void TrialResults::costsAreThoseOfThePolicy() {
  const wire::RunConfig config = trialRun();
  Trials trials(config, {});
  const wire::Trial tried = trials.run(orderOf(config.policy, policy::float32_throughout(), 3));
  const wire::TrialArm& half = tried.seeds.front().before;
  const wire::TrialArm& single = tried.seeds.front().after;
  QVERIFY(half.casts > 0);
  QVERIFY(half.cast_bytes > 0);
  QCOMPARE(single.casts, 0.0);
  QCOMPARE(single.cast_bytes, 0.0);
  // Gradients of all parameters, at least.
  QVERIFY(single.peak_bytes > 4.0 * 784 * 16);
  QVERIFY(half.peak_bytes > 0);
  QCOMPARE(tried.seeds.front().noise.casts, half.casts);
  QVERIFY(half.seconds > 0);
  QVERIFY(tried.seconds.has_value());
  QVERIFY(!tried.estimates.empty());
  for (const wire::TrialEstimate& estimate : tried.estimates) {
    QVERIFY2(estimate.before > 0 && estimate.after > 0, estimate.gpu.c_str());
  }
}

void TrialResults::cancellingKeepsWhatWasLearnt() {
  const wire::RunConfig config = trialRun();
  Trials trials(config, {});
  trial::Order order = orderOf(config.policy, inFloat32(config.policy, "fc1"), 5, 2);
  const wire::Trial whole = trials.run(order);
  // In the first training, in the second, in the first of the second seed.
  for (const std::int64_t until : {2, 7, 17}) {
    Trials cut(config, {});
    std::int64_t seen = 0;
    order.progress = [&](std::int64_t done, std::int64_t of) {
      seen = done;
      return of == 30 && done < until;
    };
    const wire::Trial part = cut.run(order);
    QVERIFY(!part.complete);
    QCOMPARE(seen, until);
    QCOMPARE(part.seeds.size(), static_cast<std::size_t>(until / 15 + 1));
    const wire::TrialSeed& last = part.seeds.back();
    QCOMPARE(static_cast<std::int64_t>(last.before.losses.size() + last.after.losses.size() + last.noise.losses.size()),
             until % 15);
    if (until > 15) {
      QVERIFY(part.seeds.front().after.losses == whole.seeds.front().after.losses);
      QVERIFY(part.loss.before > 0);
    }
    // What was cut is not taken for a whole training afterwards.
    order.progress = {};
    const wire::Trial again = cut.run(order);
    QVERIFY(again.complete);
    for (std::size_t i = 0; i < 2; ++i) {
      QVERIFY(again.seeds[i].before.losses == whole.seeds[i].before.losses);
      QVERIFY(again.seeds[i].after.losses == whole.seeds[i].after.losses);
      QVERIFY(again.seeds[i].noise.losses == whole.seeds[i].noise.losses);
    }
  }
}

void TrialResults::eachSeedIsReported() {
  const wire::RunConfig config = trialRun();
  Trials trials(config, {});
  trial::Order order = orderOf(config.policy, inFloat32(config.policy, "fc1"), 4, 3);
  std::vector<wire::Trial> learnt;
  order.learnt = [&learnt](const wire::Trial& trial) { learnt.push_back(trial); };
  const wire::Trial tried = trials.run(order);
  QCOMPARE(learnt.size(), std::size_t{3});
  for (std::size_t i = 0; i < 3; ++i) QCOMPARE(learnt[i].seeds.size(), i + 1);
  QVERIFY(text(learnt.front().verdict) != text(TrialVerdict::kUnknown));
  QVERIFY(learnt.back().loss == tried.loss);
}

void TrialResults::ordersThatShowNothingAreRefused() {
  const wire::RunConfig config = trialRun();
  Trials trials(config, {});
  const std::vector<std::pair<std::int64_t, std::int64_t>> orders{
      {0, 1}, {-5, 1}, {1, 0}, {1, -1}, {INT64_MAX, 1}, {INT64_MAX / 2, 2}, {2, INT64_MAX}};
  for (const auto& order : orders) {
    const auto error = errorOf([&] { trials.run(orderOf(config.policy, config.policy, order.first, order.second)); });
    QVERIFY(error.has_value());
    QCOMPARE(static_cast<int>(error->code), static_cast<int>(ErrorCode::kBadRun));
    QVERIFY(!error->hint.empty());
  }
}

void TrialResults::anotherRunsCheckpointIsRefused() {
  const wire::RunConfig config = trialRun();
  const std::string checkpoint = saved(*trained(config, 2), 2);
  const auto codeOf = [&](const wire::RunConfig& run, const std::string& file) {
    const auto error = errorOf([&] { Trials trials(run, file); });
    return error ? static_cast<int>(error->code) : -1;
  };
  QCOMPARE(codeOf(config, checkpoint), -1);
  QCOMPARE(codeOf(config, folder() + "/absent.safetensors"), static_cast<int>(ErrorCode::kBadFile));
  wire::RunConfig other = config;
  other.batch = 8;
  QCOMPARE(codeOf(other, checkpoint), static_cast<int>(ErrorCode::kBadRun));
  other = config;
  other.seed = 8;
  QCOMPARE(codeOf(other, checkpoint), static_cast<int>(ErrorCode::kBadRun));
  other = config;
  other.data.classes = 5;
  const auto error = errorOf([&] { Trials trials(other, checkpoint); });
  QVERIFY(error.has_value());
  QVERIFY2(QString::fromUtf8(error->what()).contains(u"data.classes is 5"), error->what());
  // What does not decide the batches may differ.
  other = config;
  other.optimizer.learning_rate = 0.5;
  other.data.prefetch = 0;
  Trials trials(other, checkpoint);
  QVERIFY(!trials.notes().empty());
}

void TrialResults::dataWrittenLaterIsNoted() {
  wire::RunConfig config = lineRun("    return torch.linear(x, self.weight, self.bias)\n", 20);
  config.observe.level = "off";
  const std::string file = folder() + "/table.csv";
  const auto write = [&file] {
    std::ofstream table(file);
    table << "a,b,c,d,e,f,g,h,y\n";
    for (int row = 0; row < 24; ++row) table << "1,2,3,4,5,6,7," << row << "," << row % 4 << "\n";
  };
  write();
  config.data = {};
  config.data.kind = "files";
  config.data.files = {file};
  config.data.columns["x"].from.values = {"a", "b", "c", "d", "e", "f", "g", "h"};
  config.data.columns["x"].dtype = "float32";
  config.data.targets["y"].from.values = {"y"};
  const std::string checkpoint = saved(*trained(config, 2), 2);
  QVERIFY(Trials(config, checkpoint).notes().empty());
  std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
  const Trials trials(config, checkpoint);
  QCOMPARE(trials.notes().size(), std::size_t{1});
  QVERIFY(QString::fromStdString(trials.notes().front()).contains(u"table.csv"));
}

BINADE_SUITE(TrialResults);

}  // namespace binade::test

#include "tst_trial_results.moc"
