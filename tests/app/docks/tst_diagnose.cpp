// SPDX-License-Identifier: Apache-2.0
// Diagnose: the four questions, the inspector, the comparison with float32, and fixes as undo steps.
#include "app/docks/empty_state.h"
#include "app/docks/events_dock.h"
#include "app/docks/inspector_dock.h"
#include "app/docks/inspector_page.h"
#include "app/docks/questions_dock.h"
#include "app/docks/sites_dock.h"
#include "app/present/cell_model.h"
#include "app/present/diagnose_answers.h"
#include "app/window/banner.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_run.h"
#include "tests/app/fake_sites.h"
#include "tests/support/suite.h"
#include "views/chain_view.h"

#include <QApplication>
#include <QClipboard>
#include <QItemSelectionModel>
#include <QJsonArray>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace {

using namespace binade;
using test::Explorer;
using Tone = views::AnswerTone;

// A run of one number a step, for questions about loss and scale.
class Steps {
 public:
  Steps() {
    wire::RunStarted started;
    started.config.scaler.enabled = true;
    run.begin(started, app::RunModel::Source::kLive);
  }
  void add(double loss, double scale, double next, bool stepped = true) {
    wire::StepRecord record;
    record.step = step_++;
    record.loss = loss;
    record.scale = scale;
    record.next_scale = next;
    record.stepped = stepped;
    run.addSteps({record});
  }
  app::RunModel run;

 private:
  std::int64_t step_ = 0;
};

