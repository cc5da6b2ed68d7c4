// SPDX-License-Identifier: Apache-2.0
// Everything done to a run as one list, and any two entries of it compared.
#include "app/model/run_file_source.h"
#include "app/present/history_comparison.h"
#include "app/present/history_rows.h"
#include "app/present/policy_change.h"
#include "engine/record/run_writer.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_run.h"
#include "tests/app/fake_try.h"
#include "tests/support/suite.h"
#include "views/values/roles.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <functional>

namespace {

using namespace binade;
using app::HistoryEntry;
using app::RunModel;
using HistoryKind = app::HistoryEntry::Kind;

policy::Policy ruleAdded(policy::Policy policy, const std::string& match, const formats::Format& format) {
  policy::SiteRule& rule = policy.sites.emplace_back();
  rule.match = match;
  rule.format = format;
  return policy;
}

const policy::Policy kFirstPolicy = test::FakeRun::config().policy;
const policy::Policy kFc1Edit = ruleAdded(kFirstPolicy, "fc1/aten::linear#0", formats::kFloat32);
const policy::Policy kLayer1Edit = ruleAdded(kFc1Edit, "layer1.0", formats::kBFloat16);

/// A live run of 20 steps, and what an engine reports about it, in its order.
struct EditedRun {
  EditedRun() {
    model.begin(fake.started(), RunModel::Source::kLive);
    model.setState({wire::RunState::kRunning, 0});
    step(20);
  }
  void step(int count) {
    for (int i = 0; i < count; ++i) model.addSteps({fake.next()});
  }
  void apply(const policy::Policy& policy, int revision) { model.addPolicy(fake.setPolicy(policy, revision)); }
  QList<HistoryEntry> history() const { return app::historyOf(model); }

  test::FakeRun fake;
  RunModel model;
};

QString timelineText(const QList<HistoryEntry>& entries) {
  QStringList lines;
  for (const app::CellRow& row : app::historyRows(entries)) lines << row.cells[0].value(Qt::DisplayRole).toString();
  return lines.join(u'\n');
}

class Histories : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void editsAreNamedByWhatTheyChange() {
    EditedRun run;
    run.apply(kFc1Edit, 1);
    run.step(5);
    run.apply(kLayer1Edit, 2);
    policy::Policy ops = kLayer1Edit;
    ops.ops["aten::relu"] = formats::kFloat16;
    run.apply(ops, 3);
    const QList<HistoryEntry> all = run.history();
    QCOMPARE(all.size(), 4);
    QCOMPARE(all[0].title, QStringLiteral("aten::relu"));
    QCOMPARE(all[0].format, QStringLiteral("float16"));
    QVERIFY(all[0].in_force && !all[1].in_force);
    QCOMPARE(all[1].title, QStringLiteral("layer1.0"));
    QCOMPARE(all[1].format, QStringLiteral("bfloat16"));
    QCOMPARE(all[1].revision, 2);
    QCOMPARE(all[1].facts, QStringLiteral("step 25"));
    QCOMPARE(all[2].title, QStringLiteral("fc1/aten::linear#0"));
    QCOMPARE(all[2].step, std::int64_t{20});
    QCOMPARE(all[3].title, QStringLiteral("base list cuda-amp"));
    QCOMPARE(all[3].facts, QStringLiteral("start"));
    QVERIFY(all[3].kind == HistoryKind::kStart && all[0].kind == HistoryKind::kEdit);
  }

  void severalRulesAreNamedByTheirModuleAndOp() {
    EditedRun run;
    policy::Policy both = ruleAdded(kFirstPolicy, "layer1.0.conv1/aten::conv2d#0", formats::kBFloat16);
    both = ruleAdded(both, "layer1.0.conv2/aten::conv2d#0", formats::kBFloat16);
    const auto change = app::policyChange(kFirstPolicy, both, run.model.sites());
    QCOMPARE(change.title, QStringLiteral("layer1.0: 2 × aten::conv2d"));
    QCOMPARE(change.format, QStringLiteral("bfloat16"));
    // Modules with a common start of their names are not one module.
    policy::Policy far = ruleAdded(kFirstPolicy, "conv1/aten::conv2d#0", formats::kBFloat16);
    far = ruleAdded(far, "fc1/aten::linear#0", formats::kFloat32);
    const auto mixed = app::policyChange(kFirstPolicy, far, run.model.sites());
    QCOMPARE(mixed.title, QStringLiteral("2 op calls"));
    QVERIFY(mixed.format.isEmpty());
    QVERIFY(app::policyChange(both, kFirstPolicy, run.model.sites()).removes);
  }

