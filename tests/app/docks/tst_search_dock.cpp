// SPDX-License-Identifier: Apache-2.0
// The dock Search: the order, the progress, the front as chart and list, and what can be done with a policy of it.
#include "app/docks/empty_state.h"
#include "app/docks/inspector_dock.h"
#include "app/docks/inspector_page.h"
#include "app/docks/search_dock.h"
#include "app/docks/search_form.h"
#include "app/docks/try_choices.h"
#include "app/docks/try_dock.h"
#include "app/model/site_name.h"
#include "app/present/cell_model.h"
#include "app/present/search_rows.h"
#include "tests/app/app_fixture.h"
#include "tests/app/ended_run.h"
#include "tests/app/fake_search.h"
#include "tests/support/suite.h"
#include "views/plot/front_plot.h"
#include "views/theme.h"

#include <QAbstractButton>
#include <QAbstractItemDelegate>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStyleOptionViewItem>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include <cstdint>
#include <limits>
#include <string>

namespace {

using namespace binade;
using app::SearchDock;
using app::Session;
using test::fakePoint;
using test::FakeSearch;

constexpr double kRunsAway = std::numeric_limits<double>::infinity();

/// A session with a made-up run and the dock of its searches.
class SearchBench {
 public:
  explicit SearchBench(const QString& body) : fake_(body), run_(fake_.engine()), dock_(&session_) {
    dock_.resize(400, 900);
    dock_.show();
  }

  void feed() { run_.feed(); }
  /// Searches to the end with what the script prints.
  bool search(const QByteArray& lines) {
    fake_.write(QStringLiteral("lines"), lines);
    dock_.searchButton()->click();
    return finish();
  }
  bool finish() { return run_.finish(); }

  FakeSearch fake_;
  test::EndedRun run_;
  Session& session_ = run_.session();
  SearchDock dock_;
};

const QString kPrintLines = QStringLiteral("cat \"$folder/lines\"");

/// Two policies of a front, and one that fails.
QByteArray twoFound() {
  app::SearchPoint cheap = fakePoint(1, 100, 0.01, true);
  cheap.base_cost = 214;
  const app::SearchPoint near = fakePoint(3, 150, 0.001, true);
  return FakeSearch::proven(cheap) + FakeSearch::proven(fakePoint(2, 90, kRunsAway, false)) + FakeSearch::proven(near) +
         FakeSearch::searching(3, 8, "Done") + FakeSearch::front({cheap, near}, "The tries are used up.");
}

class SearchDocks : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  // Four boxes of which none is checked look as if the search had no format at all.
  void uncheckedFormatsAreExplained() {
    app::SearchForm form;
    QVERIFY2(form.formatsText()->text().contains(QStringLiteral("the base list's low format")),
             qPrintable(form.formatsText()->text()));
    QVERIFY(form.order().formats.isEmpty());
    QCheckBox* box = form.format(QStringLiteral("bfloat16"));
    QVERIFY(box->toolTip().contains(QStringLiteral("Unchecked")) && !box->whatsThis().isEmpty());
    box->setChecked(true);
    QVERIFY2(form.formatsText()->text().contains(QStringLiteral("checked formats only")),
             qPrintable(form.formatsText()->text()));
    box->setChecked(false);
    QVERIFY(form.formatsText()->text().startsWith(QStringLiteral("None checked")));
  }

  void anEmptyDockSaysWhatFillsIt() {
    SearchBench bench((QString()));
    QVERIFY(bench.dock_.empty()->isShownEmpty());
    QVERIFY(!bench.dock_.form()->isVisible());
    QVERIFY(!bench.dock_.searchButton()->isEnabled());
    bench.feed();
    QVERIFY(bench.dock_.form()->isVisible() && bench.dock_.searchButton()->isEnabled());
    QVERIFY(bench.dock_.empty()->sentence().contains(QStringLiteral("beside the present one")));
    bench.dock_.form()->setGoal(app::SearchGoal::kRepair);
    QVERIFY(bench.dock_.empty()->sentence().contains(QStringLiteral("beside float32")));
    QVERIFY(!bench.dock_.empty()->sentence().contains(QStringLiteral("present one")));
    QVERIFY(!bench.dock_.applyButton()->isVisible());
  }

