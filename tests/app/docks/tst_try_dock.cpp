// SPDX-License-Identifier: Apache-2.0
// The dock Try: choices, progress, result, and what can be done about it.
#include "app/docks/empty_state.h"
#include "app/docks/inspector_page.h"
#include "app/docks/sites_dock.h"
#include "app/docks/try_choices.h"
#include "app/docks/try_dock.h"
#include "app/docks/try_page.h"
#include "tests/app/app_fixture.h"
#include "tests/app/ended_run.h"
#include "tests/app/fake_try.h"
#include "tests/support/suite.h"
#include "views/noise_scale.h"
#include "views/plot/line_plot.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QUndoStack>

#include <algorithm>
#include <limits>
#include <optional>

namespace {

using namespace binade;
using app::Session;
using app::TryDock;
using test::FakeTry;

/// A session with a made-up run and the dock of its Tries.
class TryBench {
 public:
  explicit TryBench(const QString& body) : fake_(body), run_(fake_.engine()), dock_(&session_) {
    dock_.resize(360, 700);
    dock_.show();
  }

  void feed() { run_.feed(); }
  bool finish() { return run_.finish(); }

  FakeTry fake_;
  test::EndedRun run_;
  Session& session_ = run_.session();
  TryDock dock_;
};

class TryDocks : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void anEmptyDockSaysWhatFillsIt() {
    TryBench bench((QString()));
    QVERIFY(bench.dock_.empty()->isShownEmpty());
    QVERIFY(bench.dock_.empty()->sentence().contains(QStringLiteral("two policies")));
    QVERIFY(!bench.dock_.choices()->isVisible());
    bench.feed();
    QVERIFY(bench.dock_.empty()->isShownEmpty());
    QVERIFY(bench.dock_.choices()->isVisible());
    // Nothing was edited, so both policies are the same.
    QVERIFY(!bench.dock_.choices()->tryButton()->isEnabled());
    QVERIFY(!bench.dock_.whyNoNewestEdit().isEmpty());
  }

  void anEditIsProposedAgainstWhatItReplaced() {
    TryBench bench(QStringLiteral("cat \"$folder/tried\""));
    bench.feed();
    const policy::Policy before = bench.session_.document().policy();
    bench.session_.document().addRules(test::fakeTrial().after.sites, QStringLiteral("fc2 in float32"));
    const auto wish = bench.dock_.choices()->wish();
    QVERIFY(wish && wish->before == before && wish->after == bench.session_.document().policy());
    QVERIFY(bench.dock_.choices()->tryButton()->isEnabled());
    bench.dock_.choices()->setAmount(40, 2);
    bench.dock_.choices()->tryButton()->click();
    QVERIFY(bench.finish());
    QCOMPARE(bench.fake_.option(QStringLiteral("--steps")), QStringLiteral("40"));
    QCOMPARE(bench.fake_.option(QStringLiteral("--seeds")), QStringLiteral("2"));
    QVERIFY(!bench.dock_.empty()->isShownEmpty());
  }

  void aChoiceOfThePersonStays() {
    TryBench bench((QString()));
    bench.feed();
    QComboBox* after = bench.dock_.choices()->after();
    after->setFocus();
    QTest::keyClick(after, Qt::Key_Down);
    QCOMPARE(after->currentIndex(), 1);
    const policy::Policy chosen = bench.dock_.choices()->wish()->after;
    bench.session_.document().addRules(test::fakeTrial().after.sites, QStringLiteral("edit"));
    QVERIFY(bench.dock_.choices()->wish()->after == chosen);
  }

  void theProgressIsShownAndCancelled() {
    TryBench bench(
        QStringLiteral("trap 'cat \"$folder/cut\"; exit 7' TERM\n"
                       "echo '{\"event\":\"trying\",\"done\":40,\"of\":120}'\n"
                       "while :; do sleep 0.05; done"));
    bench.feed();
    bench.dock_.tryPolicy(test::fakeTrial().after, QStringLiteral("fc2 in float32"));
    QVERIFY(bench.dock_.cancelButton()->isVisible());
    const auto shown = [&] {
      const auto labels = bench.dock_.findChildren<QLabel*>();
      return std::any_of(labels.begin(), labels.end(),
                         [](const QLabel* label) { return label->text() == QStringLiteral("40 of 120 steps"); });
    };
    QVERIFY(QTest::qWaitFor(shown, 20000));
    const QString names = bench.dock_.progressNames()->text();
    QVERIFY2(names.startsWith(QStringLiteral("After: fc2 in float32\nBefore: Revision 0")), qPrintable(names));
    bench.dock_.cancelButton()->click();
    QVERIFY(bench.finish());
    QVERIFY(!bench.dock_.cancelButton()->isVisible());
    QVERIFY(bench.dock_.message()->isVisible());
    QCOMPARE(bench.session_.run().trials().size(), std::size_t{1});
    QVERIFY(bench.dock_.page()->setup()->text().contains(QStringLiteral("ended early")));
  }

