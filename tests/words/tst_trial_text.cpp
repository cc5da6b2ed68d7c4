// SPDX-License-Identifier: Apache-2.0
// The answer of a Try in words and as a table.
#include "engine/words/trial_rows.h"
#include "engine/words/trial_text.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <limits>

using namespace binade;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Two seeds of 4 steps; the losses of the new policy are higher by 0.125.
wire::Trial trialOf(wire::TrialVerdict verdict) {
  wire::Trial trial;
  trial.name = "float16 for fc1";
  trial.steps = 4;
  trial.verdict = verdict;
  for (std::int64_t seed = 0; seed < 2; ++seed) {
    const wire::TrialArm before{.losses = {2.5, 2, 1.5, 1}};
    const wire::TrialArm after{.losses = {2.625, 2.125, 1.625, 1.125}};
    trial.seeds.push_back({.seed = seed, .before = before, .after = after, .noise = before});
  }
  trial.loss = {.before = 1.75, .after = 1.75, .mean = 0.0003, .low = -0.001, .high = 0.0016, .noise = 0.0012};
  return trial;
}

/// The row of this name; an empty one if there is none.
words::TrialRow rowOf(const wire::Trial& trial, const std::string& what) {
  for (const words::TrialRow& row : words::trial_rows(trial)) {
    if (row.what == what) return row;
  }
  return {};
}

bool isAmong(const std::vector<std::string>& facts, const std::string& sentence) {
  return std::find(facts.begin(), facts.end(), sentence) != facts.end();
}

}  // namespace

class TrialText : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theAnswerIsOneSentenceAndItsEvidence();
  void aVerdictNamesOverflowsThatGoOrCome();
  void aVerdictNamesItsStep();
  void aDifferenceHasTheDigitsThatItsNoiseDeserves();
  void theFloorIsSaidWhereItDecides();
  void equalLossesAreSaidToBeEqual();
  void aPolicyThatDoesNotRunSaysWhy();
  void whatIsUnknownSaysWhy();
  void aLossThatIsNotFiniteHasNoDifference();
  void aDifferenceWithoutNoiseNamesNone();
  void anEvaluationIsADifferenceToo();
  void aVerdictOnTheLastHalfSaysSo();
  void aTimeOfAnEmulationSaysSo();
  void anEstimateIsCalledOne();
  void whatWasEndedEarlySaysSo();
  void aSeedThatWasNotFinishedIsInNeitherTableNorSentence();
  void aTrainingThatWasGivenUpIsComparedOverItsSteps();
  void theStepsOfThePolicyBeforeAloneAreNamedSo();
  void theTableHasARowForWhatIsKnown();
  void theLastStepsHaveARowIfEverySeedHasMore();
  void theTableMarksTheEmulatedPolicyOnly();
  void theTableHasTheDifferenceOfTheVerdict();
};

void TrialText::theAnswerIsOneSentenceAndItsEvidence() {
  QCOMPARE(
      words::sentence_of(trialOf(wire::TrialVerdict::kInsideNoise)),
      std::string("float16 for fc1: inside the noise. Loss +0.0003 (-0.0010 to 0.0016), rounding alone moves it by "
                  "0.0012."));
  wire::Trial nameless = trialOf(wire::TrialVerdict::kBetter);
  nameless.name.clear();
  QVERIFY(words::sentence_of(nameless).starts_with("Better. Loss +0.0003"));
  const wire::Trial better = trialOf(wire::TrialVerdict::kBetter);
  QCOMPARE(words::verdict_sentence(better) + " " + words::verdict_basis(better), words::sentence_of(nameless));
}

