// SPDX-License-Identifier: Apache-2.0
// Silent faults: ranked, sentence first, with figure, place, next step and a fix that is one undo step.
#include "app/docks/empty_state.h"
#include "app/docks/events_dock.h"
#include "app/docks/questions_dock.h"
#include "app/docks/silent_dock.h"
#include "app/docks/updates_dock.h"
#include "app/present/diagnose_answers.h"
#include "app/present/event_story.h"
#include "app/present/silent_brief.h"
#include "app/present/silent_rows.h"
#include "app/present/site_text.h"
#include "app/present/update_rows.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_run.h"
#include "tests/app/fake_sites.h"
#include "tests/support/suite.h"

#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

namespace {

using namespace binade;
using namespace app::silent_column;
using namespace Qt::StringLiterals;
using test::Explorer;
using Tone = views::AnswerTone;

class SilentFaults : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  // The cards of Diagnose have room for a line.
  void everyFaultHasABriefText() {
    app::RunModel run;
    test::feedRun(run, 3);
    QSet<QString> briefs;
    constexpr auto kLast = wire::SilentFault::Kind::kOutlierBlocks;
    for (int kind = 0; kind <= static_cast<int>(kLast); ++kind) {
      wire::SilentFault fault;
      fault.kind = static_cast<wire::SilentFault::Kind>(kind);
      fault.site = 4;  // layer1.0.conv1
      fault.what = "layer1.0.conv1.weight";
      fault.facts.share = 0.421;
      fault.facts.step = 1234;
      const QString brief = app::silentBrief(fault, run.sites());
      QVERIFY2(brief.size() > 8 && brief.size() < 70, qPrintable(brief));
      QVERIFY2(brief.contains(u"layer1.0.conv1"_s) || brief.contains(u"1,234"_s), qPrintable(brief));
      QVERIFY2(!brief.contains(u'%') || brief.contains(u"42.10 %"_s), qPrintable(brief));
      QVERIFY2(!briefs.contains(brief), qPrintable(brief));
      briefs << brief;
    }
    wire::SilentFault argument;
    argument.unit = wire::SilentFault::Unit::kArgumentNorm;
    argument.site = 4;
    argument.what = "weight";
    QVERIFY(app::silentBrief(argument, run.sites()).startsWith(u"weight of layer1.0.conv1 loses"_s));
  }

  void theWorstComesFirstWithItsFigureItsPlaceAndTheNextStep() {
    app::RunModel run;
    test::feedRun(run, 5);
    const QList<app::CellRow> rows = app::silentRows(run, test::silentReport());
    QCOMPARE(rows.size(), 4);
    const auto text = [&](int row, int column) { return rows[row].cells[column].value(Qt::DisplayRole).toString(); };
    QCOMPARE(text(0, kWhat),
             QStringLiteral("The gradient of conv1 (conv2d) for weight loses 12 % of its norm to 0 in float16."));
    QVERIFY(text(0, kNext).contains(QStringLiteral("2²⁰")));
    QCOMPARE(text(0, kFigure), QStringLiteral("12.40 % of the gradient's norm"));
    QCOMPARE(text(0, kWhere), QStringLiteral("conv1/aten::conv2d#0"));
    QCOMPARE(text(0, kSteps), QStringLiteral("9 of 12"));
    QVERIFY(!text(0, kNext).isEmpty());
    QVERIFY(text(1, kFigure).startsWith(QStringLiteral("at most ")));
    QCOMPARE(text(1, kWhere), QStringLiteral("fc2.weight"));
  }

  void aNewPolicyBeginsANewList() {
    app::RunModel run;
    app::Selection selection;
    app::SilentDock dock(&run, &selection);
    dock.show();
    test::feedRun(run, 8);
    QVERIFY(dock.empty()->headline().startsWith(QStringLiteral("No silent fault so far in 8 observed steps.")));
    QVERIFY(app::silentAnswer(run).tone == Tone::kGood);
    run.setSilent(test::silentReport());
    QVERIFY(app::silentAnswer(run).tone == Tone::kBad);
    wire::PolicyApplied applied = run.policies().back();
    applied.revision = 1;
    applied.step = 8;
    run.addPolicy(applied);
    QVERIFY(!run.silent());
    QCOMPARE(dock.empty()->headline(), QStringLiteral("Not checked yet."));
    QVERIFY(app::silentAnswer(run).tone == Tone::kUnknown);
  }

