// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/dead.h"
#include "engine/silent/logits.h"
#include "engine/silent/loss_spike.h"
#include "engine/silent/stored.h"
#include "engine/silent/underflow.h"
#include "engine/silent/vanished.h"
#include "tests/silent/seen_steps.h"
#include "tests/support/suite.h"

#include <cmath>
#include <limits>

using namespace binade;
using test::Compared;
using test::SeenStep;
using Kind = wire::WatchedTensor::Kind;
using wire::Direction;

/// What single steps show: each detector with data made for it.
class SilentSymptoms : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aLostShareOfAGradientIsExactBeforeRounding();
  void theFixOfAGradientIsTheLowestScaleThatServes();
  void whatNoScaleServesIsWidened();
  void afterRoundingALossIsABound();
  void nothingIsLostInAWideFormat();
  void aSkippedStepHasNoSymptom();
  void aCastThatMakesZerosIsNamed();
  void aComparisonNamesWhoAddedTheError();
  void zerosAndErrorsAreDistinguished();
  void whatIsCountedExactlyIsLeftToItsCount();
  void aScaleIsOfferedWhereTheBandHasRoom();
  void eachOfSeveralResultsIsNamed();
  void aLossFarAboveItsSpreadIsASpike();
  void aFallingOrNoisyLossIsNone();
  void logitsCountByWhatTheirFormatResolves();
  void aFusedKernelHidesItsLogits();
  void aLostUpdateIsCounted();
  void aTenthOfAnUpdatesNormCounts();
  void aSumThatVanishesOrStandsStillIsNamed();
  void wholeNumbersBeyondTheMantissaAreCounted();
  void aCastOfTheModelsOwnIsToBeLeftOut();
};

void SilentSymptoms::aCastOfTheModelsOwnIsToBeLeftOut() {
  auto sites = test::someSites(2);
  silent::Evidence evidence;
  silent::VanishedSeen seen;
  seen.site = 1;
  seen.format = formats::kFloat16;
  seen.infinite = 0.5;
  evidence.vanished = {seen};
  const auto next = [&] {
    const auto fault = silent::fault_of(silent::vanished_symptoms(evidence).at(0));
    return QString::fromStdString(words::silent_next(fault, sites));
  };
  QVERIFY2(next().startsWith(QLatin1String("No rule that was tried")), qPrintable(next()));
  sites[1].key.op = "aten::to";
  sites[1].source = "model.py:12";
  QCOMPARE(next(), QStringLiteral("The model's own code casts to float16 there (model.py:12), and no rule changes such "
                                  "a cast: remove it, or reduce the values below the format's limit before it."));
  evidence.vanished[0].fix.text = "With it in float32 nothing overflows.";
  QCOMPARE(next(), QStringLiteral("With it in float32 nothing overflows."));
}

void SilentSymptoms::aLostShareOfAGradientIsExactBeforeRounding() {
  SeenStep step;
  step.add(1, Kind::kInputGradient, {0x1p-16f, 0x1p-26f, -0x1p-24f, 0x1p-25f, 0});
  const auto sites = test::someSites(2);
  // 2^-26 and 2^-25 go: far below a hundredth of the norm.
  QVERIFY(silent::underflow_symptoms(step.record, step.tensors, sites).empty());
  SeenStep lossy;
  lossy.add(1, Kind::kInputGradient, {3 * 0x1p-24f, 4 * 0x1p-27f, 0x1p-26f, 0});
  const auto symptoms = silent::underflow_symptoms(lossy.record, lossy.tensors, sites);
  QCOMPARE(symptoms.size(), std::size_t{1});
  // 2^-25 and 2^-26 become 0: of (144 + 4 + 1) 2^-52 these are 5.
  QCOMPARE(symptoms[0].amount, std::sqrt(5.0 / 149));
  QVERIFY(!symptoms[0].bound);
  QCOMPARE(symptoms[0].site, 1);
  QCOMPARE(symptoms[0].what, std::string("weight"));
  QVERIFY(symptoms[0].direction == Direction::kBackward);
  QVERIFY(test::sentence(symptoms[0])
              .starts_with("The gradient of layer1 (linear) for weight loses 18 % of its norm to 0"));
}