  void aRuleThatMatchesNothingWarns() {
    EditedRun run;
    run.apply(ruleAdded(kFirstPolicy, "no_such_module", formats::kFloat32), 1);
    const HistoryEntry edit = run.history().front();
    QVERIFY(edit.warns);
    QCOMPARE(edit.title, QStringLiteral("no_such_module: nothing matches"));
    const app::CellRow row = app::historyRows({edit}).front();
    QCOMPARE(row.cells[0].value(views::VerdictRole).toInt(), static_cast<int>(views::VerdictShape::kTight));
    policy::Policy op = kFirstPolicy;
    op.ops["aten::gelu"] = formats::kFloat32;
    QVERIFY(!app::policyChange(kFirstPolicy, op, run.model.sites()).matches);
    op.ops = {{"aten::relu", formats::kFloat32}};
    QVERIFY(app::policyChange(kFirstPolicy, op, run.model.sites()).matches);
  }

  void anUndoneEditStaysAndARedoBringsItBack() {
    EditedRun run;
    run.apply(kFc1Edit, 1);
    run.step(1);
    run.apply(kLayer1Edit, 2);
    run.step(1);
    run.apply(kFirstPolicy, 3);  // two undone at once
    QList<HistoryEntry> all = run.history();
    QCOMPARE(all.size(), 3);
    QVERIFY(all[0].undone && all[1].undone && !all[2].undone && all[2].in_force);
    QCOMPARE(all[0].facts, QStringLiteral("step 21, undone at step 22"));
    QVERIFY(app::historyRows(all)[0].cells[0].value(views::StruckRole).toBool());
    run.apply(kFc1Edit, 4);
    all = run.history();
    QVERIFY(all[0].undone && !all[1].undone && all[1].in_force);
    QCOMPARE(all[1].facts, QStringLiteral("step 20, again since step 22"));
    // Another edit: what was undone cannot be redone any more, but stays in the list.
    run.apply(ruleAdded(kFc1Edit, "fc2/aten::linear#0", formats::kFloat32), 5);
    run.apply(kLayer1Edit, 6);
    all = run.history();
    QCOMPARE(all.size(), 5);
    QVERIFY(all[0].in_force && !all[0].undone && all[2].undone);
  }

  void aRedoHasTheFiguresOfTheRevisionInForce() {
    EditedRun run;
    run.apply(kFc1Edit, 1);
    run.step(10);
    run.apply(kFirstPolicy, 2);
    run.step(5);
    run.apply(kFc1Edit, 3);
    run.step(4);
    const QList<HistoryEntry> all = run.history();
    QCOMPARE(all.size(), 2);
    QCOMPARE(all[0].revision, 3);
    QCOMPARE(all[0].step, std::int64_t{20});
    QCOMPARE(all[0].since, std::int64_t{35});
    QCOMPARE(all[1].revision, 2);
    const QString text = app::compareEntries(run.model, all[1], all[0])->text();
    QVERIFY2(text.contains(QStringLiteral("of the last 5 →")) && text.contains(QStringLiteral("of the last 4\n")),
             qPrintable(text));
  }