  void afterTheLastStepItSaysWhatItDoes() {
    TryBench bench(
        QStringLiteral("trap 'exit 7' TERM; echo '{\"event\":\"trying\",\"done\":120,\"of\":120}'\n"
                       "while :; do sleep 0.05; done"));
    bench.feed();
    bench.dock_.tryPolicy(test::fakeTrial().after, QStringLiteral("fc2 in float32"));
    QTRY_VERIFY_WITH_TIMEOUT(bench.dock_.progressText()->text().contains(QStringLiteral("All 120 steps made")), 20000);
    bench.dock_.cancelButton()->click();
    QVERIFY(bench.finish());
  }

  // In a low dock the answer is all that is seen without scrolling, also after another Try was read to its end.
  void theAnswerComesFirst() {
    TryBench bench((QString()));
    bench.feed();
    bench.session_.run().addTrial(test::fakeTrial());
    bench.session_.run().addTrial(test::fakeTrial());
    bench.dock_.resize(360, 420);
    bench.dock_.showTrial(0);
    const app::TryPage* page = bench.dock_.page();
    const auto topOf = [page](const QWidget* part) { return part->mapTo(page, QPoint()).y(); };
    QTRY_VERIFY(topOf(page->plot()) > topOf(page->setup()));
    QVERIFY(topOf(page->verdict()) < topOf(page->setup()));
    QScrollBar* bar = bench.dock_.findChild<QScrollArea*>()->verticalScrollBar();
    QTRY_VERIFY(bar->maximum() > 0);
    bar->setValue(bar->maximum());
    bench.dock_.showTrial(1);
    QCOMPARE(bar->value(), 0);
  }

  void aTriedPolicyIsAppliedAsOneUndoStep() {
    TryBench bench(QStringLiteral("cat \"$folder/tried\""));
    bench.feed();
    app::PolicyDocument& document = bench.session_.document();
    const policy::Policy before = document.policy();
    const QSignalSpy ended(&bench.dock_, &TryDock::ended);
    bench.dock_.tryPolicy(test::fakeTrial().after, QStringLiteral("fc2 in float32"));
    QVERIFY(bench.finish());
    QCOMPARE(ended.count(), 1);
    QVERIFY(ended.front().front().toString().contains(QStringLiteral("noise")));
    QVERIFY(document.policy() == before);
    QCOMPARE(bench.dock_.keepButton()->text(), QStringLiteral("Apply"));
    QCOMPARE(bench.dock_.undoButton()->text(), QStringLiteral("Discard"));
    QVERIFY(bench.dock_.keepButton()->isVisible());
    bench.dock_.keepButton()->click();
    QVERIFY(document.policy() == test::fakeTrial().after);
    QCOMPARE(document.undoStack()->count(), 1);
    QVERIFY(!bench.dock_.keepButton()->isVisible());
  }

  void keepingClosesTheQuestionAndUndoRestores() {
    TryBench bench(QStringLiteral("cat \"$folder/tried\""));
    bench.feed();
    app::PolicyDocument& document = bench.session_.document();
    const policy::Policy before = document.policy();
    document.replace(test::fakeTrial().after, QStringLiteral("fc2 in float32"));
    bench.dock_.tryNewestEdit();
    QVERIFY(bench.finish());
    QCOMPARE(bench.dock_.keepButton()->text(), QStringLiteral("Keep"));
    bench.dock_.keepButton()->click();
    QVERIFY(document.policy() == test::fakeTrial().after);
    QVERIFY(!bench.dock_.keepButton()->isVisible());
    bench.dock_.showTrial(0);
    bench.dock_.undoButton()->click();
    QVERIFY(document.policy() == before);
    QVERIFY(!bench.dock_.undoButton()->isVisible());
  }

  void undoRestoresThePolicyBeforeAndNoOtherEdit() {
    TryBench bench(QStringLiteral("cat \"$folder/tried\""));
    bench.feed();
    app::PolicyDocument& document = bench.session_.document();
    const policy::Policy before = document.policy();
    document.replace(test::fakeTrial().after, QStringLiteral("fc2 in float32"));
    bench.dock_.tryNewestEdit();
    QVERIFY(bench.finish());
    document.undoStack()->push(new QUndoCommand(QStringLiteral("an edit of the scaler")));
    bench.dock_.undoButton()->click();
    QVERIFY(document.policy() == before);
    QCOMPARE(document.undoStack()->count(), 3);
    document.undoStack()->undo();
    QVERIFY(document.policy() == test::fakeTrial().after);
  }

  void anotherRunShowsItsOwnTries() {
    TryBench bench((QString()));
    bench.feed();
    bench.session_.run().addTrial(test::fakeTrial());
    bench.dock_.showTrial(0);
    app::RunModel other;
    test::feedRun(other, 3);
    wire::Trial trial = test::fakeTrial();
    trial.name = "fc1 in float32";
    trial.after.sites.front().match = "fc1/aten::linear#0";
    other.addTrial(trial);
    bench.session_.run().show(other.take());
    const QString title = bench.dock_.page()->title()->text();
    QVERIFY2(title.contains(QStringLiteral("fc1 in float32")), qPrintable(title));
    QVERIFY(!bench.dock_.keepButton()->isVisible());
  }