void TrialText::aVerdictNamesOverflowsThatGoOrCome() {
  wire::Trial trial = trialOf(wire::TrialVerdict::kInsideNoise);
  trial.seeds[0].before.overflows = trial.seeds[0].noise.overflows = 3;
  const std::string removes = "Removes 3 overflows; the loss is ";
  QCOMPARE(words::verdict_sentence(trial), removes + "inside the noise.");
  QVERIFY(words::sentence_of(trial).starts_with(
      "float16 for fc1: removes 3 overflows; the loss is inside the noise. Loss +0.0003"));
  trial.verdict = wire::TrialVerdict::kBetter;
  QCOMPARE(words::verdict_sentence(trial), removes + "better.");
  trial.verdict = wire::TrialVerdict::kWorse;  // the gain does not come before the loss
  trial.worse_from = 12;
  QCOMPARE(words::verdict_sentence(trial), std::string("Worse from step 12; removes 3 overflows."));
  trial.verdict = wire::TrialVerdict::kUnknown;
  QCOMPARE(words::verdict_sentence(trial), std::string("Unknown."));
  trial.verdict = wire::TrialVerdict::kInsideNoise;
  trial.seeds[0].after.overflows = 4;
  QCOMPARE(words::verdict_sentence(trial), std::string("Adds 1 overflow; the loss is inside the noise."));
  // Rounding alone makes as many.
  trial.seeds[0].noise.overflows = 4;
  QCOMPARE(words::verdict_sentence(trial), std::string("Inside the noise."));
}

void TrialText::aVerdictNamesItsStep() {
  wire::Trial trial = trialOf(wire::TrialVerdict::kWorse);
  QCOMPARE(words::verdict_text(trial), std::string("worse"));
  trial.worse_from = 1200;
  QCOMPARE(words::verdict_text(trial), std::string("worse from step 1,200"));
  trial.verdict = wire::TrialVerdict::kDiverged;
  QCOMPARE(words::verdict_text(trial), std::string("diverged at step 1,200"));
  trial.verdict = wire::TrialVerdict::kInsideNoise;
  QCOMPARE(words::verdict_text(trial), std::string("inside the noise"));
  QCOMPARE(words::verdict_text(wire::TrialVerdict::kDoesNotRun), std::string("does not run"));
  QCOMPARE(words::verdict_text(wire::TrialVerdict::kUnknown), std::string("unknown"));
}

void TrialText::aDifferenceHasTheDigitsThatItsNoiseDeserves() {
  const auto text = [](double mean, double low, double high, double noise) {
    return words::difference_text({.mean = mean, .low = low, .high = high, .noise = noise});
  };
  QCOMPARE(text(12.25, 10, 14.5, 3), std::string("+12 (10 to 14), rounding alone moves it by 3"));
  QCOMPARE(text(-0.5, -0.5, -0.5, 0.25), std::string("-0.50, rounding alone moves it by 0.25"));
  QCOMPARE(text(-0.00001, -0.3, 0.2, 0.1), std::string("+0.00 (-0.30 to 0.20), rounding alone moves it by 0.10"));
  QCOMPARE(text(2.5e-9, 0, 5e-9, 1e-9), std::string("+2.5e-09 (0 to 5e-09), rounding alone moves it by 1e-09"));
  QCOMPARE(text(0, 0, 0, 0), std::string("+0, rounding alone moves it by 0"));
  // Far smaller than the interval, and still not 0.
  QCOMPARE(text(0.04, -0.03, 0.12, 0.0023), std::string("+0.04 (-0.03 to 0.12), rounding alone moves it by 0.0023"));
  // One notation within a sentence.
  QCOMPARE(text(6e-7, -8e-7, 2e-6, 9.145e-9),
           std::string("+6e-07 (-8e-07 to 2e-06), rounding alone moves it by 9.1e-09"));
  QCOMPARE(text(0.04, -0.03, 0.12, 1e-8),
           std::string("+0.04 (-0.03 to 0.12), rounding alone moves it by less than 0.0001"));
}