  void anEditAfterTheEndWaitsForTheNextRun() {
    EditedRun run;
    run.apply(kFc1Edit, 1);
    run.step(5);
    QCOMPARE(app::historyOf(run.model, &kLayer1Edit).size(), 2);  // an engine is about to report it
    run.model.addCheckpoint({"/runs/end-25", 25, "step", 0, "sample:cnn", 1});
    run.model.finish({wire::Outcome::kCompleted, 25, "", ""});
    QCOMPARE(app::historyOf(run.model, &kFc1Edit).size(), 2);
    QList<HistoryEntry> all = app::historyOf(run.model, &kLayer1Edit);
    QCOMPARE(all.size(), 3);
    QVERIFY(all[0].waits && all[0].in_force && !all[1].in_force);
    QCOMPARE(all[0].title, QStringLiteral("layer1.0"));
    QCOMPARE(all[0].facts, QStringLiteral("waits for the next run"));
    QCOMPARE(all[0].checkpoint, QStringLiteral("/runs/end-25"));
    QVERIFY(all[0].policy == kLayer1Edit && all[0].against == kFc1Edit);
    QVERIFY(!timelineText(all).contains(QStringLiteral("in force")));
    QVERIFY(app::historyDetail(run.model, all[0]).contains(QStringLiteral("next run")));
    // An undo after the end brings back the policy before.
    all = app::historyOf(run.model, &kFirstPolicy);
    QCOMPARE(all.size(), 2);
    QVERIFY(all[0].undone && all[1].in_force);
    QVERIFY2(all[0].facts.contains(QStringLiteral("undone after the end")), qPrintable(all[0].facts));
  }

  void aRewindRemovesNothingAndUndoesWhatItTakesBack() {
    EditedRun run;
    run.model.addCheckpoint({"/runs/edit-20", 20, "edit", 0, "sample:cnn", 1});
    run.apply(kFc1Edit, 1);
    run.step(10);
    run.model.add(wire::Rewound{20, "/runs/edit-20"});
    run.model.addScaler({20, run.model.config().scaler, 1024});  // restored, not edited
    wire::PolicyApplied restored = run.model.policies().front();
    restored.revision = 2;
    restored.step = 20;
    run.model.addPolicy(restored);
    const QList<HistoryEntry> all = run.history();
    QCOMPARE(all.size(), 3);
    QVERIFY(all[0].kind == HistoryKind::kRewind);
    QCOMPARE(all[0].title, QStringLiteral("rewound to step 20"));
    QCOMPARE(all[0].facts, QStringLiteral("from step 30"));
    QCOMPARE(all[1].title, QStringLiteral("fc1/aten::linear#0"));
    QVERIFY(all[1].undone);
    QVERIFY2(all[1].facts.contains(QStringLiteral("undone by the rewind to step 20")), qPrintable(all[1].facts));
    QCOMPARE(all[1].checkpoint, QStringLiteral("/runs/edit-20"));
    QVERIFY(all[2].in_force);
    // A rewind under the present policy undoes no edit.
    EditedRun kept;
    kept.apply(kFc1Edit, 1);
    kept.step(5);
    wire::PolicyApplied same = kept.model.policies().back();
    kept.model.add(wire::Rewound{22, "/runs/other"});
    same.step = 22;
    kept.model.addPolicy(same);
    QVERIFY(!kept.history()[1].undone && kept.history()[1].in_force);
  }

  void onlyTheCheckpointOfTheEditIsItsOwn() {
    EditedRun run;
    run.model.addCheckpoint({"/runs/step-10", 10, "step", 0, "sample:cnn", 1});
    run.apply(kFc1Edit, 1);
    QVERIFY(run.history().front().checkpoint.isEmpty());
    run.model.addCheckpoint({"/runs/edit-5", 5, "edit", 0, "sample:cnn", 1});
    run.apply(kLayer1Edit, 2);  // at step 20
    QVERIFY(run.history().front().checkpoint.isEmpty());
    const QString file = test::temporaryFolder() + QStringLiteral("/edit.safetensors");
    run.model.addCheckpoint({file.toStdString(), 20, "edit", 0, "sample:cnn", 1});
    run.apply(kFirstPolicy, 3);
    run.apply(ruleAdded(kFirstPolicy, "fc2", formats::kFloat32), 4);
    QVERIFY(!app::hasCheckpoint(run.history().front()));
    run.model.addCheckpoint({file.toStdString(), 20, "edit", 0, "sample:cnn", 1});
    run.apply(ruleAdded(kFirstPolicy, "conv1", formats::kFloat32), 5);
    QCOMPARE(run.history().front().checkpoint, file);
    QVERIFY(!app::hasCheckpoint(run.history().front()));
    QFile saved(file);
    QVERIFY(saved.open(QIODevice::WriteOnly));
    QVERIFY(app::hasCheckpoint(run.history().front()));
  }