  // The selection is cleared by the new run before the dock has its rows.
  void anotherRunWithOtherFaultsIsShown() {
    app::RunModel run;
    app::Selection selection;
    connect(&run, &app::RunModel::reset, &selection, &app::Selection::clear);
    app::SilentDock dock(&run, &selection);
    dock.show();
    app::RunModel other;
    test::feedRun(other, 5);
    other.setSilent(test::silentReport());
    test::feedRun(run, 5);
    selection.setSites({4});
    run.show(other.take());
    QCOMPARE(dock.model()->rowCount(), 4);
  }

  void tooFewObservedStepsAreNotKnownYet() {
    app::RunModel run;
    app::Selection selection;
    app::SilentDock dock(&run, &selection);
    dock.show();
    test::feedRun(run, 8);
    wire::SilentReport few;
    few.last_step = 63;
    few.observed_steps = 2;
    run.setSilent(few);
    const app::Answer answer = app::silentAnswer(run);
    QVERIFY(answer.tone == Tone::kUnknown);
    QVERIFY2(answer.text.startsWith(QStringLiteral("Not known yet: 2 of 64 steps were observed. Train ")),
             qPrintable(answer.text));
    QCOMPARE(dock.empty()->headline(), QStringLiteral("Not known yet: 2 of 64 steps were observed."));
    few.observed_steps = 5;
    run.setSilent(few);
    QVERIFY(app::silentAnswer(run).tone == Tone::kGood);
    QVERIFY(dock.empty()->headline().startsWith(QStringLiteral("No silent fault. 5 of 64 steps")));
    QVERIFY(dock.empty()->sentence().contains(QStringLiteral("Cancellation")));
    QCOMPARE(app::silentAnswer(run).text, QStringLiteral("No loss of precision in 5 observed steps"));
  }

  void aParameterStandsForTheCallsOfItsModule() {
    app::RunModel run;
    test::feedRun(run, 3);
    wire::SilentFault fault;
    fault.what = "fc2.weight";
    QVERIFY(app::silentSites(run, fault) == std::vector<int>{test::kFc2});
    fault.what = "layer1.0.conv1.weight";
    QVERIFY(app::silentSites(run, fault) == std::vector<int>{4});
    fault.what = "layer1.0.conv1.weight.exp_avg_sq";
    QVERIFY(app::silentSites(run, fault) == std::vector<int>{4});
    fault.what = "loss";
    QVERIFY(app::silentSites(run, fault).empty());
  }

  void theQuestionsAnswerWithTheWorstOfTheirKind() {
    app::RunModel run;
    test::feedRun(run, 5);
    QVERIFY(app::silentAnswer(run).fault < 0);
    run.setSilent(test::silentReport());
    const app::Answer silent = app::silentAnswer(run);
    QVERIFY(silent.tone == Tone::kBad);
    QCOMPARE(silent.fault, 0);
    QVERIFY2(silent.text.startsWith(QStringLiteral("Yes, 3 faults")), qPrintable(silent.text));
    const app::Answer spike = app::lossAnswer(run);
    QVERIFY(spike.tone == Tone::kBad);
    QCOMPARE(spike.fault, 2);
    wire::SilentReport none = test::silentReport();
    none.faults.clear();
    run.setSilent(none);
    QCOMPARE(app::silentAnswer(run).fault, -1);
    QCOMPARE(app::lossAnswer(run).fault, -1);
  }

  // The tab counts it, and another card answers with it.
  void aLossSpikeIsNoLossOfPrecision() {
    app::RunModel run;
    test::feedRun(run, 5);
    wire::SilentReport report = test::silentReport();
    report.observed_steps = 200;
    std::erase_if(report.faults,
                  [](const wire::SilentFault& fault) { return fault.kind != wire::SilentFault::Kind::kLossSpike; });
    QCOMPARE(report.faults.size(), std::size_t{1});
    wire::Event event;
    event.kind = wire::Event::Kind::kSilent;
    event.step = 3;
    event.facts = wire::SilentFaultFound{report.faults[0]};
    run.addEvent(event);
    QVERIFY(app::silentAnswer(run).tone != Tone::kBad);
    run.setSilent(report);
    const app::Answer answer = app::silentAnswer(run);
    QVERIFY(answer.tone == Tone::kGood);
    QCOMPARE(answer.text, QStringLiteral("No loss of precision in 200 observed steps"));
    // At a step before the report, the event alone is known.
    run.showStep(3);
    QVERIFY(!run.shownSilent());
    QVERIFY(app::silentAnswer(run).tone != Tone::kBad);
  }