void TrialText::theFloorIsSaidWhereItDecides() {
  wire::Trial trial = trialOf(wire::TrialVerdict::kInsideNoise);
  const auto says_so = [&trial] { return words::sentence_of(trial).find("count as equal") != std::string::npos; };
  trial.loss = {.before = 2, .after = 2.001, .mean = 0.001, .low = 0.0005, .high = 0.0015, .noise = 1e-7};
  const std::string measured = "+0.0010 (0.0005 to 0.0015), rounding alone moves it by less than 0.0001";
  QCOMPARE(words::loss_text(trial), measured);
  trial.loss.floor = 0.002;
  QCOMPARE(words::loss_text(trial), measured + "; differences below 0.1 % of the loss count as equal");
  QVERIFY(says_so());
  trial.verdict = wire::TrialVerdict::kUnknown;  // too few steps: nothing was judged
  QVERIFY(!says_so());
  trial.verdict = wire::TrialVerdict::kInsideNoise;
  trial.loss.noise = 0.002;  // the measurement alone says as much
  QVERIFY(!says_so());
  // The mean lies inside the noise, so the floor decides nothing, however far the interval reaches.
  trial.loss = {.before = 2, .after = 2, .mean = 5e-4, .low = -0.002, .high = 0.003, .noise = 0.001, .floor = 0.002};
  QVERIFY(!says_so());
  trial.loss = {.before = 2, .after = 2, .mean = 0, .low = 0, .high = 0, .noise = 1e-7, .floor = 0.002};
  QVERIFY(!says_so());
}

void TrialText::equalLossesAreSaidToBeEqual() {
  wire::Trial trial = trialOf(wire::TrialVerdict::kInsideNoise);
  for (wire::TrialSeed& seed : trial.seeds) seed.after = seed.before;
  QCOMPARE(words::sentence_of(trial),
           std::string("float16 for fc1: inside the noise. The loss of every step is the same to the bit."));
  trial.seeds[1].after.losses.back() += 1e-7;
  QVERIFY(words::sentence_of(trial).find("to the bit") == std::string::npos);
}

void TrialText::aPolicyThatDoesNotRunSaysWhy() {
  wire::Trial trial = trialOf(wire::TrialVerdict::kDoesNotRun);
  trial.seeds[1].after.failure = "fc1 has no kernel for float8_e4m3fn";
  QCOMPARE(words::sentence_of(trial),
           std::string("float16 for fc1: does not run. fc1 has no kernel for float8_e4m3fn."));
}

void TrialText::whatIsUnknownSaysWhy() {
  wire::Trial trial = trialOf(wire::TrialVerdict::kUnknown);
  QVERIFY(words::sentence_of(trial).ends_with("More steps or seeds can tell."));
  trial.seeds[0].after.skipped = 4;
  QVERIFY(words::sentence_of(trial).ends_with("since its loss scale does not fit yet. More steps can tell."));
  trial.seeds[0].after.skipped = 0;
  trial.seeds[0].noise.finite_weights = false;
  QVERIFY(words::sentence_of(trial).ends_with("Rounding alone makes the policy before diverge."));
  trial.seeds[0].before.losses.back() = kNaN;
  QVERIFY(words::sentence_of(trial).ends_with("the one tried does not. Compare it with float32."));
  trial.after.base = policy::Base::kAllFloat32;  // which it is already
  QVERIFY(words::sentence_of(trial).find("Compare it with float32") == std::string::npos);
  QVERIFY(words::sentence_of(trial).find("search --for repair") != std::string::npos);
  trial.seeds[0].after.skipped = 4;
  QVERIFY(words::sentence_of(trial).ends_with("The policy before diverges as well."));
  trial.seeds[0].before.failure = "no memory.";
  QVERIFY(words::sentence_of(trial).ends_with("The policy before fails: no memory."));
  trial.seeds.clear();
  QCOMPARE(words::sentence_of(trial), std::string("float16 for fc1: unknown. The policy tried made no step."));
}

void TrialText::aLossThatIsNotFiniteHasNoDifference() {
  wire::Trial trial = trialOf(wire::TrialVerdict::kDiverged);
  trial.worse_from = 2;
  trial.loss = {.before = 1.75, .after = kInfinity, .mean = kInfinity, .low = kInfinity, .high = kInfinity};
  QCOMPARE(words::sentence_of(trial), std::string("float16 for fc1: diverged at step 2. Loss 1.75 before, inf after."));
  trial.seeds[1].after.finite_weights = false;
  QVERIFY(words::sentence_of(trial).ends_with(" At the end a weight is NaN or infinite."));
}