  void aChoiceThatIsNoLongerOfferedGivesWayToTheNewestEdit() {
    const auto based = [](policy::Base base) {
      policy::Policy policy;
      policy.base = base;
      return policy;
    };
    const policy::Policy cuda = based(policy::Base::kCudaAmp);
    const policy::Policy cpu = based(policy::Base::kCpuAmp);
    const policy::Policy full = based(policy::Base::kAllFloat32);
    app::TryChoices choices;
    choices.show();
    choices.setChoices({{QStringLiteral("cuda"), cuda}, {QStringLiteral("cpu"), cpu}}, std::nullopt);
    choices.after()->setFocus();
    QTest::keyClick(choices.after(), Qt::Key_Down);
    QVERIFY(choices.wish()->after == cpu);
    choices.setChoices({{QStringLiteral("cuda"), cuda}, {QStringLiteral("full"), full}}, app::TryWish{full, cuda});
    QVERIFY(choices.wish()->before == full && choices.wish()->after == cuda);
  }

  void everyRowHasAScaleWithAName() {
    TryBench bench((QString()));
    bench.feed();
    bench.session_.run().addTrial(test::fakeTrial());
    bench.dock_.showTrial(0);
    const auto scales = bench.dock_.findChildren<views::NoiseScale*>();
    QCOMPARE(scales.size(), bench.dock_.page()->rows().size());
    for (const views::NoiseScale* scale : scales) QVERIFY(!scale->accessibleName().isEmpty());
    QCOMPARE(static_cast<int>(bench.dock_.page()->plot()->series(0).size()), 40);
    QVERIFY(bench.dock_.page()->verdict()->text().contains(QStringLiteral("noise")));
    // The interval of the loss is in the verdict's text, so its row has it in the tool tip only.
    const QString interval = bench.dock_.page()->rows().front().interval;
    QVERIFY(!interval.isEmpty());
    bool tipped = false;
    for (const QLabel* label : bench.dock_.page()->findChildren<QLabel*>()) {
      QVERIFY(label->text() != interval);
      tipped = tipped || label->toolTip() == interval;
    }
    QVERIFY(tipped);
    test::Explorer::picture(&bench.dock_, QStringLiteral("try-dock"));
  }

  void theDotLiesWhereTheDifferenceIs() {
    views::NoiseScale scale;
    scale.resize(120, 20);
    scale.setMark({.difference = 2, .low = 1, .high = 3, .noise = 0.5}, QStringLiteral("a difference"));
    QCOMPARE(scale.placeOf(0), 60.0);
    QVERIFY(scale.placeOf(-0.5) < scale.placeOf(0) && scale.placeOf(0) < scale.placeOf(0.5));
    QVERIFY(scale.placeOf(2) < scale.placeOf(3));
    QVERIFY(scale.placeOf(3) <= 120);
    QVERIFY(scale.placeOf(std::numeric_limits<double>::quiet_NaN()) > 100);
  }

  void onlyAChangeOfThePolicyCanBeTried() {
    app::EventStory story;
    story.tried.append({{QStringLiteral("scale 1,024"), 1024, {}}, true, true, {}});
    story.tried.append({{QStringLiteral("fc2 in float32"), 0, test::fakeTrial().after.sites}, true, false, {}});
    app::InspectorPage page;
    page.setStory(story);
    QVERIFY(!page.tryButton()->isEnabled());
    page.tried()->selectRow(1);
    QVERIFY(page.tryButton()->isEnabled());  // no live run is needed
    QSignalSpy asked(&page, &app::InspectorPage::tryRequested);
    page.tryButton()->click();
    QCOMPARE(asked.count(), 1);
  }

  void theOpCallsAskForAFormatWithoutApplyingIt() {
    app::RunModel run;
    app::Selection selection;
    app::PolicyDocument document;
    app::SitesDock dock(&run, &document, &selection);
    QSignalSpy asked(&dock, &app::SitesDock::tryRequested);
    test::feedRun(run, 3);
    dock.trySelectedFormat(QStringLiteral("float32"));
    QCOMPARE(asked.count(), 0);  // nothing is selected
    selection.setSites({1, 2});
    dock.trySelectedFormat(QStringLiteral("bfloat16"));
    QCOMPARE(asked.count(), 1);
    const auto after = asked.front().front().value<policy::Policy>();
    QCOMPARE(after.sites.size(), std::size_t{2});
    QVERIFY(after.sites.front().format == formats::kBFloat16);
    QVERIFY(document.policy().sites.empty());
  }
};

BINADE_SUITE(TryDocks);

}  // namespace

#include "tst_try_dock.moc"