  void theOrderIsWhatTheFormSays() {
    SearchBench bench(kPrintLines);
    bench.feed();
    app::SearchForm* form = bench.dock_.form();
    form->setGoal(app::SearchGoal::kMemory);
    form->minutes()->setValue(0);
    form->tries()->setValue(12);
    form->steps()->setValue(30);
    form->format(QStringLiteral("bfloat16"))->setChecked(true);
    form->evaluation()->setText(QStringLiteral("0.5"));
    bench.session_.selection().setSites({0, 1});
    QTest::mouseClick(form->keepButton(), Qt::LeftButton);
    QVERIFY(!form->keepButton()->isEnabled());  // nothing more is selected
    QVERIFY(bench.search(FakeSearch::front({}, "Nothing.")));
    const auto& sites = bench.session_.run().sites();
    QCOMPARE(bench.fake_.arguments().value(1), bench.session_.run().runFile());
    QCOMPARE(bench.fake_.option(QStringLiteral("--for")), QStringLiteral("memory"));
    QCOMPARE(bench.fake_.options(QStringLiteral("--budget")), QStringList{QStringLiteral("12tries")});
    QCOMPARE(bench.fake_.option(QStringLiteral("--steps")), QStringLiteral("30"));
    QCOMPARE(bench.fake_.option(QStringLiteral("--formats")), QStringLiteral("bfloat16"));
    QCOMPARE(bench.fake_.option(QStringLiteral("--evaluation")), QStringLiteral("0.5"));
    QCOMPARE(bench.fake_.options(QStringLiteral("--fixed")),
             (QStringList{app::siteName(sites[0].key), app::siteName(sites[1].key)}));
    QVERIFY(bench.fake_.base() == bench.session_.document().policy());
  }

  void anOrderWithoutLimitOrWithoutANumberIsRefused() {
    SearchBench bench(kPrintLines);
    bench.feed();
    app::SearchForm* form = bench.dock_.form();
    form->minutes()->setValue(0);
    QVERIFY(!bench.dock_.searchButton()->isEnabled());
    QVERIFY(bench.dock_.searchButton()->toolTip().contains(QStringLiteral("limit")));
    form->tries()->setValue(1);
    QVERIFY(bench.dock_.searchButton()->isEnabled());
    form->evaluation()->setText(QStringLiteral("good"));
    QVERIFY(!bench.dock_.searchButton()->isEnabled());
  }

  void theCheapestPolicyOfTheFrontIsChosenAndAppliedAsOneUndoStep() {
    SearchBench bench(kPrintLines);
    bench.feed();
    const policy::Policy before = bench.session_.document().policy();
    QVERIFY(bench.search(twoFound()));
    QCOMPARE(bench.dock_.model()->rowCount(), 3);
    QCOMPARE(bench.dock_.plot()->count(), 2);  // a gap that is infinite has no place
    QCOMPARE(bench.dock_.plot()->chosen(), 1);
    QCOMPARE(bench.dock_.table()->currentIndex().row(), 0);
    QVERIFY(bench.dock_.sentence()->text().contains(QStringLiteral("The tries are used up.")));
    QVERIFY(bench.dock_.detail()->text().contains(QStringLiteral("before 214")));
    QTest::mouseClick(bench.dock_.applyButton(), Qt::LeftButton);
    QVERIFY(bench.session_.document().policy() == fakePoint(1, 0, 0, true).policy);
    QVERIFY(!bench.session_.document().policy().provenance.evidence.empty());
    QVERIFY(!bench.dock_.applyButton()->isEnabled());
    QCOMPARE(bench.session_.document().undoStack()->count(), 1);
    bench.session_.document().undoStack()->undo();
    QVERIFY(bench.session_.document().policy() == before);
    QVERIFY(bench.dock_.applyButton()->isEnabled());
    test::Explorer::picture(&bench.dock_, QStringLiteral("search"));
  }