void TrialText::aDifferenceWithoutNoiseNamesNone() {
  const wire::TrialDifference unknown{.before = 2, .after = 2.5, .mean = 0.5, .low = 0.5, .high = 0.5, .noise = kNaN};
  QCOMPARE(words::difference_text(unknown), std::string("+0.50"));
}

void TrialText::anEvaluationIsADifferenceToo() {
  wire::Trial trial = trialOf(wire::TrialVerdict::kInsideNoise);
  QVERIFY(words::facts_of(trial).empty());
  trial.evaluation = {.before = 2, .after = 2.5, .mean = 0.5, .low = 0.25, .high = 0.75, .noise = 0.125};
  QCOMPARE(words::facts_of(trial),
           std::vector<std::string>{"Evaluation +0.50 (0.25 to 0.75), rounding alone moves it by 0.12."});
}

void TrialText::aVerdictOnTheLastHalfSaysSo() {
  wire::Trial trial = trialOf(wire::TrialVerdict::kWorse);
  QVERIFY(words::facts_of(trial).empty());
  trial.late_loss = {.before = 2, .after = 2.5, .mean = 0.5, .low = 0.25, .high = 0.75, .noise = 0.125};
  QCOMPARE(words::facts_of(trial),
           std::vector<std::string>{"The verdict rests on the last half of the steps, with a loss of +0.50 (0.25 to "
                                    "0.75), rounding alone moves it by 0.12."});
}

void TrialText::aTimeOfAnEmulationSaysSo() {
  wire::Trial trial = trialOf(wire::TrialVerdict::kInsideNoise);
  trial.seconds = {.before = 0.01, .after = 0.02, .mean = 0.01, .low = 0.009, .high = 0.011, .noise = 0.001};
  QVERIFY(
      isAmong(words::facts_of(trial), "A step takes 10 ms before, 20 ms after (+100.0 %, 95 %: +90.0 to +110.0 %)."));
  trial.emulated_after = true;
  QVERIFY(isAmong(words::facts_of(trial),
                  "A step takes 10 ms before, 20 ms emulated after. A time that is emulated says nothing about the "
                  "formats."));
}

void TrialText::anEstimateIsCalledOne() {
  wire::Trial trial = trialOf(wire::TrialVerdict::kInsideNoise);
  trial.estimates = {{.gpu = "H100 SXM5", .before = 0.0005, .after = 0.00025}};
  QVERIFY(
      isAmong(words::facts_of(trial),
              "On H100 SXM5 the products and casts of a step take at least 500 µs before, 250 µs after: an estimate "
              "from quoted figures."));
}

void TrialText::whatWasEndedEarlySaysSo() {
  wire::Trial trial = trialOf(wire::TrialVerdict::kInsideNoise);
  trial.complete = false;
  trial.seeds[1].noise.losses.clear();
  QVERIFY(isAmong(words::facts_of(trial), "It was ended early, after 20 steps of its trainings."));
  trial.notes = {"the data was not checked"};
  QVERIFY(isAmong(words::facts_of(trial), "Note: the data was not checked."));
}