void SilentSymptoms::theFixOfAGradientIsTheLowestScaleThatServes() {
  SeenStep step;  // at scale 2^10
  step.add(1, Kind::kInputGradient, {0x1p-26f, 0x1p-26f});
  step.add(0, Kind::kInputGradient, {1.0f});
  const auto symptoms = silent::underflow_symptoms(step.record, step.tensors, test::someSites(2));
  QCOMPARE(symptoms.size(), std::size_t{1});
  QCOMPARE(symptoms[0].amount, 1.0);
  QCOMPARE(symptoms[0].fix.scale, 0x1p12);  // 2^-25 goes still, 2^-24 stays
  QVERIFY(symptoms[0].fix.rules.empty());
  step.record.scale = 1;  // no scaler
  const auto unscaled = silent::underflow_symptoms(step.record, step.tensors, test::someSites(2));
  QCOMPARE(unscaled[0].fix.scale, 0.0);
  QVERIFY(unscaled[0].fix.rules.empty());
  QVERIFY(test::next(unscaled[0]).starts_with("A loss scale of 2^2 or more loses less than 1 % of it"));
  QVERIFY(
      test::next(unscaled[0]).ends_with("The loss is not scaled: switch the scaler on, or raise scaler.init_scale."));
}

void SilentSymptoms::whatNoScaleServesIsWidened() {
  SeenStep step;
  step.add(1, Kind::kInputGradient, {0x1p-26f, 0x1p-26f});
  step.add(0, Kind::kInputGradient, {32768.0f});  // one doubling more and it overflows
  const auto symptoms = silent::underflow_symptoms(step.record, step.tensors, test::someSites(2));
  QCOMPARE(symptoms[0].fix.scale, 0.0);
  QCOMPARE(symptoms[0].fix.rules[0].match, std::string("layer1/aten::linear#0"));
  QVERIFY(symptoms[0].fix.rules[0].format == formats::kFloat32);
}

void SilentSymptoms::afterRoundingALossIsABound() {
  SeenStep step;
  auto& stats = step.add(0, Kind::kOutputGradient, std::vector<float>(100, 0x1p-20f));
  stats.censored = true;
  const auto sites = test::someSites(1);
  auto symptoms = silent::underflow_symptoms(step.record, step.tensors, sites);
  QCOMPARE(symptoms.size(), std::size_t{1});
  QVERIFY(symptoms[0].bound);
  QCOMPARE(symptoms[0].amount, 0x1p-5);  // each of them off by 2^-25 at most
  QVERIFY(test::sentence(symptoms[0]).find("may lose up to 3.1 %") != std::string::npos);
  SeenStep large;
  large.add(0, Kind::kOutputGradient, std::vector<float>(100, 0x1p-10f)).censored = true;
  QVERIFY(silent::underflow_symptoms(large.record, large.tensors, sites).empty());
}

void SilentSymptoms::nothingIsLostInAWideFormat() {
  SeenStep step;
  step.add(0, Kind::kOutputGradient, {0x1p-130f, 0x1p-60f}, formats::kBFloat16);
  step.add(0, Kind::kOutput, {0, 0, 0});
  step.add(0, Kind::kOutput, {});
  QVERIFY(silent::underflow_symptoms(step.record, step.tensors, test::someSites(1)).empty());
}

void SilentSymptoms::aSkippedStepHasNoSymptom() {
  SeenStep step;
  step.add(0, Kind::kInputGradient, {0x1p-30f});
  step.add(0, Kind::kOutput, {0});
  step.record.stepped = false;
  QVERIFY(silent::underflow_symptoms(step.record, step.tensors, test::someSites(1)).empty());
  QVERIFY(silent::dead_symptoms(step.record, step.tensors, test::someSites(1)).empty());
}

void SilentSymptoms::aCastThatMakesZerosIsNamed() {
  silent::Evidence evidence;
  evidence.arguments.push_back({.site = 0,
                                .argument = "weight",
                                .format = formats::kFloat16,
                                .occupied = 2000,
                                .vanished = 1500,
                                .vanished_norm = 0.5,
                                .cast_by_policy = true});
  evidence.arguments.push_back(evidence.arguments[0]);
  evidence.arguments[1].vanished_norm = 0.001;
  const auto symptoms = silent::cast_underflow_symptoms(evidence, test::someSites(1));
  QCOMPARE(symptoms.size(), std::size_t{1});
  QCOMPARE(symptoms[0].amount, 0.5);
  QVERIFY(test::sentence(symptoms[0]).ends_with("1,500 of 2,000 values become 0."));
  QCOMPARE(symptoms[0].fix.rules.size(), std::size_t{1});
}