  // The width that the dock has in the arrangement Tune of a window of 1280 x 800.
  void inTuneOnASmallScreenTheListIsNotCut() {
    SearchBench bench(kPrintLines);
    bench.feed();
    QVERIFY(bench.search(twoFound()));
    bench.dock_.resize(900, 420);
    QTableView* table = bench.dock_.table();
    QTRY_COMPARE(table->y(), bench.dock_.plot()->y());
    QApplication::processEvents();
    for (int column = 0; column < table->model()->columnCount(); ++column) {
      const QModelIndex index = table->model()->index(0, column);
      QStyleOptionViewItem option;
      option.initFrom(table);
      const int needed = table->itemDelegateForIndex(index)->sizeHint(option, index).width();
      QVERIFY2(table->columnWidth(column) >= needed,
               qPrintable(QStringLiteral("%1: %2 of %3").arg(column).arg(table->columnWidth(column)).arg(needed)));
    }
    QVERIFY(table->horizontalHeader()->length() <= table->viewport()->width());
  }

  void chartAndListNameTheSameCost() {
    SearchBench bench(kPrintLines);
    bench.feed();
    for (const app::SearchGoal goal : {app::SearchGoal::kMemory, app::SearchGoal::kCasts}) {
      bench.dock_.form()->setGoal(goal);
      QVERIFY(bench.search(twoFound()));
      const QAbstractItemModel* list = bench.dock_.table()->model();
      const int column = app::search_column::kCost;
      QCOMPARE(list->headerData(column, Qt::Horizontal).toString(), bench.dock_.plot()->costName());
      QCOMPARE(bench.dock_.plot()->costName(), app::costName(goal));
      QVERIFY(bench.dock_.detail()->text().contains(app::costName(goal)));
    }
  }

  void nothingIsCutAtTheUsualWidth_data() {
    QTest::addColumn<double>("scale");
    QTest::addColumn<int>("width");
    for (const double scale : {1.0, 1.5}) {
      for (const int width : {420, 720}) QTest::addRow("%d %%, %d px", qRound(100 * scale), width) << scale << width;
    }
  }

  // Neither at the right edge of the dock nor by a neighbour, and no text that wraps misses its last line.
  void nothingIsCutAtTheUsualWidth() {
    QFETCH(const double, scale);
    QFETCH(const int, width);
    views::setTextScale(*qApp, scale);
    const auto usual = qScopeGuard([] { views::setTextScale(*qApp, 1); });
    SearchBench bench(kPrintLines);
    bench.dock_.resize(width, 1200);
    bench.feed();
    const auto cut = [&bench] {
      QApplication::processEvents();
      QStringList found;
      for (QWidget* each : bench.dock_.widget()->findChildren<QWidget*>()) {
        const auto* label = qobject_cast<QLabel*>(each);
        const bool chosen = qobject_cast<QAbstractButton*>(each) != nullptr || label != nullptr;
        if (!chosen || !each->isVisible() || each->size().isEmpty()) continue;
        const QRect seen = each->visibleRegion().boundingRect();
        const bool wraps = label != nullptr && label->wordWrap();
        const bool whole =
            wraps ? each->height() >= label->heightForWidth(each->width()) : each->width() >= each->sizeHint().width();
        if (seen.width() >= each->width() && seen.height() >= each->height() && whole) continue;
        const auto* button = qobject_cast<QAbstractButton*>(each);
        found << (button != nullptr ? button->text() : label->text());
      }
      return found.join(u'\n');
    };
    QTRY_COMPARE(cut(), QString());
    QVERIFY(bench.dock_.form()->format(QStringLiteral("float16"))->isVisible());
    bench.dock_.form()->format(QStringLiteral("float16"))->setChecked(true);  // a longer text
    QTRY_COMPARE(cut(), QString());
    QVERIFY(bench.search(twoFound()));
    QTRY_COMPARE(cut(), QString());
    QVERIFY(bench.dock_.table()->horizontalHeader()->length() <= bench.dock_.table()->viewport()->width() || scale > 1);
    bench.dock_.widget()->findChild<QToolButton*>()->click();  // the order again
    QTRY_COMPARE(cut(), QString());
  }