  void everySilentEventHasTheNameOfItsKind() {
    QSet<QString> names;
    constexpr auto kLast = wire::SilentFault::Kind::kOutlierBlocks;
    for (int kind = 0; kind <= static_cast<int>(kLast); ++kind) {
      wire::Event event;
      event.kind = wire::Event::Kind::kSilent;
      wire::SilentFaultFound found;
      found.fault.kind = static_cast<wire::SilentFault::Kind>(kind);
      event.facts = found;
      const QString name = app::eventKindText(event);
      QVERIFY2(!name.isEmpty() && !names.contains(name), qPrintable(name));
      names << name;
    }
    QVERIFY(names.contains(QStringLiteral("loss spike")));
  }

  void theTitleCountsWhatTheShownStepKnew() {
    Explorer explorer;
    explorer.showFed(40);
    app::SilentDock* dock = explorer.window().docks()->silent;
    explorer.session().run().setSilent(test::silentReport());
    QCOMPARE(dock->windowTitle(), QStringLiteral("Silent faults  4"));
    QVERIFY(explorer.session().run().silent()->last_step > 2);
    explorer.session().selection().setShown(2);
    QCOMPARE(dock->windowTitle(), QStringLiteral("Silent faults"));
    explorer.session().selection().setShown(std::nullopt);
    QCOMPARE(dock->windowTitle(), QStringLiteral("Silent faults  4"));
  }