void SilentSymptoms::aComparisonNamesWhoAddedTheError() {
  SeenStep step;
  for (int site = 0; site < 3; ++site) {
    step.add(site, Kind::kOutput, {1}, site == 2 ? formats::kFloat32 : formats::kFloat16);
  }
  wire::Float32Comparison compared;
  compared.step = 9;
  const double infinity = std::numeric_limits<double>::infinity();
  compared.sites = {
      Compared{.site = 0, .added = 0.5, .measured = true, .gradient_added = 0.002, .zeroed = 0.5},  // its output
      Compared{.site = 1, .added = 0.8, .gradient_added = 0.25, .zeroed = 0.8, .gradient_zeroed = 0.25},
      Compared{.site = 2, .added = 0.5, .measured = true, .gradient_added = infinity, .zeroed = 0.5}};
  // Of site 1 its backward: forward is an estimate. Site 2 is in float32: no underflow.
  const auto symptoms = silent::compared_symptoms(compared, step.tensors, test::someSites(3));
  QCOMPARE(symptoms.size(), std::size_t{2});
  QCOMPARE(symptoms[0].site, 0);
  QVERIFY(symptoms[0].direction == Direction::kForward);
  QCOMPARE(symptoms[1].site, 1);
  QVERIFY(symptoms[1].direction == Direction::kBackward);
  QCOMPARE(symptoms[1].amount, 0.25);
  QCOMPARE(symptoms[1].fix.rules.size(), std::size_t{1});
  // Where the step's safe scales are known and lie above, one of them is what helps a gradient.
  compared.scale = 4;
  wire::ScaleBand band;
  band.lowest = 12;
  band.highest = 20;
  const auto scaled = silent::compared_symptoms(compared, step.tensors, test::someSites(3), band);
  QCOMPARE(scaled[0].fix.rules.size(), std::size_t{1});  // an output is nothing to a loss scale
  QCOMPARE(scaled[1].fix.scale, 4096.0);
  QVERIFY(scaled[1].fix.rules.empty());
  band.highest = 11;  // empty
  QVERIFY(silent::compared_symptoms(compared, step.tensors, test::someSites(3), band)[1].fix.scale == 0);
}

/// Subnormal numbers are off, and not lost: that counts from an error on that no single rounding makes.
void SilentSymptoms::zerosAndErrorsAreDistinguished() {
  SeenStep step;
  step.add(0, Kind::kOutput, {1});
  step.add(1, Kind::kOutput, {1}, formats::kFloat8E4M3fn);
  const auto named = [&](const wire::SiteDifference& site) {
    wire::Float32Comparison compared;
    compared.sites = {site};
    return silent::compared_symptoms(compared, step.tensors, test::someSites(2));
  };
  QVERIFY(named(Compared{.site = 0, .gradient_added = 0.0244, .gradient_zeroed = 0.0047}).empty());
  const auto lost = named(Compared{.site = 0, .gradient_added = 0.03, .gradient_zeroed = 0.02});
  QCOMPARE(lost.size(), std::size_t{1});
  QCOMPARE(lost[0].amount, 0.02);
  QVERIFY(lost[0].unit == wire::SilentFault::Unit::kGradientNorm);
  QVERIFY(
      test::sentence(lost[0]).starts_with("The backward of layer0 (linear) loses 2.0 % of its norm to 0 in float16"));
  const auto off = named(Compared{.site = 0, .gradient_added = 0.4, .gradient_zeroed = 0.004});
  QCOMPARE(off.size(), std::size_t{1});
  QCOMPARE(off[0].amount, 0.4);
  QVERIFY(off[0].unit == wire::SilentFault::Unit::kGradientError);
  QVERIFY(test::sentence(off[0]).starts_with("The backward of layer0 (linear) is 40 % off in float16"));
  QVERIFY(test::sentence(off[0]).ends_with("0.4 % of its norm became 0."));
  // Three bits of mantissa are off by so much wherever they stand.
  QVERIFY(named(Compared{.site = 1, .gradient_added = 0.06, .gradient_zeroed = 0.001}).empty());
}