  void chartAndListChooseTheSamePolicy() {
    SearchBench bench(kPrintLines);
    bench.feed();
    QVERIFY(bench.search(twoFound()));
    views::FrontPlot* plot = bench.dock_.plot();
    QTest::mouseClick(plot, Qt::LeftButton, {}, plot->place(3).toPoint());
    QCOMPARE(bench.dock_.table()->currentIndex().row(), 1);
    QVERIFY(plot->accessibleDescription().contains(QStringLiteral("fc3")));
    QTest::keyClick(plot, Qt::Key_Left);
    QCOMPARE(bench.dock_.table()->currentIndex().row(), 0);
    bench.dock_.table()->selectRow(2);
    QCOMPARE(plot->chosen(), -1);  // the one that fails is not in the chart
    QVERIFY(bench.dock_.detail()->text().contains(QStringLiteral("fc2")));
  }

  void aPolicyIsHandedToSavingExportAndTry() {
    SearchBench bench(kPrintLines);
    bench.feed();
    bench.dock_.form()->steps()->setValue(20);
    QVERIFY(bench.search(twoFound()));
    QSignalSpy saved(&bench.dock_, &SearchDock::saveRequested);
    QSignalSpy exported(&bench.dock_, &SearchDock::exportRequested);
    std::optional<app::TryWish> wish;
    connect(&bench.dock_, &SearchDock::tryRequested, this, [&](const app::TryWish& wanted) { wish = wanted; });
    bench.dock_.choose(3);
    bench.dock_.saveButton()->click();
    bench.dock_.exportButton()->click();
    bench.dock_.tryButton()->click();
    QCOMPARE(saved.count(), 1);
    QCOMPARE(exported.count(), 1);
    QVERIFY(saved.front().front().value<policy::Policy>() == fakePoint(3, 0, 0, true).policy);
    QVERIFY(wish && wish->before == bench.session_.document().policy());
    QVERIFY(wish->after == fakePoint(3, 0, 0, true).policy);
    QCOMPARE(wish->steps, 100);
    QCOMPARE(wish->seeds, 3);
  }

  void nothingBetterIsSaid() {
    SearchBench bench(kPrintLines);
    bench.feed();
    QSignalSpy ended(&bench.dock_, &SearchDock::ended);
    QVERIFY(bench.search(FakeSearch::proven(fakePoint(1, 90, 0.5, false)) +
                         FakeSearch::front({}, "Nothing better was found in 1 try.")));
    QVERIFY(bench.dock_.sentence()->text().contains(QStringLiteral("Nothing better was found in 1 try.")));
    QVERIFY(bench.dock_.searches().front().isEmpty());
    QCOMPARE(bench.dock_.model()->rowCount(), 1);  // what failed is shown too
    QCOMPARE(ended.count(), 1);
    QVERIFY(ended.front().at(1).toString().isEmpty());  // a notice would repeat the sentence of the dock
  }

  void headlineRowsAndChartAgreeOnWhatIsBetter() {
    SearchBench bench(kPrintLines);
    bench.feed();
    bench.dock_.form()->setGoal(app::SearchGoal::kCasts);
    app::SearchPoint dearer = fakePoint(1, 16, -0.0015, true);
    dearer.verdict = wire::TrialVerdict::kBetter;
    app::SearchPoint open = fakePoint(2, 8, 0.0008, false);
    open.verdict = wire::TrialVerdict::kUnknown;
    dearer.base_cost = open.base_cost = 12;
    QVERIFY(bench.search(FakeSearch::proven(dearer) + FakeSearch::proven(open) +
                         FakeSearch::front({}, "Nothing better than the present policy was found.")));
    QVERIFY(bench.dock_.sentence()->text().contains(QStringLiteral("Not decided: 1 of 2.")));
    QStringList verdicts;
    for (int row = 0; row < 2; ++row)
      verdicts << bench.dock_.model()->index(row, app::search_column::kVerdict).data().toString();
    QCOMPARE(verdicts,
             (QStringList{QStringLiteral("not decided"), QStringLiteral("loss lower, but 16 casts (now 12)")}));
    QCOMPARE(bench.dock_.plot()->legend(),
             (QStringList{QStringLiteral("not on the front"), QStringLiteral("not decided"),
                          QStringLiteral("present policy")}));
    QVERIFY(bench.dock_.plot()->presentPlace().x() < bench.dock_.plot()->place(1).x());
  }