class Diagnoses : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void nothingNonFiniteSaysHowManyStepsWereChecked() {
    Steps steps;
    QVERIFY(app::nonFiniteAnswer(steps.run).tone == Tone::kUnknown);
    for (int i = 0; i < 12; ++i) steps.add(1, 1024, 1024);
    const app::Answer answer = app::nonFiniteAnswer(steps.run);
    QVERIFY(answer.tone == Tone::kGood);
    QCOMPARE(answer.text, QStringLiteral("No: 12 steps, all checked"));
  }

  void aNonFiniteValueIsNamedWithItsNewestStep() {
    app::RunModel run;
    test::feedRun(run, 3);
    const app::Answer answer = app::nonFiniteAnswer(run);
    QVERIFY(answer.tone == Tone::kBad);
    QCOMPARE(answer.event, static_cast<int>(run.events().size()) - 1);
    QVERIFY(answer.text.startsWith(QStringLiteral("Yes")));
  }

  void aStepCountsOnceAndTheEventWithTheCauseOpens() {
    app::RunModel run;
    test::feedRun(run, 2);
    QCOMPARE(static_cast<int>(run.events().size()), 2);
    run.addEvent(test::diagnosed(2, wire::Event::Kind::kForwardOverflow, 65536, test::forwardOverflow()));
    wire::Event loss;
    loss.step = 2;
    loss.kind = wire::Event::Kind::kNonFiniteLoss;
    run.addEvent(loss);
    loss.kind = wire::Event::Kind::kDiverged;
    run.addEvent(loss);
    const app::Answer answer = app::nonFiniteAnswer(run);
    QCOMPARE(answer.event, 2);
    QCOMPARE(answer.text, QStringLiteral("Yes: in 3 steps, last at step 2"));
    // What only follows from it has no row.
    app::Selection selection;
    const app::EventsDock dock(&run, &selection);
    QVERIFY(!dock.table()->isRowHidden(dock.model()->rowOf(2)));
    QVERIFY(dock.table()->isRowHidden(dock.model()->rowOf(3)));
    QVERIFY(!dock.table()->isRowHidden(dock.model()->rowOf(4)));
    QCOMPARE(dock.windowTitle(), QStringLiteral("Overflow events  4"));
  }

  void anOpCallWithoutAFiniteValueIsNamedThoughTheLossIsFinite() {
    app::RunModel run;
    test::FakeRun fake;
    run.begin(fake.started(), app::RunModel::Source::kLive);
    run.setState({wire::RunState::kRunning, 0});
    fake.setScale(1024);
    wire::StepRecord record = fake.next();
    formats::TensorStats stats;
    stats.scan = true;
    stats.count = stats.positive_infinity = 8;
    for (const wire::WatchedTensor& tensor : record.new_tensors) {
      if (tensor.site != 2 || tensor.kind != wire::WatchedTensor::Kind::kOutput) continue;
      for (wire::Observation& each : record.observations) {
        if (each.tensor == tensor.id) each.stats = stats;
      }
    }
    run.addSteps({record});
    QVERIFY(run.events().empty());
    const app::Answer answer = app::nonFiniteAnswer(run);
    QVERIFY(answer.tone == Tone::kBad);
    QCOMPARE(answer.site, 2);
    QVERIFY(answer.text.contains(QStringLiteral("relu/aten::relu#0")));
    QVERIFY(app::nothingFound(run).headline.startsWith(QStringLiteral("Loss and gradients were finite")));
  }

  void diagnoseOpensOnTheNewestEvent() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(20));
    QCOMPARE(explorer.session().selection().event(), -1);
    explorer.window().setArrangement(app::Arrangement::kDiagnose);
    QCOMPARE(explorer.session().selection().event(), static_cast<int>(explorer.session().run().events().size()) - 1);
    // What a person has chosen stays.
    explorer.session().selectEvent(0);
    explorer.window().setArrangement(app::Arrangement::kTune);
    explorer.window().setArrangement(app::Arrangement::kDiagnose);
    QCOMPARE(explorer.session().selection().event(), 0);
  }

  void thePageOfAnEventIsCopiedWhole() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(20));
    app::Session& session = explorer.session();
    session.run().addEvent(test::diagnosed(7, wire::Event::Kind::kForwardOverflow, 65536, test::forwardOverflow()));
    session.selectEvent(static_cast<int>(session.run().events().size()) - 1);
    explorer.window().docks()->inspector->page()->copy()->click();
    const QString text = QApplication::clipboard()->text();
    for (const char* part : {"The output of fc1", "A value overflowed in the forward pass.", "fc2/aten::linear#0",
                             "fc1/aten::linear#0 in bfloat16, finite on this batch"}) {
      QVERIFY2(text.contains(QLatin1String(part)), part);
    }
  }

  void theDescentAtTheStartIsNoCollapse() {
    Steps steps;
    for (int k = 24; k > 16; --k) steps.add(1, std::exp2(k), std::exp2(k - 1), false);
    for (int i = 0; i < 50; ++i) steps.add(1, 65536, 65536);
    QVERIFY(app::scaleAnswer(steps.run).tone == Tone::kGood);
  }

  void fourDoublingsLostAreACollapse() {
    Steps steps;
    for (int i = 0; i < 50; ++i) steps.add(1, 65536, 65536);
    for (int k = 16; k > 12; --k) steps.add(1, std::exp2(k), std::exp2(k - 1), false);
    const app::Answer answer = app::scaleAnswer(steps.run);
    QVERIFY(answer.tone == Tone::kBad);
    QVERIFY2(answer.text.contains(QStringLiteral("4 doublings")), qPrintable(answer.text));
    QCOMPARE(answer.step.value_or(-1), std::int64_t(53));
  }

  void aScaleBelowOneIsACollapse() {
    Steps steps;
    for (int i = 0; i < 5; ++i) steps.add(1, 0.5, 0.5);
    QVERIFY(app::scaleAnswer(steps.run).tone == Tone::kBad);
  }

  void aLossFarAboveItsSpreadIsASpike() {
    Steps steps;
    for (int i = 0; i < 60; ++i) steps.add(1 + 0.01 * (i % 5), 1, 1);
    QVERIFY(app::lossAnswer(steps.run).tone == Tone::kGood);
    steps.add(3, 1, 1);
    steps.add(1, 1, 1);
    const app::Answer answer = app::lossAnswer(steps.run);
    QVERIFY(answer.tone == Tone::kBad);
    QCOMPARE(answer.step.value_or(-1), std::int64_t(60));
  }

  void whatIsLongOverIsToldSo() {
    Steps steps;
    steps.add(std::nan(""), 1, 1);
    steps.run.addEvent(test::diagnosed(0, wire::Event::Kind::kNonFiniteLoss, 1, test::forwardOverflow()));
    for (int i = 0; i < 900; ++i) steps.add(1 + 0.01 * (i % 5), 1, 1);
    QVERIFY(app::nonFiniteAnswer(steps.run).tone == Tone::kBad);
    QVERIFY(app::lossAnswer(steps.run).tone == Tone::kBad);
    for (int i = 0; i < 200; ++i) steps.add(1 + 0.01 * (i % 5), 1, 1);
    const app::Answer answer = app::nonFiniteAnswer(steps.run);
    QVERIFY(answer.tone == Tone::kGood);
    QCOMPARE(answer.text, QStringLiteral("Not since step 0"));
    QCOMPARE(answer.event, 0);  // a click still goes there
    QCOMPARE(app::lossAnswer(steps.run).text, QStringLiteral("Not since step 0"));
  }

  void whileTheLossIsNotFiniteNothingIsClaimedToBeKept() {
    Steps steps;
    for (int i = 0; i < 20; ++i) steps.add(std::nan(""), 1, 1, false);
    wire::SilentReport report;
    report.observed_steps = 20;
    steps.run.setSilent(report);
    QVERIFY(app::silentAnswer(steps.run).tone == Tone::kUnknown);
  }

  void aLossBelowZeroIsMeasuredLikeAnyOther() {
    Steps steps;  // a likelihood: any loss is above 1.2 times such a mean
    for (int i = 0; i < 60; ++i) steps.add(-100 + 0.01 * (i % 5), 1, 1);
    steps.add(-95, 1, 1);
    QVERIFY(app::lossAnswer(steps.run).tone == Tone::kGood);
    steps.add(-60, 1, 1);
    QVERIFY(app::lossAnswer(steps.run).tone == Tone::kBad);
  }

  void aLossThatIsNotFiniteIsASpike() {
    Steps steps;
    for (int i = 0; i < 5; ++i) steps.add(1, 1, 1);
    steps.add(std::nan(""), 1, 1);
    QVERIFY(app::lossAnswer(steps.run).tone == Tone::kBad);
  }

  void fewStepsClaimNothingAboutTheLoss() {
    Steps steps;
    for (int i = 0; i < 20; ++i) steps.add(1, 1, 1);
    QVERIFY(app::lossAnswer(steps.run).tone == Tone::kUnknown);
  }

  void silentFaultsAreAnsweredByTheComparison() {
    Steps steps;
    steps.add(1, 1, 1);
    QVERIFY(app::silentAnswer(steps.run).tone == Tone::kUnknown);
    wire::Float32Comparison compared = test::comparison(0);
    steps.run.setComparison(compared);
    const app::Answer bad = app::silentAnswer(steps.run);
    QVERIFY(bad.tone == Tone::kBad);
    QCOMPARE(bad.site, test::kFc1);
    for (wire::SiteDifference& each : compared.sites) each.added /= 100;
    steps.run.setComparison(compared);
    QVERIFY(app::silentAnswer(steps.run).tone == Tone::kGood);
  }

  void aFixThatThePolicyHasIsNotOfferedAgain() {
    app::InspectorPage page;
    app::EventStory story;
    policy::SiteRule rule;
    rule.match = "fc1/aten::linear#0";
    rule.format = formats::kBFloat16;
    story.tried = {{{QStringLiteral("fc1 in bfloat16"), 0, {rule}}, true, true, {}}};
    page.setStory(story);
    page.setApplicable(true, {});
    QVERIFY(page.apply()->isEnabled());
    page.setInForce({true});
    QVERIFY(!page.apply()->isEnabled());
    page.setInForce({false});
    QVERIFY(page.apply()->isEnabled());
  }

  void aScaleThatHasFallenFarIsSpokenOfBesideTheFix() {
    Steps steps;
    app::Selection selection;
    app::InspectorDock dock(&steps.run, &selection);
    steps.add(std::nan(""), 65536, 65536, false);
    steps.run.addEvent(test::diagnosed(0, wire::Event::Kind::kForwardOverflow, 65536, test::forwardOverflow()));
    selection.setEvent(0);
    const auto says = [&] {
      const auto labels = dock.findChildren<QLabel*>();
      return std::any_of(labels.begin(), labels.end(), [](const QLabel* each) {
        return each->text().contains(QStringLiteral("has since fallen to"));
      });
    };
    QVERIFY(!says());
    for (double scale = 65536; scale > 64; scale /= 2) steps.add(std::nan(""), scale, scale / 2, false);
    wire::PolicyApplied applied = steps.run.policies().back();
    applied.revision = 1;
    steps.run.addPolicy(applied);
    QVERIFY(says());
  }

  void theEmptyInspectorSaysWhatWasCheckedAndOffersTheComparison() {
    Explorer explorer;
    app::RunModel& run = explorer.session().run();
    wire::RunStarted started;
    started.config.observe.every = 1;
    run.begin(started, app::RunModel::Source::kLive);
    wire::StepRecord record;
    for (int i = 0; i < 1402; ++i) {
      record.step = i;
      run.addSteps({record});
    }
    app::InspectorDock* dock = explorer.window().docks()->inspector;
    QVERIFY(dock->empty()->isShownEmpty());
    QCOMPARE(dock->empty()->headline(), QStringLiteral("No non-finite value in 1,402 steps, all checked."));
    QCOMPARE(dock->empty()->sentence(), QStringLiteral("Loss still wrong? Compare one step with float32."));
    QVERIFY(!dock->compareButton()->isHidden());
  }

  void anEventOpensWithItsSentenceFirst() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(20));
    app::Session& session = explorer.session();
    session.run().addEvent(
        test::diagnosed(7, wire::Event::Kind::kGradientOverflow, 131072, test::benignOverflow(131072)));
    explorer.window().setArrangement(app::Arrangement::kDiagnose);
    session.selectEvent(static_cast<int>(session.run().events().size()) - 1);
    app::InspectorDock* dock = explorer.window().docks()->inspector;
    QVERIFY(!dock->empty()->isShownEmpty());
    QVERIFY(dock->page()->sentence()->text().contains(QStringLiteral("fc2 (linear)")));
    QVERIFY(dock->page()->verdict()->text().startsWith(QStringLiteral("Harmless")));
    QVERIFY(!dock->page()->whyText()->isVisibleTo(dock->page()));
    QTest::mouseClick(dock->page()->why(), Qt::LeftButton);
    QVERIFY(dock->page()->whyText()->isVisibleTo(dock->page()));
    // Its path is selected in the table.
    QVERIFY(session.selection().sites() == std::vector<int>{11});
    Explorer::picture(&explorer.window(), QStringLiteral("diagnose"));
  }

  void aFixOfTheScaleIsOneUndoStep() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(20));
    app::Session& session = explorer.session();
    const double before = session.run().steps().back().next_scale;
    session.run().addEvent(
        test::diagnosed(7, wire::Event::Kind::kGradientOverflow, 131072, test::benignOverflow(131072)));
    session.selectEvent(static_cast<int>(session.run().events().size()) - 1);
    app::InspectorPage* page = explorer.window().docks()->inspector->page();
    QVERIFY(page->apply()->isEnabled());
    page->apply()->click();
    QTRY_COMPARE(explorer.requests(QStringLiteral("scaler.set")).size(), 1);
    QCOMPARE(explorer.requests(QStringLiteral("scaler.set")).back()[QLatin1String("scale")].toDouble(), 65536.0);
    QCOMPARE(session.document().undoStack()->count(), 1);
    session.document().undoStack()->undo();
    QTRY_COMPARE(explorer.requests(QStringLiteral("scaler.set")).size(), 2);
    QCOMPARE(explorer.requests(QStringLiteral("scaler.set")).back()[QLatin1String("scale")].toDouble(), before);
  }

  void aFixOfTheFormatIsOneUndoStepOfThePolicy() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(20));
    app::Session& session = explorer.session();
    const policy::Policy before = session.document().policy();
    session.run().addEvent(test::diagnosed(7, wire::Event::Kind::kForwardOverflow, 65536, test::forwardOverflow()));
    session.selectEvent(static_cast<int>(session.run().events().size()) - 1);
    app::InspectorPage* page = explorer.window().docks()->inspector->page();
    // The smallest change is chosen beforehand; one that does not help cannot be applied.
    QCOMPARE(page->tried()->selectionModel()->selectedRows().front().row(), 1);
    page->apply()->click();
    QTRY_COMPARE(explorer.requests(QStringLiteral("policy.set")).size(), 1);
    QVERIFY(explorer.requests(QStringLiteral("scaler.set")).isEmpty());
    QCOMPARE(session.document().policy().sites.back().match, std::string("fc1/aten::linear#0"));
    QCOMPARE(session.document().undoStack()->count(), 1);
    session.document().undoStack()->undo();
    QVERIFY(session.document().policy() == before);
  }

  void aRunThatEndedTakesNoFix() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(20));
    app::Session& session = explorer.session();
    session.run().addEvent(
        test::diagnosed(7, wire::Event::Kind::kGradientOverflow, 131072, test::benignOverflow(131072)));
    session.selectEvent(static_cast<int>(session.run().events().size()) - 1);
    session.stop();
    QTRY_VERIFY(session.run().finished().has_value());
    app::InspectorPage* page = explorer.window().docks()->inspector->page();
    QVERIFY(!page->apply()->isEnabled());
    QVERIFY(!page->apply()->toolTip().isEmpty());
  }

  void eachScaleSaysHowManyDoublingsAreLeftAndWhetherItLoses() {
    app::RunModel run;
    test::feedRun(run, 3);
    wire::Diagnosis found = test::benignOverflow(65536);  // half the scale, fc2 in float32, the scale itself
    found.band = wire::ScaleBand{.lowest = 15, .highest = 15};
    found.evidence.push_back({16384, {}, true});
    run.addEvent(test::diagnosed(2, wire::Event::Kind::kGradientOverflow, 65536, found));
    const app::EventStory story = app::storyOf(run, static_cast<int>(run.events().size()) - 1);
    QCOMPARE(story.tried.size(), 4);
    QCOMPARE(story.tried[0].doublings, std::optional<int>(0));
    QCOMPARE(story.tried[0].lost, QStringLiteral("≤ 1 %"));
    QVERIFY(!story.tried[1].doublings);  // the safe scales are those of the step's formats
    QCOMPARE(story.tried[1].lost, QStringLiteral("–"));
    QCOMPARE(story.tried[2].doublings, std::optional<int>(-1));
    QCOMPARE(story.tried[3].doublings, std::optional<int>(1));
    QCOMPARE(story.tried[3].lost, QStringLiteral("> 1 %"));
    app::InspectorPage page;
    page.setStory(story);
    QCOMPARE(page.tried()->model()->index(2, 2).data().toString(), QStringLiteral("−1.0"));
    QVERIFY(page.tried()->model()->index(2, 2).data(views::AttentionRole).toBool());
  }

  void aClickInTheChainShowsTheCall() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(20));
    app::Session& session = explorer.session();
    session.run().addEvent(test::diagnosed(7, wire::Event::Kind::kForwardOverflow, 65536, test::forwardOverflow()));
    explorer.window().setArrangement(app::Arrangement::kDiagnose);
    session.selectEvent(static_cast<int>(session.run().events().size()) - 1);
    QCOMPARE(static_cast<int>(session.selection().sites().size()), 3);
    views::ChainView* chain = explorer.window().docks()->inspector->page()->chain();
    QTest::mouseClick(chain, Qt::LeftButton, Qt::NoModifier, chain->lineRect(1).center().toPoint());
    QVERIFY(session.selection().sites() == std::vector<int>{11});
  }

  void aQuestionJumpsToWhatItsAnswerNames() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(20));
    explorer.window().setArrangement(app::Arrangement::kDiagnose);
    app::QuestionsDock* questions = explorer.window().docks()->questions;
    questions->update();
    QVERIFY(questions->card(0)->tone() == Tone::kBad);
    QTest::mouseClick(questions->card(0), Qt::LeftButton);
    const int newest = static_cast<int>(explorer.session().run().events().size()) - 1;
    QCOMPARE(explorer.session().selection().event(), newest);
    QCOMPARE(explorer.session().selection().step().value_or(-1), explorer.session().run().events().back().step);
  }

  void inANarrowPlaceAnEventIsTwoLines() {
    app::RunModel run;
    app::Selection selection;
    app::EventsDock dock(&run, &selection);
    test::feedRun(run, 20);
    dock.resize(900, 300);
    dock.show();
    QVERIFY(!dock.table()->isColumnHidden(app::EventTableModel::kStep));
    dock.resize(300, 300);
    QTRY_VERIFY(dock.table()->isColumnHidden(app::EventTableModel::kStep));
    QVERIFY(!dock.table()->isColumnHidden(app::EventTableModel::kWhat));
    const QModelIndex event = dock.model()->index(dock.model()->rowOf(0), app::EventTableModel::kWhat);
    QCOMPARE(event.data(views::HeadRole).toString(), QStringLiteral("Step 0"));
    QVERIFY(!event.data(views::FootRole).toString().isEmpty());
    Explorer::picture(&dock, QStringLiteral("events-narrow"));
    dock.resize(900, 300);
    QTRY_VERIFY(!dock.table()->isColumnHidden(app::EventTableModel::kStep));
  }

  void withoutEventsItSaysHowManyStepsWereChecked() {
    Steps steps;
    app::Selection selection;
    const app::EventsDock dock(&steps.run, &selection);
    for (int i = 0; i < 3; ++i) steps.add(1, 1024, 1024);
    const app::NothingFound nothing = app::nothingFound(steps.run);
    QCOMPARE(nothing.headline, QStringLiteral("No non-finite value in 3 steps, all checked."));
    QVERIFY(nothing.sentence.endsWith(QStringLiteral("Loss still wrong? Compare one step with float32.")));
    // Op calls are looked at in some of the steps only, and it says so.
    wire::ObserveConfig sampled;
    sampled.every = 32;
    sampled.between = "off";
    steps.run.setObserve(sampled);
    QVERIFY(app::nothingFound(steps.run).sentence.contains(QStringLiteral("op calls in one of 32")));
  }

  void withoutEventsTheComparisonIsOneClickAway() {
    Steps steps;
    app::Selection selection;
    app::EventsDock dock(&steps.run, &selection);
    dock.resize(900, 300);
    dock.show();
    QVERIFY(!dock.compareButton()->isVisible());  // nothing to compare yet
    steps.add(1, 1024, 1024);
    QVERIFY(dock.compareButton()->isVisible());
    const QSignalSpy asked(&dock, &app::EventsDock::comparisonRequested);
    dock.compareButton()->click();
    QCOMPARE(asked.size(), 1);
    Explorer::picture(&dock, QStringLiteral("no-events"));
    // Beside the inspector, which has the same button, it is a narrow list.
    dock.resize(300, 300);
    QTRY_VERIFY(!dock.compareButton()->isVisible());
  }

  void aNoticeDoesNotTakeAProblemsPlace() {
    app::Banner banner;
    banner.showProblem({QStringLiteral("The engine crashed."), QString()});
    QVERIFY(!banner.showNotice(QStringLiteral("By the way."), QString()));
    QCOMPARE(banner.message(), QStringLiteral("The engine crashed."));
    banner.dismiss();
    QVERIFY(banner.showNotice(QStringLiteral("By the way."), QString()));
    QCOMPARE(banner.accessibleName(), QStringLiteral("Notice"));
    banner.showProblem({QStringLiteral("The engine crashed."), QString()});
    QCOMPARE(banner.accessibleName(), QStringLiteral("Problem"));
  }
};

BINADE_SUITE(Diagnoses);

}  // namespace

#include "tst_diagnose.moc"