void SilentSymptoms::whatIsCountedExactlyIsLeftToItsCount() {
  SeenStep step;
  step.add(0, Kind::kOutput, {1});
  step.add(0, Kind::kInputGradient, {1});
  step.tensors[1].emulated = true;  // seen before rounding: underflow_symptoms knows what it loses
  wire::Float32Comparison compared;
  compared.sites = {Compared{
      .site = 0, .added = 0.3, .measured = true, .gradient_added = 0.3, .zeroed = 0.3, .gradient_zeroed = 0.3}};
  const auto symptoms = silent::compared_symptoms(compared, step.tensors, test::someSites(1));
  QCOMPARE(symptoms.size(), std::size_t{1});
  QVERIFY(symptoms[0].direction == Direction::kForward);
}

void SilentSymptoms::aScaleIsOfferedWhereTheBandHasRoom() {
  SeenStep step;
  step.add(0, Kind::kOutput, {1});
  wire::Float32Comparison compared;
  compared.scale = 1024;
  compared.sites = {Compared{.site = 0, .gradient_added = 0.07, .gradient_zeroed = 0.07}};
  wire::ScaleBand band;
  band.lowest = 4;  // other gradients, and another measure: this one lost 7 % at 2^10
  const auto scale = [&] {
    return silent::compared_symptoms(compared, step.tensors, test::someSites(1), band).at(0).fix.scale;
  };
  QCOMPARE(scale(), 0x1p13);  // three doublings from 7 % to less than 1 %
  band.lowest.reset();
  QCOMPARE(scale(), 0x1p13);
  band.highest = 13;
  QCOMPARE(scale(), 0x1p13);
  band.highest = 12;
  QCOMPARE(scale(), 0.0);  // something overflows there: the call in float32
}

/// A term times the constant 0: nor is what its backward sends on.
void SilentSymptoms::eachOfSeveralResultsIsNamed() {
  SeenStep step;
  step.add(0, Kind::kOutput, {0x1p-26f});
  step.add(0, Kind::kOutput, {0x1p-26f});
  step.add(0, Kind::kOutputGradient, {0x1p-26f});
  step.tensors[1].argument = step.tensors[2].argument = "1";
  const auto symptoms = silent::underflow_symptoms(step.record, step.tensors, test::someSites(1));
  QCOMPARE(symptoms.size(), std::size_t{3});
  QVERIFY(symptoms[0].what == "output" && symptoms[1].what == "output 1" && symptoms[2].what == "gradient 1");
  QVERIFY(test::sentence(symptoms[0]).starts_with("The output of layer0"));
  QVERIFY(test::sentence(symptoms[1]).starts_with("Output 1 of layer0"));
  QVERIFY(test::sentence(symptoms[2]).starts_with("The gradient of the output 1 of layer0"));
}

/// Numbers that nearly cancel: what one call rounds away is all that another would leave.
void SilentSymptoms::aLossFarAboveItsSpreadIsASpike() {
  silent::LossSpikes spikes;
  wire::StepRecord record;
  for (int i = 0; i < 60; ++i) {
    record.step = i;
    record.loss = 2 + 0.1 * (i % 2);
    record.gradient_norm = 0.5;
    QVERIFY(!spikes.step(record));
  }
  record.step = 60;
  record.loss = std::numeric_limits<double>::quiet_NaN();
  QVERIFY(!spikes.step(record));  // has an event of its own
  record.loss = 8.2;
  record.gradient_norm = 20;
  const auto symptom = spikes.step(record);
  QVERIFY(symptom.has_value());
  QVERIFY(std::abs(symptom->amount - 0.75) < 0.001);
  QVERIFY(test::sentence(*symptom).find("123 standard deviations above the mean of the 50 steps before, 2.05") !=
          std::string::npos);
  QVERIFY(test::sentence(*symptom).ends_with("its gradient norm was 40 times the usual."));
  record.loss = 2.1;
  QVERIFY(!spikes.step(record));
}

