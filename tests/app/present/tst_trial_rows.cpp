// SPDX-License-Identifier: Apache-2.0
// A Try as rows, title, curve and note, and the policies that can be compared.
#include "app/present/policy_choices.h"
#include "app/present/trial_rows.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_try.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

using namespace binade;
using app::TrialRow;

/// The row with this name; an empty one: there is none.
TrialRow rowNamed(const QList<TrialRow>& rows, const QString& name) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const TrialRow& row) { return row.name == name; });
  return found == rows.end() ? TrialRow{} : *found;
}

/// A run with the policies of the made-up Try as revisions 0 and 1.
void feedRevisions(app::RunModel& run) {
  test::feedRun(run, 3);
  wire::PolicyApplied applied = run.policies().back();
  applied.revision = 1;
  applied.step = 3;
  applied.policy = test::fakeTrial().after;
  run.addPolicy(applied);
}

class TrialRows : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void eachQuantityHasBothValuesAndAWord() {
    const QList<TrialRow> rows = app::trialRows(test::fakeTrial());
    const TrialRow loss = rowNamed(rows, QStringLiteral("Loss, mean"));
    QCOMPARE(loss.before, QStringLiteral("2.805"));
    QVERIFY2(loss.after.startsWith(QStringLiteral("2.8")), qPrintable(loss.after));
    QVERIFY2(loss.difference.startsWith(QStringLiteral("−0.005")), qPrintable(loss.difference));
    QCOMPARE(loss.word, QStringLiteral("within noise"));
    QVERIFY(loss.answer == TrialRow::Answer::kNone);
    QCOMPARE(loss.mark.noise, 0.006);
    const TrialRow overflows = rowNamed(rows, QStringLiteral("Overflows"));
    QCOMPARE(overflows.before, QStringLiteral("3"));
    QCOMPARE(overflows.after, QStringLiteral("0"));
    QCOMPARE(overflows.difference, QStringLiteral("−3"));
    QCOMPARE(overflows.word, QStringLiteral("better"));
    QVERIFY(overflows.answer == TrialRow::Answer::kBetter);
    QCOMPARE(rowNamed(rows, QStringLiteral("Skipped steps")).word, QStringLiteral("no difference"));
    QCOMPARE(rowNamed(rows, QStringLiteral("Test loss")).word, QStringLiteral("within noise"));
    const TrialRow time = rowNamed(rows, QStringLiteral("Step time"));
    QCOMPARE(time.before, QStringLiteral("128 ms"));
    QCOMPARE(time.difference, QStringLiteral("+500 µs"));
    QCOMPARE(time.word, QStringLiteral("within noise"));
    QVERIFY(!rowNamed(rows, QStringLiteral("Memory")).name.isEmpty());
    QVERIFY(!rowNamed(rows, QStringLiteral("Loss, last 20")).name.isEmpty());
  }

  // By these figures the verdict can be followed: the interval reaches beyond the noise, and contains 0.
  void aJudgedQuantityHasItsInterval() {
    wire::Trial trial = test::fakeTrial();
    const QList<TrialRow> rows = app::trialRows(trial);
    QCOMPARE(rowNamed(rows, QStringLiteral("Loss, mean")).interval,
             QStringLiteral("95 %: −0.025 to 0.015 · equal up to 0.0060"));
    QCOMPARE(rowNamed(rows, QStringLiteral("Step time")).interval,
             QStringLiteral("95 %: 100 µs to 900 µs · equal up to 1.00 ms"));
    QVERIFY(rowNamed(rows, QStringLiteral("Casts per step")).interval.isEmpty());
    QVERIFY(rowNamed(rows, QStringLiteral("Test loss")).interval.isEmpty());  // one value has no interval
    QVERIFY(rowNamed(rows, QStringLiteral("Loss, mean")).sentence().contains(QStringLiteral("95 %")));
    trial.emulated_after = true;
    QVERIFY(rowNamed(app::trialRows(trial), QStringLiteral("Step time")).interval.isEmpty());
    trial.loss.noise = wire::kNotMeasured;
    QCOMPARE(rowNamed(app::trialRows(trial), QStringLiteral("Loss, mean")).interval,
             QStringLiteral("95 %: −0.025 to 0.015"));
  }

  // The title has the name, and numbers are written as everywhere in the window.
  void theVerdictRepeatsNoTitleAndHasTrueMinusSigns() {
    wire::Trial trial = test::fakeTrial();
    QCOMPARE(app::trialVerdict(trial), QStringLiteral("Removes 3 overflows; the loss is inside the noise."));
    trial.seeds.front().before.overflows = trial.seeds.front().noise.overflows = 0;
    QCOMPARE(app::trialVerdict(trial), QStringLiteral("Inside the noise."));
    const QString verdict = app::trialVerdict(trial) + u' ' + app::trialBasis(trial);
    QVERIFY2(verdict.startsWith(QStringLiteral("Inside the noise. Loss −0.00")), qPrintable(verdict));
    QVERIFY(!verdict.contains(QString::fromStdString(trial.name)));
    QVERIFY2(verdict.contains(QStringLiteral("(−0.025 to ")) && !verdict.contains(u'-'), qPrintable(verdict));
  }

  // Gain and price of an edit come before what only supports the verdict.
  void theRowsOfGainAndPriceComeFirst() {
    QStringList names;
    for (const TrialRow& row : app::trialRows(test::fakeTrial())) names << row.name;
    QCOMPARE(names,
             (QStringList{QStringLiteral("Loss, mean"), QStringLiteral("Overflows"), QStringLiteral("Casts per step"),
                          QStringLiteral("Step time"), QStringLiteral("Skipped steps"), QStringLiteral("Memory"),
                          QStringLiteral("Loss, last 20"), QStringLiteral("Test loss"), QStringLiteral("Loss scale")}));
  }

  void theVerdictHasTheIntervalOfTheLoss() {
    wire::Trial trial = test::fakeTrial();
    QVERIFY(rowNamed(app::trialRows(trial), QStringLiteral("Loss, mean")).told);
    QVERIFY(!rowNamed(app::trialRows(trial), QStringLiteral("Step time")).told);
    trial.verdict = wire::TrialVerdict::kDoesNotRun;
    QVERIFY(!rowNamed(app::trialRows(trial), QStringLiteral("Loss, mean")).told);
  }

  // The window and the command say the same of a floor, since both take it from the Try.
  void theFloorIsSaidWhereItDecides() {
    wire::Trial trial = test::fakeTrial();
    QVERIFY(app::trialSetup(trial).contains(QStringLiteral("how far rounding alone moves the loss")));
    trial.loss = {
        .before = 2, .after = 2.001, .mean = 0.001, .low = 0.0005, .high = 0.0015, .noise = 1e-7, .floor = 0.002};
    const TrialRow loss = rowNamed(app::trialRows(trial), QStringLiteral("Loss, mean"));
    QCOMPARE(loss.word, QStringLiteral("counts as equal"));
    QCOMPARE(loss.mark.noise, 0.002);
    QVERIFY(app::trialSetup(trial).contains(QStringLiteral("what counts as equal")));
    QVERIFY((app::trialVerdict(trial) + app::trialBasis(trial)).contains(QStringLiteral("count as equal")));
    QVERIFY(!app::trialNote(trial).contains(QStringLiteral("moves the loss as far")));
  }

  void repetitionsThatEndAtTwoScalesShowBoth() {
    wire::Trial trial = test::fakeTrial();
    trial.seeds.push_back(trial.seeds.front());
    trial.seeds[0].after.scale = 65536;
    trial.seeds[1].after.scale = 32768;
    const QList<TrialRow> rows = app::trialRows(trial);
    const TrialRow scale = rowNamed(rows, QStringLiteral("Loss scale"));
    QVERIFY2(scale.after.contains(QStringLiteral(" to ")), qPrintable(scale.after));
    QVERIFY(scale.difference.isEmpty());
    QVERIFY(!rowNamed(rows, QStringLiteral("Overflows, sum of 2")).name.isEmpty());
  }

  void castsAreCountedNotMeasured() {
    const TrialRow casts = rowNamed(app::trialRows(test::fakeTrial()), QStringLiteral("Casts per step"));
    QCOMPARE(casts.difference, QStringLiteral("+12"));
    QCOMPARE(casts.word, QStringLiteral("12 more, exact"));
    QCOMPARE(casts.mark.noise, 0.0);
  }

  void theVerdictDecidesTheWordOfTheLoss() {
    wire::Trial trial = test::fakeTrial();
    trial.verdict = wire::TrialVerdict::kDiverged;
    trial.worse_from = 1212;
    const TrialRow loss = app::trialRows(trial).front();
    QCOMPARE(loss.word, QStringLiteral("diverged at step 1,212"));
    QVERIFY(loss.answer == TrialRow::Answer::kWorse);
  }

  void anEmulatedTimeIsNoAnswer() {
    wire::Trial trial = test::fakeTrial();
    trial.seconds = wire::TrialDifference{0.1, 0.5, 0.4, 0.39, 0.41, 0.001};
    QVERIFY(rowNamed(app::trialRows(trial), QStringLiteral("Step time")).answer == TrialRow::Answer::kWorse);
    trial.emulated_after = true;
    const TrialRow time = rowNamed(app::trialRows(trial), QStringLiteral("Step time"));
    QVERIFY(time.answer == TrialRow::Answer::kNone);
    QVERIFY2(time.word.contains(QStringLiteral("emulated")), qPrintable(time.word));
  }

  void anEstimateIsNamedSo() {
    wire::Trial trial = test::fakeTrial();
    trial.estimates.push_back({"H100 SXM5", 0.002, 0.001});
    const TrialRow row = app::trialRows(trial).back();
    QVERIFY2(row.name.contains(QStringLiteral("H100 SXM5")), qPrintable(row.name));
    QVERIFY2(row.word.contains(QStringLiteral("estimated")), qPrintable(row.word));
    QVERIFY(!row.measured);
  }

  void whatNeitherTrainingHasIsLeftOut() {
    wire::Trial trial = test::fakeTrial();
    for (wire::TrialArm* arm : {&trial.seeds[0].before, &trial.seeds[0].after, &trial.seeds[0].noise}) {
      arm->casts = wire::kNotMeasured;
      arm->peak_bytes = wire::kNotMeasured;
      arm->scale = 1;
    }
    trial.evaluation.reset();
    trial.seconds.reset();
    const QList<TrialRow> rows = app::trialRows(trial);
    for (const char* name : {"Casts per step", "Memory", "Loss scale", "Test loss", "Step time"})
      QVERIFY2(rowNamed(rows, QString::fromLatin1(name)).name.isEmpty(), name);
    trial.seeds.clear();
    QVERIFY(app::trialRows(trial).isEmpty());
    QVERIFY(app::trialCurve(trial).empty());
  }

  void theTitleNamesTheRevisions() {
    app::RunModel run;
    test::feedRun(run, 3);
    wire::Trial trial = test::fakeTrial();
    trial.before = run.policies().back().policy;
    QCOMPARE(app::trialTitle(run, trial), QStringLiteral("fc2/aten::linear#0 in float32, against revision 0"));
    app::RunModel edited;
    feedRevisions(edited);
    QCOMPARE(app::trialTitle(edited, trial), QStringLiteral("Revision 1 against 0: fc2/aten::linear#0 in float32"));
    trial.name.clear();
    QCOMPARE(app::trialTitle(edited, trial), QStringLiteral("Revision 1 against 0"));
  }

  void theSetUpSaysFromWhereAndHowLong() {
    wire::Trial trial = test::fakeTrial();
    trial.first_step = 4200;
    QVERIFY(app::trialSetup(trial).startsWith(QStringLiteral("40 steps each from step 4,200, same batches and seed.")));
    trial.complete = false;
    QVERIFY(app::trialSetup(trial).contains(QStringLiteral("ended early")));
  }

  // The interval is ±0.02, and the difference lies 0.0015 beyond the band: 13.3 times narrower takes 178 times the
  // steps.
  void theStepsThatWouldTellGrowWithTheSquare() {
    wire::Trial trial = test::fakeTrial();
    trial.loss.noise = 0.0035;
    QCOMPARE(app::trialNote(trial), QStringLiteral("The loss needs about 7,200 steps to tell more."));
    // The mean lies inside the noise, and the interval does not: a quarter of its width takes 16 times the steps.
    trial.loss.noise = 0.01;
    QCOMPARE(
        app::trialNote(trial),
        QStringLiteral("The interval reaches beyond the noise, so a larger difference is possible. About 640 steps "
                       "would tell more."));
    trial.loss.noise = 0.03;
    QVERIFY(app::trialNote(trial).contains(QStringLiteral("more steps would not tell")));
    trial.verdict = wire::TrialVerdict::kBetter;
    QVERIFY(app::trialNote(trial).isEmpty());
    trial.notes = {"The order of sums differs."};
    QCOMPARE(app::trialNote(trial), QStringLiteral("The order of sums differs."));
  }

  // The interval comes from the steps compared, here a quarter of those that were asked for.
  void theStepsThatWouldTellGrowFromThoseCompared() {
    wire::Trial trial = test::fakeTrial();
    trial.loss.noise = 0.01;
    trial.complete = false;
    trial.seeds[0].noise.losses.resize(10);
    QVERIFY2(app::trialNote(trial).contains(QStringLiteral("About 160 steps would tell more.")),
             qPrintable(app::trialNote(trial)));
  }

  // The note promises no more than the interval allows: its end is three times what counts as equal.
  void theNotePromisesNoMoreThanTheIntervalAllows() {
    wire::Trial trial = test::fakeTrial();
    trial.loss = {
        .before = 2, .after = 2.001, .mean = 0.001, .low = -0.004, .high = 0.006, .noise = 1e-7, .floor = 0.002};
    QVERIFY(!app::trialNote(trial).contains(QStringLiteral("does not matter")));
    QVERIFY2(app::trialNote(trial).contains(QStringLiteral("About 1,000 steps would tell more.")),
             qPrintable(app::trialNote(trial)));
    trial.loss.low = 0.0005;
    trial.loss.high = 0.0015;
    QVERIFY(app::trialNote(trial).contains(QStringLiteral("does not matter")));
  }

  // However far the test loss lies outside its noise: the verdict does not rest on it.
  void theTestLossIsNotJudged() {
    wire::Trial trial = test::fakeTrial();
    trial.evaluation = wire::TrialDifference{2.5, 3.5, 1, 1, 1, 0.01};
    const TrialRow test = rowNamed(app::trialRows(trial), QStringLiteral("Test loss"));
    QCOMPARE(test.word, QStringLiteral("higher"));
    QVERIFY(test.answer == TrialRow::Answer::kNone);
  }

  void aVerdictOnTheLastHalfHasItsRow() {
    wire::Trial trial = test::fakeTrial();
    QVERIFY(rowNamed(app::trialRows(trial), QStringLiteral("Loss, last half")).name.isEmpty());
    trial.late_loss = wire::TrialDifference{2.5, 3.5, 1, 0.75, 1.25, 0.01};
    const TrialRow late = rowNamed(app::trialRows(trial), QStringLiteral("Loss, last half"));
    QCOMPARE(late.word, QStringLiteral("worse"));
    QVERIFY(late.answer == TrialRow::Answer::kWorse);
    QVERIFY(late.interval.contains(QStringLiteral("0.75")));
  }

  void theLastStepsAreComparedInTheBandOfTheVerdict() {
    wire::Trial trial = test::fakeTrial();
    for (double& loss : trial.seeds[0].noise.losses) loss = trial.seeds[0].before.losses.front();  // no sample decides
    trial.loss.noise = 1e-7;
    trial.loss.floor = 0.006;
    const TrialRow last = rowNamed(app::trialRows(trial), QStringLiteral("Loss, last 20"));
    QCOMPARE(last.word, QStringLiteral("counts as equal"));
    QCOMPARE(last.mark.noise, 0.006);
    trial.loss.floor = 0.004;
    QCOMPARE(rowNamed(app::trialRows(trial), QStringLiteral("Loss, last 20")).word, QStringLiteral("lower"));
  }

  void theLastStepsHaveARowIfMoreAreCompared() {
    wire::Trial trial = test::fakeTrial();
    trial.complete = false;
    trial.seeds[0].noise.losses.resize(21);
    QVERIFY(!rowNamed(app::trialRows(trial), QStringLiteral("Loss, last 20")).name.isEmpty());
    trial.seeds[0].noise.losses.resize(20);
    QVERIFY(rowNamed(app::trialRows(trial), QStringLiteral("Loss, last 20")).name.isEmpty());
  }

  void theSetUpNamesTheTrainingsThatMadeTheSteps() {
    wire::Trial trial = test::fakeTrial();
    const auto says = [&trial](const char* text) { return app::trialSetup(trial).contains(QLatin1String(text)); };
    wire::TrialSeed& seed = trial.seeds[0];
    seed.noise.losses.resize(12);
    seed.noise.losses.back() = std::numeric_limits<double>::infinity();
    QVERIFY(says("The training for the noise was given up after 12 of 40 steps"));
    trial.complete = false;
    seed.noise.losses.resize(11);
    QVERIFY(says("rest on 11 of 40 steps: those that all three trainings have, with a finite loss."));
    seed.noise = {};
    seed.after.losses.resize(7);
    QVERIFY(says("rest on 7 of 40 steps: those that both policies have."));
    seed.after = {};
    seed.before.losses.resize(5);
    QVERIFY(says("rest on 5 of 40 steps: those that the policy before has."));
  }

  // Ended during the second repetition, which the verdict does not rest on.
  void aRepetitionThatWasNotFinishedIsInNoRow() {
    wire::Trial trial = test::fakeTrial();
    trial.complete = false;
    trial.seeds.push_back(trial.seeds.front());
    wire::TrialSeed& cut = trial.seeds.back();
    cut.after.losses = {90, 90};
    cut.after.overflows = 70;
    cut.noise = {};
    const QList<TrialRow> rows = app::trialRows(trial);
    QCOMPARE(rowNamed(rows, QStringLiteral("Overflows")).after, QStringLiteral("0"));
    const TrialRow last = rowNamed(rows, QStringLiteral("Loss, last 20"));
    QVERIFY2(last.after.startsWith(QStringLiteral("2.")), qPrintable(last.after));
    QCOMPARE(app::trialCurve(trial).size(), std::size_t{40});
    QVERIFY2(app::trialSetup(trial).contains(QStringLiteral("rest on 40 of 80 steps and 1 of 2 repetitions")),
             qPrintable(app::trialSetup(trial)));
  }

  // Ended, or killed, while the policy before trained: no quantity of the policy after is known, so none is worse.
  void aTryThatEndedBeforeThePolicyAfterJudgesNothing() {
    wire::Trial trial = test::fakeTrial();
    trial.complete = false;
    trial.verdict = wire::TrialVerdict::kUnknown;
    trial.seconds.reset();
    trial.evaluation.reset();
    trial.loss.before = trial.loss.after = trial.loss.mean = wire::kNotMeasured;
    trial.loss.low = trial.loss.high = trial.loss.noise = wire::kNotMeasured;
    trial.seeds.front().after = {};
    trial.seeds.front().noise = {};
    const QList<TrialRow> rows = app::trialRows(trial);
    for (const QString& name :
         {QStringLiteral("Loss, mean"), QStringLiteral("Overflows"), QStringLiteral("Skipped steps")}) {
      const TrialRow row = rowNamed(rows, name);
      QVERIFY2(!row.before.isEmpty() && row.before != QStringLiteral("–"), qPrintable(name));
      QCOMPARE(row.after, QStringLiteral("–"));
      QCOMPARE(row.difference, QStringLiteral("–"));
      QCOMPARE(row.word, QStringLiteral("not known"));
      QVERIFY(row.answer == TrialRow::Answer::kNone);
      QVERIFY(!row.measured);
    }
    for (const TrialRow& row : rows)
      QVERIFY2(!row.sentence().contains(QStringLiteral("NaN")), qPrintable(row.sentence()));
    // A policy that does not run made no step either. The row of the loss says so, the counts are not known.
    trial.verdict = wire::TrialVerdict::kDoesNotRun;
    QCOMPARE(rowNamed(app::trialRows(trial), QStringLiteral("Loss, mean")).word, QStringLiteral("does not run"));
    QCOMPARE(rowNamed(app::trialRows(trial), QStringLiteral("Overflows")).word, QStringLiteral("not known"));
  }

  void theCurveEndsWithTheShortestTraining() {
    wire::Trial trial = test::fakeTrial();
    trial.seeds[0].after.losses.resize(10);
    trial.seeds[0].after.losses[9] = std::numeric_limits<double>::infinity();
    const auto curve = app::trialCurve(trial);
    QCOMPARE(curve.size(), std::size_t{10});
    QCOMPARE(curve.front().step, std::int64_t{200});
    QVERIFY(std::fabs(curve[4].difference + 0.005) < 1e-12);
    QVERIFY(std::isinf(curve.back().difference));
    const auto narrower = [](const app::TrialPoint& a, const app::TrialPoint& b) { return b.noise < a.noise; };
    QVERIFY(std::adjacent_find(curve.begin(), curve.end(), narrower) == curve.end());
  }

  void aRowIsASentenceForScreenReaders() {
    const TrialRow casts = rowNamed(app::trialRows(test::fakeTrial()), QStringLiteral("Casts per step"));
    QCOMPARE(casts.sentence(), QStringLiteral("Casts per step: 214 before, 226 after, difference +12, 12 more, exact"));
  }

  void theChoicesAreThoseOfTheRunEachOnce() {
    app::RunModel run;
    QVERIFY(app::policyChoices(run, {}).isEmpty());
    feedRevisions(run);
    policy::Policy edited = run.policies().back().policy;
    edited.sites.front().format = formats::kBFloat16;
    wire::Trial trial = test::fakeTrial();
    trial.after = edited;
    run.addTrial(trial);
    const QList<app::PolicyChoice> choices = app::policyChoices(run, edited);
    QStringList texts;
    for (const app::PolicyChoice& each : choices) texts << each.text;
    // Revision 0 is the base list alone, and the tried policy is the edited one.
    QCOMPARE(texts, QStringList({QStringLiteral("The edited policy"), QStringLiteral("Revision 1, in force"),
                                 QStringLiteral("Revision 0"), QStringLiteral("Everything in float32")}));
    QVERIFY(choices.front().policy == edited);
    QVERIFY(choices.back().policy.base == policy::Base::kAllFloat32);
  }
};

BINADE_SUITE(TrialRows);

}  // namespace

#include "tst_trial_rows.moc"