  void editsOfAScalerAreEntriesToo() {
    EditedRun run;
    wire::ScalerConfig tuned = run.model.config().scaler;
    tuned.growth_interval = 9;
    run.model.addScaler({20, tuned, 1024});
    run.model.addScaler({20, tuned, 512});
    const QList<HistoryEntry> all = run.history();
    QCOMPARE(all.size(), 3);
    QVERIFY(all[0].kind == HistoryKind::kScaler && !all[0].policy && all[0].revision < 0);
    QVERIFY2(all[0].title.contains(QStringLiteral("2⁹")), qPrintable(all[0].title));
    QVERIFY2(all[1].title.contains(QStringLiteral("growth interval")), qPrintable(all[1].title));
  }

  void aTryStandsWhereItWasMadeAndItsVerdictAtItsEdit() {
    EditedRun run;
    run.apply(kFc1Edit, 1);
    wire::Trial trial = test::fakeTrial();
    trial.before = kFirstPolicy;
    trial.after = kFc1Edit;
    trial.verdict = wire::TrialVerdict::kWorse;
    trial.worse_from = 212;
    trial.complete = false;
    run.model.addTrial(trial);
    QVERIFY2(timelineText(run.history()).contains(QStringLiteral("ended early")),
             qPrintable(timelineText(run.history())));
    trial.complete = true;
    run.model.addTrial(trial);  // its end replaces what was known before
    QList<HistoryEntry> all = run.history();
    QCOMPARE(all.size(), 3);
    QVERIFY(all[0].kind == HistoryKind::kTry && all[0].trial == 0);
    QVERIFY(all[0].verdict == wire::TrialVerdict::kWorse && all[1].verdict == wire::TrialVerdict::kWorse);
    QVERIFY(!all[2].verdict);
    QCOMPARE(timelineText(all).count(QStringLiteral("worse from step 212")), 2);
    // A narrow list cuts the end of the line, so the answer comes first.
    QCOMPARE(app::historyRows(all)[0].cells[0].value(views::FootRole).toString(),
             QStringLiteral("worse from step 212 · 40 steps from step 200"));
    // The edit has the mark alone; its words are in the tool tip.
    const app::Cell edit = app::historyRows(all)[1].cells[0];
    QCOMPARE(edit.value(views::FootRole).toString(), all[1].facts);
    QCOMPARE(edit.value(views::VerdictRole).toInt(), static_cast<int>(views::VerdictShape::kTight));
    QVERIFY(edit.value(Qt::ToolTipRole).toString().contains(QStringLiteral("worse from step 212")));
    // A Try of a policy that was never applied belongs to no edit.
    trial.after = kLayer1Edit;
    trial.verdict = wire::TrialVerdict::kDiverged;
    run.model.addTrial(trial);
    all = run.history();
    QCOMPARE(all.size(), 4);
    QVERIFY(all[2].verdict == wire::TrialVerdict::kWorse);
  }