void SilentSymptoms::aFallingOrNoisyLossIsNone() {
  silent::LossSpikes falling, constant, early;
  wire::StepRecord record;
  for (int i = 0; i < 400; ++i) {
    record.step = i;
    record.loss = 5 * std::exp(-0.01 * i) + 0.3 * std::sin(7.0 * i);
    QVERIFY(!falling.step(record));
    record.loss = i == 200 ? 1.0001 : 1 + 1e-9 * (i % 3);  // many spreads, and next to nothing
    QVERIFY(!constant.step(record));
    record.loss = i == 30 ? 100 : 1;  // too few before it to say
    if (i <= 30) QVERIFY(!early.step(record));
  }
}

void SilentSymptoms::logitsCountByWhatTheirFormatResolves() {
  // Between 512 and 1,024 float16 numbers are 0.5 apart.
  QCOMPARE(silent::weight_error(700, formats::kFloat16), std::expm1(0.25));
  QCOMPARE(silent::weight_error(20, formats::kBFloat16), std::expm1(0.0625));
  QCOMPARE(silent::weight_error(-3, formats::kFloat16), 0.0);
  QCOMPARE(silent::weight_error(std::numeric_limits<double>::infinity(), formats::kFloat16), 0.0);
  const auto seen = [&](silent::Logits& logits, double largest, formats::Format format, std::int64_t step) {
    silent::Evidence evidence;
    evidence.logits.push_back({0, format, largest, false});
    return logits.symptoms(evidence, step);
  };
  silent::Logits steady;
  for (int i = 0; i < 10; ++i) QVERIFY(seen(steady, 20, formats::kBFloat16, i).empty());  // has always been so
  silent::Logits growing;
  QVERIFY(seen(growing, 3, formats::kBFloat16, 0).empty());
  QVERIFY(seen(growing, 8, formats::kBFloat16, 1).empty());
  const auto symptoms = seen(growing, 20, formats::kBFloat16, 2);
  QCOMPARE(symptoms.size(), std::size_t{1});
  QVERIFY(test::sentence(symptoms[0]).ends_with("weights by 6.4 %; they were 3 at step 0."));
  silent::Logits large;
  QCOMPARE(seen(large, 700, formats::kFloat16, 0).size(), std::size_t{1});  // whether grown or not
  silent::Logits wide;
  QVERIFY(seen(wide, 10, formats::kFloat32, 0).empty());
  QCOMPARE(seen(wide, 60, formats::kFloat32, 1).size(), std::size_t{1});  // saturated, whatever the format
}

void SilentSymptoms::aFusedKernelHidesItsLogits() {
  silent::Logits logits;
  silent::Evidence evidence;
  evidence.logits.push_back({0, formats::kFloat16, 12, true});
  evidence.logits.push_back({1, formats::kFloat16, 700, true});
  QVERIFY(logits.symptoms(evidence, 0).empty());                          // a bound that is large says nothing yet
  evidence.logits[1].largest = std::numeric_limits<double>::quiet_NaN();  // query and key are made inside
  QVERIFY(logits.symptoms(evidence, 0).empty());
  const auto hidden = logits.hidden();
  QCOMPARE(hidden.size(), std::size_t{2});
  QVERIFY(hidden[0].reason == wire::SilentGap::Reason::kFusedLogits && hidden[1].reason == hidden[0].reason);
  QCOMPARE(hidden[0].site, 0);
  QCOMPARE(hidden[0].largest, std::optional(12.0));
  QVERIFY(!hidden[1].largest);
  evidence.logits[0].largest = 90;
  const auto symptoms = logits.symptoms(evidence, 1);
  QCOMPARE(symptoms.size(), std::size_t{1});
  QVERIFY(symptoms[0].bound && symptoms[0].site == 0);
}

void SilentSymptoms::aLostUpdateIsCounted() {
  silent::Evidence evidence;
  evidence.updates.push_back({"fc1.weight", formats::kBFloat16, 100000, 90112, 0.81, 0.0005, 1});
  evidence.updates.push_back({"fc1.bias", formats::kFloat32, 128, 1, 1e-9, 0.01, 1});
  // A bias before a batch norm has no gradient but what rounding leaves.
  evidence.updates.push_back({"conv1.bias", formats::kFloat32, 16, 3, 0.2, 1e-7, 3e-5});
  const auto symptoms = silent::update_symptoms(evidence);
  QCOMPARE(symptoms.size(), std::size_t{1});
  QCOMPARE(symptoms[0].what, std::string("fc1.weight"));
  QVERIFY(test::sentence(symptoms[0])
              .starts_with("81 % of the update of fc1.weight is lost in bfloat16: 90,112 of 100,000"));
}

