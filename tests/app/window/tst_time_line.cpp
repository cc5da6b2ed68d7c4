// SPDX-License-Identifier: Apache-2.0
// The time line: the step chosen on it is the step of every view.
#include "app/docks/events_dock.h"
#include "app/docks/gradients_dock.h"
#include "app/docks/questions_dock.h"
#include "app/docks/scale_dock.h"
#include "app/docks/scale_edit.h"
#include "app/docks/sites_dock.h"
#include "app/present/diagnose_answers.h"
#include "app/present/event_table_model.h"
#include "app/window/actions.h"
#include "app/window/run_bar.h"
#include "app/window/time_line_bar.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_run.h"
#include "tests/app/fake_sites.h"
#include "tests/support/suite.h"

#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <optional>

namespace {

using namespace binade;
using test::Explorer;

std::optional<std::int64_t> shownIn(Explorer& explorer) {
  return explorer.session().run().shownStep();
}

class TimeLines : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyViewShowsTheChosenStep() {
    Explorer explorer;
    explorer.showFed(80);
    app::MainWindow& window = explorer.window();
    app::Session& session = explorer.session();
    const app::RunModel& run = session.run();
    views::StepSlider* slider = window.timeLine()->slider();
    QVERIFY(slider->isVisible());
    QTRY_COMPARE(slider->maximum(), 79);
    QVERIFY(!window.timeLine()->newest()->isEnabled());
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Home);
    QVERIFY(shownIn(explorer) == std::optional<std::int64_t>(0));
    QTest::keyClick(slider, Qt::Key_Right);
    QTest::keyClick(slider, Qt::Key_Right);
    QVERIFY(shownIn(explorer) == std::optional<std::int64_t>(2));
    // The cursor of the charts, the step in the tool bar, the table, the scale and the events.
    QVERIFY(window.stepAxis()->cursor() == std::optional<std::int64_t>(2));
    QCOMPARE(window.timeLine()->field()->value(), 2);
    const auto labels = window.findChild<app::RunBar*>()->findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(),
                        [](const QLabel* label) { return label->text() == QStringLiteral("2 of 79"); }));
    app::RunModel then;
    test::feedRun(then, 3);
    const app::SiteTableModel* table = window.docks()->sites->model();
    for (int row = 0; row < table->rowCount(); ++row)
      QCOMPARE(table->figures(row).sentence, app::figuresOf(then, row).sentence);
    QVERIFY(!window.docks()->scale->editor()->isEnabled());
    const app::EventTableModel* events = window.docks()->events->model();
    for (int event = 0; event < events->events(); ++event) {
      const bool later = run.events()[static_cast<std::size_t>(event)].step > 2;
      QCOMPARE(events->index(events->rowOf(event), 0).data(views::QuietRole).toBool(), later);
    }
    QVERIFY(window.docks()->events->windowTitle().endsWith(QStringLiteral("until step 2")));
    window.setArrangement(app::Arrangement::kDiagnose);
    session.selection().setShown(2);
    for (int i = 0; i < 4; ++i)
      QCOMPARE(window.docks()->questions->answer(i).text, app::answersOf(run)[static_cast<std::size_t>(i)].text);
    // Back.
    QVERIFY(window.timeLine()->newest()->isEnabled());
    window.timeLine()->newest()->click();
    QVERIFY(!shownIn(explorer));
    QVERIFY(!window.stepAxis()->cursor());
    QCOMPARE(window.timeLine()->field()->value(), 79);
  }

  void aStepIsTyped() {
    Explorer explorer;
    explorer.showFed(80);
    views::StepSlider* slider = explorer.window().timeLine()->slider();
    QSpinBox* field = explorer.window().timeLine()->field();
    QTRY_COMPARE(field->value(), 79);
    QTest::keyClick(slider, '4');
    QTRY_VERIFY(field->hasFocus());
    QTest::keyClick(field, '2');
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(shownIn(explorer) == std::optional<std::int64_t>(42));
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_End);
    QVERIFY(!shownIn(explorer));
    QCOMPARE(field->value(), 79);
    explorer.window().actions()->go_to_step->trigger();
    QTRY_VERIFY(field->hasFocus());
  }

  void laterEventsAreDimmedInANarrowList() {
    Explorer explorer;
    explorer.showFed(80);
    explorer.window().setArrangement(app::Arrangement::kDiagnose);
    explorer.session().selection().clear();
    app::EventsDock* dock = explorer.window().docks()->events;
    auto* table = dock->findChild<QTableView*>();
    QVERIFY(table->horizontalHeader()->isHidden());  // narrow
    const int row = dock->model()->rowOf(dock->model()->events() - 1);
    const auto picture = [&] {
      return table->viewport()->grab(table->visualRect(dock->model()->index(row, 1))).toImage();
    };
    const QImage before = picture();
    QCOMPARE(picture(), before);
    explorer.session().selection().setShown(2);
    QVERIFY(picture() != before);
  }

  void diagnoseKeepsTheStepThatTheUserChose() {
    Explorer explorer;
    explorer.showFed(80);
    explorer.session().selection().setShown(50);
    explorer.window().setArrangement(app::Arrangement::kDiagnose);
    QVERIFY(explorer.session().selection().event() >= 0);
    QVERIFY(shownIn(explorer) == std::optional<std::int64_t>(50));
    explorer.window().setArrangement(app::Arrangement::kExplore);
    QVERIFY(shownIn(explorer) == std::optional<std::int64_t>(50));
  }

  void anArrangementAfterDiagnoseFollowsTheNewestStep() {
    Explorer explorer;
    explorer.showFed(80);
    explorer.window().setArrangement(app::Arrangement::kDiagnose);
    QVERIFY(explorer.session().selection().step().has_value());
    explorer.window().setArrangement(app::Arrangement::kExplore);
    QVERIFY(!explorer.session().selection().step());
  }

  void aSelectedEventIsALineOnTheTimeLine() {
    Explorer explorer;
    explorer.showFed(80);
    views::StepSlider* slider = explorer.window().timeLine()->slider();
    QTRY_COMPARE(slider->maximum(), 79);
    QVERIFY(!slider->cursorStep());
    const QImage before = slider->grab().toImage();
    explorer.session().selectEvent(1);
    QVERIFY(slider->cursorStep() == std::optional(explorer.session().run().events()[1].step));
    QVERIFY(slider->grab().toImage() != before);
  }

  void stepAndPolicyOfAnEarlierStepAreShownWhole() {
    Explorer explorer;
    explorer.showFed(1100);
    explorer.window().resize(1280, 800);
    test::FakeRun fake;
    for (int i = 0; i < 1100; ++i) fake.next();
    policy::Policy edited = test::conv1In(formats::kBFloat16);
    edited.name = "tuned";
    app::RunModel& run = explorer.session().run();
    run.addPolicy(fake.setPolicy(edited, 1));
    for (int i = 0; i < 20; ++i) run.addSteps({fake.next()});
    explorer.session().selection().setShown(1110);
    auto* bar = explorer.window().findChild<app::RunBar*>();
    const auto labels = bar->findChildren<QLabel*>();
    const auto step = std::find_if(labels.begin(), labels.end(), [](const QLabel* label) {
      return label->text() == QStringLiteral("1,110 of 1,119");
    });
    QVERIFY(step != labels.end());
    QTRY_VERIFY((*step)->width() >= (*step)->sizeHint().width());
    const auto buttons = bar->findChildren<QToolButton*>();
    QVERIFY(std::any_of(buttons.begin(), buttons.end(), [](const QToolButton* button) {
      return button->text() == QStringLiteral("tuned · 1 change");
    }));
  }

  void aCursorIsNoChoiceUnlessAnEarlierStepIsShown() {
    Explorer explorer;
    explorer.showFed(80);
    app::Selection& selection = explorer.session().selection();
    explorer.window().stepAxis()->setCursor(30);
    QVERIFY(selection.step() == std::optional<std::int64_t>(30));
    QVERIFY(!shownIn(explorer));
    selection.setShown(50);
    explorer.window().stepAxis()->setCursor(20);
    QVERIFY(shownIn(explorer) == std::optional<std::int64_t>(20));
    explorer.window().stepAxis()->clearCursor();
    QVERIFY(!shownIn(explorer));
  }

  void theRunGoesOnAndAnEditReturnsToIt() {
    Explorer explorer;
    explorer.showFed(40);
    app::RunModel& run = explorer.session().run();
    explorer.session().selection().setShown(10);
    test::FakeRun fake;
    for (int i = 0; i < 40; ++i) fake.next();
    for (int i = 0; i < 5; ++i) run.addSteps({fake.next()});
    QTRY_COMPARE(explorer.window().timeLine()->slider()->maximum(), 44);
    QCOMPARE(explorer.window().timeLine()->slider()->value(), 10);
    QVERIFY(shownIn(explorer) == std::optional<std::int64_t>(10));
    explorer.session().document().setFormat({run.sites()[test::kFc2].key}, formats::kBFloat16);
    QVERIFY(!shownIn(explorer));
  }

  void eventsEditsAndRewindsAreMarked() {
    Explorer explorer;
    explorer.showFed(40);
    app::RunModel& run = explorer.session().run();
    const auto marks = [&](views::StepMark::Kind kind) {
      const auto& all = explorer.window().timeLine()->slider()->marks();
      return static_cast<int>(
          std::count_if(all.begin(), all.end(), [kind](const auto& mark) { return mark.kind == kind; }));
    };
    using Kind = views::StepMark::Kind;
    QTRY_COMPARE(marks(Kind::kEvent), static_cast<int>(run.events().size()));
    QCOMPARE(marks(Kind::kEdit), 0);
    test::FakeRun fake;
    wire::PolicyApplied applied = fake.setPolicy(test::FakeRun::config().policy, 1);
    applied.step = 40;
    run.addPolicy(applied);
    QTRY_COMPARE(marks(Kind::kEdit), 1);
    wire::CheckpointInfo saved;
    saved.step = 30;
    saved.file = "made-up";
    run.addCheckpoint(saved);
    QTRY_COMPARE(marks(Kind::kCheckpoint), 1);
    run.rewind(35);
    QTRY_COMPARE(marks(Kind::kRewind), 1);
  }

  void lessonsAndPagesHaveNoTimeLine() {
    Explorer explorer;
    explorer.window().show();
    QVERIFY(explorer.window().timeLine()->isHidden());
    explorer.showFed(10);
    QVERIFY(explorer.window().timeLine()->isVisible());
    explorer.window().setArrangement(app::Arrangement::kLearn);
    QVERIFY(explorer.window().timeLine()->isHidden());
    explorer.window().setArrangement(app::Arrangement::kTune);
    QVERIFY(explorer.window().timeLine()->isVisible());
    explorer.window().showStart();
    QVERIFY(explorer.window().timeLine()->isHidden());
  }
};

}  // namespace

BINADE_SUITE(TimeLines);
#include "tst_time_line.moc"