  void anOpenedRunFileShowsTheSameHistory() {
    EditedRun live;
    const QString file = test::temporaryFolder() + QStringLiteral("/history.binade");
    {
      record::RunWriter writer(file.toStdString());
      test::FakeRun fake;
      writer.add(fake.started());
      for (int i = 0; i < 20; ++i) writer.add(fake.next());
      const auto both = [&](const auto& value) {
        live.model.add(value);
        writer.add(value);
      };
      both(wire::CheckpointInfo{"/runs/edit-20", 20, "edit", 0, "sample:cnn", 1});
      both(fake.setPolicy(kFc1Edit, 1));
      live.fake.setPolicy(kFc1Edit, 1);
      for (int i = 0; i < 10; ++i) {
        writer.add(fake.next());
        live.step(1);
      }
      wire::ScalerConfig tuned = live.model.config().scaler;
      tuned.growth_interval = 9;
      both(wire::ScalerChanged{30, tuned, 1024});
      both(fake.setPolicy(kLayer1Edit, 2));
      wire::Trial trial = test::fakeTrial();
      trial.before = kFc1Edit;
      trial.after = kLayer1Edit;
      both(trial);
      both(wire::Rewound{20, "/runs/edit-20"});
      both(wire::ScalerChanged{20, test::FakeRun::config().scaler, 2048});
      wire::PolicyApplied restored = fake.setPolicy(kFirstPolicy, 3);
      restored.step = 20;
      both(restored);
      writer.close();
    }
    RunModel read;
    QVERIFY(!app::loadRunFile(file, read));
    const QString there = timelineText(app::historyOf(read));
    QCOMPARE(there, timelineText(live.history()));
    QCOMPARE(app::historyOf(read).size(), 6);
    QCOMPARE(there.count(QStringLiteral("undone by the rewind")), 2);
    QCOMPARE(read.trials().size(), std::size_t{1});
  }

  void twoEntriesAreComparedByCallsRulesAndFigures() {
    EditedRun run;
    run.apply(kFc1Edit, 1);
    run.step(10);
    run.apply(kLayer1Edit, 2);
    run.step(10);
    const QList<HistoryEntry> all = run.history();
    const auto compared = app::compareEntries(run.model, all[2], all[1]);
    QVERIFY(compared);
    QCOMPARE(compared->headline, QStringLiteral("Revision 1 against revision 0"));
    QCOMPARE(compared->sites, std::vector<int>{10});
    QCOMPARE(compared->calls.size(), 1);
    QVERIFY2(compared->calls[0].startsWith(QStringLiteral("fc1/aten::linear#0: float16")) &&
                 compared->calls[0].endsWith(QStringLiteral("→ float32")),
             qPrintable(compared->calls[0]));
    QCOMPARE(compared->rules.size(), 1);
    QVERIFY(compared->before == kFirstPolicy && compared->after == kFc1Edit);
    const QString text = compared->text();
    QVERIFY2(text.contains(QStringLiteral("loss under it, mean of its last 20")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("loss before it, mean of 20: – → ")),
             qPrintable(text));                        // the start has none
    QVERIFY(!text.contains(QStringLiteral("casts")));  // nothing was counted: no row, and no zero
    run.model.addCasts(test::casts(1, 25));
    const QString counted = app::compareEntries(run.model, all[2], all[1])->text();
    QVERIFY2(counted.contains(QStringLiteral("casts: – → ")), qPrintable(counted));
    // A line may break at an arrow, not within a number and its unit.
    static const QRegularExpression parted(QStringLiteral("→ .*[0-9] (B|kB|MB|s|ms|µs)\\b"));
    QVERIFY2(!counted.contains(parted), qPrintable(counted));
    const auto same = app::compareEntries(run.model, all[1], all[1]);
    QVERIFY(same->calls.isEmpty() && same->text().contains(QStringLiteral("Both treat every op call alike.")));
    QVERIFY2(app::historyDetail(run.model, all[1]).startsWith(QStringLiteral("Loss ")), "no loss");
  }

  void aRewindSaysWhatIsLost() {
    EditedRun run;
    run.apply(kFc1Edit, 1);
    run.step(10);
    const app::RewindLoss loss = app::rewindLoss(run.model, run.history().front());
    QCOMPARE(loss.question, QStringLiteral("Rewind the training to step 20?"));
    QVERIFY2(loss.text.contains(QStringLiteral("10 steps, up to step 29")), qPrintable(loss.text));
    QVERIFY(loss.text.contains(QStringLiteral("The policy stays as it is now.")));
    run.model.finish({wire::Outcome::kStopped, 30, "", ""});
    const app::RewindLoss ended = app::rewindLoss(run.model, run.history().front());
    QVERIFY(ended.question.contains(QStringLiteral("new run")));
  }
};

BINADE_SUITE(Histories);

}  // namespace

#include "tst_histories.moc"