/// A tenth of the norm is where a lost update counts: both sides of it, and of what is no gradient at all.
void SilentSymptoms::aTenthOfAnUpdatesNormCounts() {
  const auto named = [](double lost, double gradient, const formats::Format& computed) {
    silent::Evidence evidence;
    evidence.updates.push_back({"fc1.weight", formats::kFloat32, 100, 0, 0, 0.01, 1, computed});
    evidence.updates.push_back({"fc1.bias", formats::kFloat32, 100, 50, lost, 1e-7, gradient, computed});
    return silent::update_symptoms(evidence).size();
  };
  QCOMPARE(named(0.11, 1, formats::kFloat16), std::size_t{1});
  QCOMPARE(named(0.09, 1, formats::kFloat16), std::size_t{0});
  // float16 leaves up to 2^-10 of numbers that cancel, bfloat16 2^-7, float32 next to nothing.
  QCOMPARE(named(0.9, 0.0011, formats::kFloat16), std::size_t{1});
  QCOMPARE(named(0.9, 0.0009, formats::kFloat16), std::size_t{0});
  QCOMPARE(named(0.9, 0.0011, formats::kBFloat16), std::size_t{0});
  QCOMPARE(named(0.9, 0.009, formats::kBFloat16), std::size_t{1});
  QCOMPARE(named(0.9, 0.0009, formats::kFloat32), std::size_t{1});
}

void SilentSymptoms::aSumThatVanishesOrStandsStillIsNamed() {
  silent::Evidence evidence;
  evidence.states.push_back({"w.exp_avg_sq", formats::kFloat16, 100, 60, 0.1, 100, 60});
  evidence.states.push_back({"v.exp_avg_sq", formats::kBFloat16, 100, 95, 0.9, 100, 0});
  evidence.states.push_back({"v.exp_avg", formats::kBFloat16, 100, 1, 0.001, 100, 0});
  evidence.states.push_back({"new", formats::kBFloat16, 0, 0, 0, 0, 0});
  const auto symptoms = silent::state_symptoms(evidence);
  QCOMPARE(symptoms.size(), std::size_t{2});
  QCOMPARE(symptoms[0].amount, 0.6);
  QVERIFY(test::sentence(symptoms[0]).find("holds 0 for 60 of 100 numbers") != std::string::npos);
  QCOMPARE(symptoms[1].amount, 0.9);
  QVERIFY(test::sentence(symptoms[1]).find("does not change for 95 of 100 numbers") != std::string::npos);
}

void SilentSymptoms::wholeNumbersBeyondTheMantissaAreCounted() {
  silent::Evidence evidence;
  evidence.arguments.push_back({.site = 0,
                                .argument = "self",
                                .format = formats::kFloat16,
                                .occupied = 4095,
                                .whole = 4095,
                                .changed = 1024,
                                .largest = 4095});
  const auto symptoms = silent::integer_symptoms(evidence, test::someSites(1));
  QCOMPARE(symptoms.size(), std::size_t{1});
  QCOMPARE(symptoms[0].amount, 1024.0 / 4095);
  QVERIFY(test::sentence(symptoms[0]).find("which holds all of them only up to 2,048; they reach 4095") !=
          std::string::npos);
  QVERIFY(symptoms[0].fix.rules.empty());
  evidence.arguments[0].cast_by_policy = true;
  QCOMPARE(silent::integer_symptoms(evidence, test::someSites(1))[0].fix.rules.size(), std::size_t{1});
  evidence.arguments[0].learnt = true;  // a bias of 3001 is no position
  QVERIFY(silent::integer_symptoms(evidence, test::someSites(1)).empty());
  evidence.arguments[0].learnt = false;
  evidence.arguments[0].changed = 0;  // even numbers only
  QVERIFY(silent::integer_symptoms(evidence, test::someSites(1)).empty());
}

BINADE_SUITE(SilentSymptoms);
#include "tst_symptoms.moc"