  void aCancelledSearchGoesOnWithALargerBudget() {
    SearchBench bench(
        QStringLiteral("trap 'cat \"$folder/lines\"; exit 130' TERM\n"
                       "cat \"$folder/first\"\nif [ -e \"$folder/again\" ]; then cat \"$folder/lines\"; exit 0; fi\n"
                       "touch \"$folder/again\"; while :; do sleep 0.05; done"));
    bench.feed();
    const app::SearchPoint point = fakePoint(1, 100, 0, true);
    bench.fake_.write(QStringLiteral("first"), FakeSearch::searching(1, 1, "Trying fc1") + FakeSearch::proven(point));
    bench.fake_.write(QStringLiteral("lines"), FakeSearch::front({point}, "Cancelled."));
    const QSignalSpy ended(&bench.dock_, &SearchDock::ended);
    bench.dock_.searchButton()->click();
    QTRY_COMPARE_WITH_TIMEOUT(bench.dock_.model()->rowCount(), 1, 20000);
    QVERIFY(!bench.dock_.form()->isVisible());
    QTest::mouseClick(bench.dock_.cancelButton(), Qt::LeftButton);
    QVERIFY(bench.finish());
    QCOMPARE(bench.dock_.model()->rowCount(), 1);
    QVERIFY(bench.dock_.searches().result()->cancelled);
    QCOMPARE(ended.count(), 0);  // the person knows already
    const QString folder = bench.fake_.option(QStringLiteral("--out"));
    QVERIFY(!bench.dock_.form()->isVisible());
    QVERIFY(bench.dock_.resumeButton()->isVisible());  // the way back is not in a folded part
    bench.dock_.form()->tries()->setValue(99);
    bench.dock_.resumeButton()->click();
    QVERIFY(bench.finish());
    QCOMPARE(bench.fake_.option(QStringLiteral("--out")), folder);
    QVERIFY(bench.fake_.options(QStringLiteral("--budget")).contains(QStringLiteral("99tries")));
    QCOMPARE(bench.dock_.model()->rowCount(), 1);  // reported again, and shown once
  }

  void aSearchCancelledBeforeItsFirstTrySaysSoOnce() {
    SearchBench bench(QStringLiteral("trap 'exit 130' TERM\ncat \"$folder/first\"\nwhile :; do sleep 0.05; done"));
    bench.feed();
    bench.fake_.write(QStringLiteral("first"), FakeSearch::searching(0, 1, "Trying fc1"));
    bench.dock_.searchButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(bench.dock_.sentence()->text().contains(QStringLiteral("Trying fc1")), 20000);
    bench.dock_.cancelButton()->click();
    QVERIFY(bench.finish());
    QVERIFY(bench.dock_.sentence()->text().contains(QStringLiteral("before it had tried a policy")));
    QVERIFY(!bench.dock_.sentence()->text().contains(QStringLiteral("results")));
  }

  void aProblemIsShownAndWhatWasProvenStays() {
    SearchBench bench(QStringLiteral("cat \"$folder/lines\"; exit 1"));
    bench.feed();
    QVERIFY(bench.search(FakeSearch::proven(fakePoint(1, 90, 0, true)) +
                         "{\"event\":\"error\",\"message\":\"The disk is full.\",\"hint\":\"Free space.\"}\n"));
    QCOMPARE(bench.dock_.message()->text(), QStringLiteral("The disk is full. Free space."));
    QVERIFY(bench.dock_.message()->isVisible());
    QCOMPARE(bench.dock_.searches().front(), QSet<qint64>{1});
    QVERIFY(bench.dock_.applyButton()->isEnabled());
  }

  void anotherRunForgetsWhatWasFound() {
    SearchBench bench(kPrintLines);
    bench.feed();
    QVERIFY(bench.search(twoFound()));
    bench.feed();
    QVERIFY(bench.dock_.empty()->isShownEmpty());
    QVERIFY(!bench.dock_.searches().order());
  }