// Ended during the second seed: its policy tried went on to much higher losses, which nothing can be compared with.
void TrialText::aSeedThatWasNotFinishedIsInNeitherTableNorSentence() {
  wire::Trial trial = trialOf(wire::TrialVerdict::kInsideNoise);
  trial.complete = false;
  for (wire::TrialSeed& seed : trial.seeds) {
    for (wire::TrialArm* arm : {&seed.before, &seed.after, &seed.noise}) arm->evaluation = 2;
  }
  trial.seeds[0].after.overflows = 1;
  trial.seeds[1].after.losses = {90, 90};
  trial.seeds[1].after.overflows = 7;
  trial.seeds[1].after.evaluation.reset();
  trial.seeds[1].before.evaluation = 60;
  trial.seeds[1].noise = {};
  const words::TrialRow loss = rowOf(trial, "loss, mean of the steps");
  QCOMPARE(loss.before, std::string("1.75"));
  QCOMPARE(loss.after, std::string("1.875"));
  QCOMPARE(loss.noise, std::string("1.75"));
  QCOMPARE(rowOf(trial, "overflows").after, std::string("1"));
  QCOMPARE(rowOf(trial, "loss on the test data").before, std::string("2"));
  QVERIFY(isAmong(words::facts_of(trial),
                  "The figures rest on 4 of 8 steps and 1 of 2 seeds: those that all three trainings have, with a "
                  "finite loss."));
  // A third training that was begun has steps to compare with.
  trial.seeds[1].noise.losses = {2.5};
  QCOMPARE(rowOf(trial, "loss, mean of the steps").after, std::string("45.94"));  // of 1.875 and 90
  QCOMPARE(rowOf(trial, "overflows, sum of 2 seeds").after, std::string("8 in 6"));
  QVERIFY(isAmong(words::facts_of(trial),
                  "The figures rest on 5 of 8 steps: those that all three trainings have, with a finite loss."));
}

// The policy before diverges: the one tried went on, and its later steps have nothing to be compared with.
void TrialText::aTrainingThatWasGivenUpIsComparedOverItsSteps() {
  wire::Trial trial = trialOf(wire::TrialVerdict::kUnknown);
  trial.steps = 6;
  trial.seeds.resize(1);
  trial.seeds[0].before.losses = trial.seeds[0].noise.losses = {2, kNaN, kNaN, kNaN};
  trial.seeds[0].after.losses = {2, 2, 2, 2, 1, 1};
  const words::TrialRow loss = rowOf(trial, "loss, mean of the steps");
  QCOMPARE(loss.before, std::string("nan"));
  QCOMPARE(loss.after, std::string("2"));
  const words::TrialRow lost = rowOf(trial, "steps without a finite loss");
  QCOMPARE(lost.before, std::string("3 in 4"));
  QCOMPARE(lost.after, std::string("0 in 6"));
  const std::vector<std::string> facts = words::facts_of(trial);
  QVERIFY(
      isAmong(facts, "The training before was given up after 4 of 6 steps, since its losses were no longer finite."));
  QVERIFY(isAmong(facts, "The figures rest on 4 of 6 steps: those that both policies have."));
  // A training that was cut by the end of the Try was not given up, whatever its last loss.
  trial.complete = false;
  trial.seeds[0].after = trial.seeds[0].noise = {};
  for (const std::string& fact : words::facts_of(trial)) QVERIFY(fact.find("given up") == std::string::npos);
}

// Ended during the first training.
void TrialText::theStepsOfThePolicyBeforeAloneAreNamedSo() {
  wire::Trial trial = trialOf(wire::TrialVerdict::kUnknown);
  trial.complete = false;
  trial.seeds.resize(1);
  trial.seeds[0].before.losses.resize(3);
  trial.seeds[0].after = trial.seeds[0].noise = {};
  QVERIFY(isAmong(words::facts_of(trial), "The figures rest on 3 of 4 steps: those that the policy before has."));
}

// However many were asked for: without more steps compared, their mean is that of all.
void TrialText::theLastStepsHaveARowIfEverySeedHasMore() {
  wire::Trial trial = trialOf(wire::TrialVerdict::kUnknown);
  trial.complete = false;
  trial.steps = 50;
  for (wire::TrialSeed& seed : trial.seeds) {
    for (wire::TrialArm* arm : {&seed.before, &seed.after, &seed.noise}) arm->losses.assign(21, 2);
  }
  QVERIFY(!rowOf(trial, "loss, mean of the last 20 steps").what.empty());
  trial.seeds[1].noise.losses.resize(20);
  QVERIFY(rowOf(trial, "loss, mean of the last 20 steps").what.empty());
}