  void aQuestionOpensItsFaultAndLightsItsPlace() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(20));
    explorer.window().setArrangement(app::Arrangement::kDiagnose);
    app::Session& session = explorer.session();
    session.run().setSilent(test::silentReport());
    app::QuestionsDock* questions = explorer.window().docks()->questions;
    questions->update();
    QTest::mouseClick(questions->card(3), Qt::LeftButton, Qt::NoModifier, QPoint(20, 12));
    app::SilentDock* dock = explorer.window().docks()->silent;
    QTRY_VERIFY(dock->isVisible());
    QVERIFY(session.selection().sites() == std::vector<int>{test::kConv1});
    QVERIFY(session.selection().path().causes == std::vector<int>{test::kConv1});
    QVERIFY(session.selection().path().backward);
    QVERIFY(dock->sentence()->text().contains(QStringLiteral("conv1")));
    QVERIFY(dock->detail()->text().startsWith(QStringLiteral("12.40 % of the gradient's norm")));
    Explorer::picture(&explorer.window(), QStringLiteral("silent"));
    QTest::mouseClick(questions->card(2), Qt::LeftButton);
    QCOMPARE(session.selection().step().value_or(-1), std::int64_t{15});
  }

  void aFixIsOneUndoStep() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(20));
    app::Session& session = explorer.session();
    session.run().setSilent(test::silentReport());
    app::SilentDock* dock = explorer.window().docks()->silent;
    dock->showFault(0);
    QVERIFY(dock->applyButton()->isEnabled());
    dock->applyButton()->click();
    QTRY_COMPARE(explorer.requests(QStringLiteral("scaler.set")).size(), 1);
    QCOMPARE(explorer.requests(QStringLiteral("scaler.set")).back()[QLatin1String("scale")].toDouble(), 1048576.0);
    QCOMPARE(session.document().undoStack()->count(), 1);
    dock->showFault(1);
    QVERIFY(dock->applyButton()->isHidden());  // no edit mends it: the next step is in words
    dock->showFault(3);
    dock->applyButton()->click();
    QTRY_COMPARE(explorer.requests(QStringLiteral("policy.set")).size(), 1);
    QCOMPARE(session.document().undoStack()->count(), 2);
    QVERIFY(session.document().policy().sites.back().format == formats::kFloat32);
    session.document().undoStack()->undo();
    QVERIFY(session.document().policy().sites.empty());
  }

  void aNewerReportKeepsTheChosenFault() {
    app::RunModel run;
    app::Selection selection;
    app::SilentDock dock(&run, &selection);
    test::feedRun(run, 5);
    run.setSilent(test::silentReport());
    dock.showFault(1);
    wire::SilentReport newer = test::silentReport();
    newer.faults[1].seen = 11;
    std::swap(newer.faults[0], newer.faults[1]);  // and it is the worst now
    run.setSilent(newer);
    QVERIFY(dock.sentence()->text().contains(QStringLiteral("fc2.weight")));
    QVERIFY(dock.detail()->text().contains(QStringLiteral("11 of 12")));
    newer.faults.clear();
    run.setSilent(newer);
    QVERIFY(dock.empty()->isShownEmpty());
    QVERIFY(dock.empty()->headline().contains(QStringLiteral("12 of 20 steps")));
    QVERIFY(dock.empty()->sentence().contains(QStringLiteral("fc1 (linear) computes its attention inside one kernel")));
    QVERIFY(dock.compareButton()->isVisibleTo(&dock));
    const QSignalSpy asked(&dock, &app::SilentDock::comparisonRequested);
    dock.compareButton()->click();
    QCOMPARE(asked.size(), 1);
    // What it ended with can be compared too. A run file without a checkpoint has nothing to compare.
    run.finish({});
    QVERIFY(dock.compareButton()->isVisibleTo(&dock));
    const test::FakeRun fake;
    run.begin(fake.started(), app::RunModel::Source::kFile);
    run.setSilent(newer);
    QVERIFY(dock.empty()->isShownEmpty());
    QVERIFY(!dock.compareButton()->isVisibleTo(&dock));
  }

  void everyParametersUpdateHasARow() {
    app::RunModel run;
    app::Selection selection;
    app::UpdatesDock dock(&run, &selection);
    test::feedRun(run, 5);
    QVERIFY(dock.empty()->isShownEmpty());
    wire::SilentReport report = test::silentReport();
    report.updates = {{"conv1.weight", formats::kFloat32, 12, 144, 144, 0, 0, 0.0021},
                      {"fc2.weight", formats::kBFloat16, 12, 1280, 1200, 900, 0.4, 0.0001}};
    run.setSilent(report);
    QVERIFY(!dock.empty()->isShownEmpty());
    QCOMPARE(dock.model()->rowCount(), 2);
    const auto text = [&](int row, int column) {
      return dock.model()->row(row).cells[column].value(Qt::DisplayRole).toString();
    };
    // What loses most stands first.
    QCOMPARE(text(0, app::update_column::kParameter), QStringLiteral("fc2.weight"));
    QCOMPARE(text(0, app::update_column::kLost), QStringLiteral("900"));
    QCOMPARE(text(0, app::update_column::kLostNorm), QStringLiteral("40.00 %"));
    QCOMPARE(text(1, app::update_column::kRatio), QStringLiteral("0.21 %"));
    QVERIFY2(dock.summary()->text().contains(QStringLiteral("1 lose part")), qPrintable(dock.summary()->text()));
    // Choosing one selects the op call that takes it, and shows its values.
    dock.table()->selectRow(0);
    QCOMPARE(selection.sites(), std::vector<int>{11});
    const app::TensorTrack* shown = run.tensor(selection.tensor());
    QVERIFY(shown != nullptr);
    QCOMPARE(shown->tensor.argument, std::string("fc2.weight"));
    QCOMPARE(app::updateText(run, "fc2.weight"), QStringLiteral("update ÷ weight 0.01 %, 900 of 1,200 lost"));
    QVERIFY(app::updateText(run, "gain").isEmpty());
  }

  void itsEventSaysWhatIsLostAndNotThatSomethingIsInfinite() {
    app::RunModel run;
    test::feedRun(run, 5);
    run.setSilent(test::silentReport());
    wire::Event event;
    event.kind = wire::Event::Kind::kSilent;
    event.step = 4;
    event.facts = wire::SilentFaultFound{test::silentReport().faults[0]};
    run.addEvent(event);
    const app::EventStory story = app::storyOf(run, static_cast<int>(run.events().size()) - 1);
    QVERIFY(story.verdict.startsWith(QStringLiteral("All values are finite")));
    QVERIFY(!story.explanation.isEmpty());
    QVERIFY(!story.whyRed.contains(QStringLiteral("Infinity")));
    QVERIFY(story.whyRed.contains(QStringLiteral("smallest number")));
    app::EventTableModel table(&run);
    const QModelIndex what = table.index(0, app::EventTableModel::kWhat);  // the newest
    QCOMPARE(what.data(views::VerdictRole).toInt(), static_cast<int>(views::VerdictShape::kLost));
  }

  void anEventOfAFaultThatTheReportNoLongerHasKeepsItsOwnFacts() {
    app::RunModel run;
    test::feedRun(run, 5);
    wire::Event event;
    event.kind = wire::Event::Kind::kSilent;
    event.step = 4;
    event.facts = wire::SilentFaultFound{test::silentReport().faults[0]};
    run.addEvent(event);
    const int index = static_cast<int>(run.events().size()) - 1;
    run.setSilent(test::silentReport());
    const app::EventStory listed = app::storyOf(run, index);
    wire::SilentReport report = test::silentReport();
    report.faults.erase(report.faults.begin());
    run.setSilent(report);
    const app::EventStory story = app::storyOf(run, index);
    QCOMPARE(story.explanation, QStringLiteral("Not in the newest report."));
    QCOMPARE(story.whyRed, listed.whyRed);
    QCOMPARE(story.facts.size(), listed.facts.size());
    QVERIFY(!story.facts.isEmpty());
    for (int i = 0; i < story.facts.size(); ++i) QCOMPARE(story.facts[i].value, listed.facts[i].value);
  }

  void anEventsFaultIsFoundByItsKeyWhateverItsFiguresAre() {
    app::RunModel run;
    test::feedRun(run, 5);
    wire::SilentReport report = test::silentReport();
    wire::SilentFaultFound found{report.faults[3]};
    found.fault.amount /= 2;
    wire::Event event;
    event.kind = wire::Event::Kind::kSilent;
    event.facts = found;
    run.setSilent(report);
    QCOMPARE(app::silentFaultOf(run, event), &run.silent()->faults[3]);
    report.faults.pop_back();
    run.setSilent(report);
    QVERIFY(app::silentFaultOf(run, event) == nullptr);  // it is over
    event.facts = {};
    QVERIFY(app::silentFaultOf(run, event) == nullptr);
  }

  void everyKindIsExplainedWithTheFiguresOfItsFormat() {
    using Kind = wire::SilentFault::Kind;
    const auto why = [](Kind kind, const formats::Format& format) {
      wire::SilentFault fault;
      fault.kind = kind;
      fault.format = format;
      return app::whySilent(fault);
    };
    QSet<QString> explanations;
    for (int kind = 0; kind <= static_cast<int>(Kind::kOutlierBlocks); ++kind)
      explanations.insert(why(static_cast<Kind>(kind), formats::kBFloat16));
    QCOMPARE(explanations.size(), static_cast<int>(Kind::kOutlierBlocks) + 1);
    QVERIFY(!explanations.contains(QString()));
    // Float16 and bfloat16 have 11 and 8 significant bits, so they hold whole numbers up to 2,048 and 256; the smallest
    // number of float16 is 5.96 × 10⁻⁸, its largest 65,504.
    const auto names = [](const QString& text, const QString& figure) {
      return QRegularExpression(QStringLiteral("(?<![\\w.,])%1(?!\\w)").arg(figure)).match(text).hasMatch();
    };
    QVERIFY(names(why(Kind::kUpdateLost, formats::kFloat16), QStringLiteral("11")));
    QVERIFY(names(why(Kind::kUpdateLost, formats::kBFloat16), QStringLiteral("8")));
    QVERIFY(names(why(Kind::kLostSum, formats::kBFloat16), QStringLiteral("8")));
    QVERIFY(names(why(Kind::kInexactIntegers, formats::kFloat16), QStringLiteral("2,048")));
    QVERIFY(names(why(Kind::kInexactIntegers, formats::kBFloat16), QStringLiteral("256")));
    QVERIFY(names(why(Kind::kUnderflow, formats::kFloat16), QStringLiteral("5\\.96 × 10⁻⁸")));
    QVERIFY(names(why(Kind::kVanishedOverflow, formats::kFloat16), QStringLiteral("65,?504")));
  }
};

BINADE_SUITE(SilentFaults);

}  // namespace

#include "tst_silent_faults.moc"