  void aRepairStartsBeforeTheLossesThatAreNotFinite() {
    SearchBench bench(kPrintLines);
    bench.feed();
    app::RunModel& run = bench.session_.run();
    wire::StepRecord step;
    step.loss = 1;
    run.addSteps({step});
    step.step = 1;
    step.loss = std::numeric_limits<double>::quiet_NaN();
    run.addSteps({step});
    bench.dock_.proposeRepair();
    QVERIFY(bench.search(FakeSearch::front({}, "Nothing.")));
    QCOMPARE(bench.fake_.option(QStringLiteral("--for")), QStringLiteral("repair"));
    const QString start = bench.fake_.arguments().value(1);
    QVERIFY2(start.endsWith(QStringLiteral("/demo.start.run.json")), qPrintable(start));
    QFile file(start);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const wire::RunConfig config = wire::parse_run(file.readAll().toStdString(), "start", "/");
    QCOMPARE(config.model, run.config().model);
    QVERIFY(config.resume.empty());
    // A search for less starts from the newest state, whatever the losses.
    bench.dock_.form()->setGoal(app::SearchGoal::kTime);
    QVERIFY(bench.search(FakeSearch::front({}, "Nothing.")));
    QCOMPARE(bench.fake_.arguments().value(1), run.runFile());
  }

  void aCheckpointWithBrokenWeightsIsNoStateToRepairFrom() {
    SearchBench bench(kPrintLines);
    bench.feed();
    app::RunModel& run = bench.session_.run();
    const QString folder = test::temporaryFolder();
    const auto save = [&](std::int64_t step) {
      wire::CheckpointInfo saved;
      saved.step = step;
      saved.file = folder.toStdString() + "/" + std::to_string(step) + ".safetensors";
      QFile file(QString::fromStdString(saved.file));
      if (file.open(QIODevice::WriteOnly)) run.addCheckpoint(saved);
      return QString::fromStdString(saved.file);
    };
    const QString whole = save(1);
    wire::StepRecord step;
    step.loss = 1;
    step.gradient_norm = 1;
    run.addSteps({step});
    step.step = 1;
    step.gradient_norm = std::numeric_limits<double>::quiet_NaN();  // the optimizer takes it
    run.addSteps({step});
    save(2);
    step.step = 2;
    step.loss = std::numeric_limits<double>::quiet_NaN();
    run.addSteps({step});
    bench.dock_.proposeRepair();
    QVERIFY(bench.search(FakeSearch::front({}, "Nothing.")));
    QCOMPARE(bench.fake_.arguments().value(1), whole);
  }

  void opCallsOfAnotherModelAreNotKeptUnchanged() {
    app::SearchForm form;
    form.setSelected({QStringLiteral("fc1/aten::linear#0"), QStringLiteral("fc2/aten::linear#0")});
    form.keepButton()->click();
    QCOMPARE(form.order().fixed.size(), 2);
    form.setCalls({QStringLiteral("fc2/aten::linear#0"), QStringLiteral("conv/aten::conv2d#0")});
    QCOMPARE(form.order().fixed, QStringList{QStringLiteral("fc2/aten::linear#0")});
  }

  void aDivergedTrainingOffersTheRepair() {
    test::Explorer explorer;
    explorer.showFed(40);
    app::DockSet* docks = explorer.window().docks();
    wire::Event event;
    event.step = 39;
    event.kind = wire::Event::Kind::kDiverged;
    event.facts = wire::Diverged{true, 20, true, true};
    explorer.session().run().addEvent(event);
    explorer.session().selectEvent(static_cast<int>(explorer.session().run().events().size()) - 1);
    QPushButton* repair = docks->inspector->page()->repairButton();
    QVERIFY(!repair->isHidden());
    repair->click();
    QVERIFY(docks->search->isVisible());
    QVERIFY(docks->search->form()->order().goal == app::SearchGoal::kRepair);
    // An event that the scaler has handled needs no search.
    wire::Event handled;
    handled.step = 38;
    handled.kind = wire::Event::Kind::kGradientOverflow;
    explorer.session().run().addEvent(handled);
    explorer.session().selectEvent(static_cast<int>(explorer.session().run().events().size()) - 1);
    QVERIFY(repair->isHidden());
  }
};

BINADE_SUITE(SearchDocks);

}  // namespace

#include "tst_search_dock.moc"