// Means with four digits may be equal where the verdict is not.
void TrialText::theTableHasTheDifferenceOfTheVerdict() {
  wire::Trial trial = trialOf(wire::TrialVerdict::kInsideNoise);
  const words::TrialRow difference = rowOf(trial, "loss, mean difference");
  QCOMPARE(difference.before, std::string());
  QCOMPARE(difference.after, std::string("+0.0003 (-0.0010 to 0.0016)"));
  QCOMPARE(difference.noise, std::string("0.0012"));
  trial.loss.floor = 0.002;
  QCOMPARE(rowOf(trial, "loss, mean difference").noise, std::string("0.0020 (floor)"));
  trial.loss.noise = kNaN;
  QCOMPARE(rowOf(trial, "loss, mean difference").noise, std::string());
  trial.loss.mean = kInfinity;
  QVERIFY(rowOf(trial, "loss, mean difference").what.empty());
}

void TrialText::theTableHasARowForWhatIsKnown() {
  wire::Trial trial = trialOf(wire::TrialVerdict::kInsideNoise);
  trial.seeds[0].after.overflows = 2;
  trial.seeds[1].after.overflows = 3;
  trial.seeds[1].before.evaluation = 0.5;
  trial.seeds[1].after.cast_bytes = 3072;
  const auto loss = rowOf(trial, "loss, mean of the steps");
  QCOMPARE(loss.before, std::string("1.75"));
  QCOMPARE(loss.after, std::string("1.875"));
  QCOMPARE(loss.noise, std::string("1.75"));
  QCOMPARE(rowOf(trial, "overflows, sum of 2 seeds").after, std::string("5"));
  QCOMPARE(rowOf(trial, "loss scale at the end").before, std::string("2^0"));
  trial.seeds[0].after.scale = 65536;
  trial.seeds[1].after.scale = 32768;
  QCOMPARE(rowOf(trial, "loss scale at the end").after, std::string("2^15 to 2^16"));  // no training had the mean
  for (wire::TrialSeed& seed : trial.seeds) {
    for (wire::TrialArm* arm : {&seed.before, &seed.after, &seed.noise}) arm->scale = kNaN;  // no scaler
  }
  QVERIFY(rowOf(trial, "loss scale at the end").what.empty());
  QCOMPARE(rowOf(trial, "loss on the test data").before, std::string("0.5"));
  QCOMPARE(rowOf(trial, "loss on the test data").after, std::string());
  QCOMPARE(rowOf(trial, "bytes written by casts in a step").after, std::string("3.072 kB"));
  QVERIFY(rowOf(trial, "memory of a step").what.empty());
  QVERIFY(rowOf(trial, "accuracy on the test data").what.empty());
  // The mean of the last 20 steps, not of all.
  trial.steps = 50;
  trial.seeds.resize(1);
  for (wire::TrialArm* arm : {&trial.seeds[0].before, &trial.seeds[0].after, &trial.seeds[0].noise}) {
    arm->losses.assign(50, 8);
    std::fill_n(arm->losses.rbegin(), 20, 1);
  }
  QCOMPARE(rowOf(trial, "loss, mean of the steps").before, std::string("5.2"));
  QCOMPARE(rowOf(trial, "loss, mean of the last 20 steps").before, std::string("1"));
  trial.seeds.clear();
  QVERIFY(words::trial_rows(trial).empty());
}

void TrialText::theTableMarksTheEmulatedPolicyOnly() {
  wire::Trial trial = trialOf(wire::TrialVerdict::kInsideNoise);
  trial.emulated_after = true;
  for (wire::TrialSeed& seed : trial.seeds) {
    for (wire::TrialArm* arm : {&seed.before, &seed.after, &seed.noise}) arm->seconds = 0.002;
  }
  const auto time = rowOf(trial, "time of a step");
  QCOMPARE(time.before, std::string("2 ms"));
  QCOMPARE(time.after, std::string("2 ms emulated"));
  QCOMPARE(time.noise, std::string("2 ms"));
}

BINADE_SUITE(TrialText);
#include "tst_trial_text.moc"
