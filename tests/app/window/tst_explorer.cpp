// SPDX-License-Identifier: Apache-2.0
// The explorer as a person uses it: a window, a keyboard, a mouse, and an engine at the other end of the wire.
#include "app/docks/dock.h"
#include "app/docks/events_dock.h"
#include "app/docks/gradients_dock.h"
#include "app/docks/scale_dock.h"
#include "app/docks/scale_edit.h"
#include "app/docks/series_dock.h"
#include "app/docks/sites_dock.h"
#include "app/window/actions.h"
#include "app/window/banner.h"
#include "app/window/start_page.h"
#include "app/window/status_line.h"
#include "engine/words/observe_cost_text.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_run.h"
#include "tests/support/suite.h"
#include "views/elided_label.h"
#include "views/plot/step_axis.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QDropEvent>
#include <QFile>
#include <QItemSelectionModel>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <cmath>

namespace {

using namespace binade;
using app::SiteTableModel;
using test::Explorer;

QPoint cellCentre(const QTableView* table, const QModelIndex& index) {
  return table->visualRect(index).center();
}

QModelIndex cellOf(Explorer& explorer, const QString& call, int column) {
  const app::SiteFilter* filter = explorer.window().docks()->sites->filter();
  for (int row = 0; row < filter->rowCount(); ++row) {
    if (filter->index(row, SiteTableModel::kCall).data().toString() == call) return filter->index(row, column);
  }
  return {};
}

void click(QTableView* table, const QModelIndex& index, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
  table->scrollTo(index);
  QTest::mouseClick(table->viewport(), Qt::LeftButton, modifiers, cellCentre(table, index));
}

// Opens the format editor of the current cell with F2 and chooses with the keyboard, as a person does.
bool chooseFormat(QTableView* table, const QModelIndex& cell, const QString& format) {
  table->setCurrentIndex(cell);
  QTest::keyClick(table, Qt::Key_F2);
  QComboBox* combo = nullptr;
  const auto open = [&] {
    combo = table->findChild<QComboBox*>();
    return combo != nullptr && combo->view()->isVisible();
  };
  if (!QTest::qWaitFor(open, 3000)) return false;
  const int wanted = combo->findData(format);
  QAbstractItemView* list = combo->view();
  for (int i = 0; i < 2 * combo->count() && list->currentIndex().row() != wanted; ++i) {
    QTest::keyClick(list, list->currentIndex().row() < wanted ? Qt::Key_Down : Qt::Key_Up);
  }
  if (list->currentIndex().row() != wanted) return false;
  QTest::keyClick(list, Qt::Key_Return);
  return true;
}

QString formatOf(Explorer& explorer, const QString& call) {
  return cellOf(explorer, call, SiteTableModel::kFormat).data().toString();
}

const QString kConv = QStringLiteral("conv1/aten::conv2d#0");
const QString kFirstLayer = QStringLiteral("fc1/aten::linear#0");
const QString kSecondLayer = QStringLiteral("fc2/aten::linear#0");

class Explorers : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theWindowIsThereBeforeTheEngine() {
    Explorer explorer({QStringLiteral("--slow-start"), QStringLiteral("400")});
    explorer.show();
    QVERIFY(QTest::qWaitForWindowExposed(&explorer.window()));
    QVERIFY(explorer.session().engine().state() == app::EngineClient::State::kStarting);
    QVERIFY(explorer.window().startPage()->isVisible());
    QTRY_VERIFY(explorer.session().engine().state() == app::EngineClient::State::kReady);
  }

  void keyOneRunsTheDemoAndTheDocksFill() {
    Explorer explorer;
    explorer.show();
    QVERIFY(QTest::qWaitForWindowActive(&explorer.window()));
    QTRY_VERIFY(explorer.session().engine().state() == app::EngineClient::State::kReady);
    QTest::keyClick(explorer.window().startPage(), Qt::Key_1);
    QTRY_VERIFY_WITH_TIMEOUT(explorer.session().run().steps().size() > 30, 10000);
    QVERIFY(explorer.window().showsRun());
    QVERIFY(!explorer.window().startPage()->isVisible());
    QVERIFY(explorer.window().docks()->scale->plot()->series().size() > 0);
    QVERIFY(explorer.window().docks()->loss->plot()->series(0).size() > 0);
    QVERIFY(explorer.window().docks()->sites->filter()->rowCount() > 5);
    QVERIFY(explorer.window().docks()->events->model()->rowCount() > 0);
    QVERIFY(!explorer.window().docks()->gradients->view()->heatMap()->columns().empty());
    const auto& marks = explorer.window().docks()->scale->plot()->marks();
    const auto has = [&](views::MarkKind kind) {
      return std::any_of(marks.begin(), marks.end(), [&](const views::Mark& mark) { return mark.kind == kind; });
    };
    QVERIFY(has(views::MarkKind::kSkipped));
    QVERIFY(has(views::MarkKind::kBackOff));
  }

  void pauseStepRunAndStopReachTheEngine() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(10));
    app::Actions* actions = explorer.window().actions();
    QVERIFY(!actions->pause->isEnabled());
    QVERIFY(actions->step->isEnabled());
    const std::size_t before = explorer.session().run().steps().size();
    QTest::keyClick(&explorer.window(), Qt::Key_F10);
    QTRY_COMPARE(explorer.session().run().steps().size(), before + 1);
    QTest::keyClick(&explorer.window(), Qt::Key_F5);
    QTRY_VERIFY(explorer.session().run().steps().size() > before + 5);
    QTest::keyClick(&explorer.window(), Qt::Key_F5, Qt::ShiftModifier);
    QTRY_VERIFY(explorer.session().run().finished().has_value());
    QCOMPARE(explorer.window().statusLine()->stateText(), QStringLiteral("Stopped"));
    QVERIFY(actions->start_again->isEnabled());
  }

  void aCellEditedByKeyReachesTheWireAndCanBeUndone() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(20));
    QTableView* table = explorer.window().docks()->sites->table();
    click(table, cellOf(explorer, kConv, SiteTableModel::kCall));
    QVERIFY(chooseFormat(table, cellOf(explorer, kConv, SiteTableModel::kFormat), QStringLiteral("bfloat16")));
    QTRY_COMPARE(explorer.requests(QStringLiteral("policy.set")).size(), 1);
    const QJsonObject set = explorer.requests(QStringLiteral("policy.set")).front();
    const QJsonObject rule =
        set[QLatin1String("policy")].toObject()[QLatin1String("sites")].toArray().first().toObject();
    QCOMPARE(rule[QLatin1String("match")].toString(), kConv);
    QCOMPARE(rule[QLatin1String("format")].toString(), QStringLiteral("bfloat16"));
    QTRY_COMPARE(explorer.session().run().policies().size(), std::size_t{2});
    QTRY_COMPARE(formatOf(explorer, kConv), QStringLiteral("bfloat16"));
    // A marker on every chart.
    for (const views::Plot* plot : std::initializer_list<const views::Plot*>{explorer.window().docks()->scale->plot(),
                                                                             explorer.window().docks()->loss->plot()}) {
      QVERIFY(std::any_of(plot->marks().begin(), plot->marks().end(),
                          [](const views::Mark& mark) { return mark.kind == views::MarkKind::kPolicyEdit; }));
    }
    QTest::keyClick(&explorer.window(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(explorer.requests(QStringLiteral("policy.set")).size(), 2);
    const QJsonObject undone = explorer.requests(QStringLiteral("policy.set")).back();
    QVERIFY(undone[QLatin1String("policy")].toObject()[QLatin1String("sites")].toArray().isEmpty());
    QVERIFY(undone[QLatin1String("revision")].toInt() > set[QLatin1String("revision")].toInt());
    QTRY_COMPARE(formatOf(explorer, kConv), QStringLiteral("float16"));
  }

  void severalRowsAreOneUndoStepAndOneMessage() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(20));
    QTableView* table = explorer.window().docks()->sites->table();
    click(table, cellOf(explorer, kFirstLayer, SiteTableModel::kCall));
    click(table, cellOf(explorer, kConv, SiteTableModel::kCall), Qt::ControlModifier);
    click(table, cellOf(explorer, kSecondLayer, SiteTableModel::kCall), Qt::ControlModifier);
    QCOMPARE(explorer.session().selection().sites().size(), std::size_t{3});
    QTest::keyClick(&explorer.window(), Qt::Key_1, Qt::ControlModifier);
    QTRY_COMPARE(explorer.requests(QStringLiteral("policy.set")).size(), 1);
    QCOMPARE(explorer.session().document().undoStack()->count(), 1);
    QCOMPARE(explorer.session().document().policy().sites.size(), std::size_t{3});
    QTRY_COMPARE(formatOf(explorer, kSecondLayer), QStringLiteral("float32"));
    QTest::keyClick(&explorer.window(), Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(explorer.session().document().policy().sites.empty());
  }

  void leavingTheEditorWithoutAChoiceChangesNothing() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(20));
    QTableView* table = explorer.window().docks()->sites->table();
    click(table, cellOf(explorer, QStringLiteral("loss/aten::nll_loss#0"), SiteTableModel::kCall));
    click(table, cellOf(explorer, kConv, SiteTableModel::kCall), Qt::ControlModifier);
    table->setFocus();
    const QModelIndex cell = cellOf(explorer, kConv, SiteTableModel::kFormat);
    table->selectionModel()->setCurrentIndex(cell, QItemSelectionModel::NoUpdate);
    QTest::keyClick(table, Qt::Key_F2);
    QComboBox* combo = nullptr;
    QTRY_VERIFY((combo = table->findChild<QComboBox*>()) != nullptr && combo->view()->isVisible());
    QTest::keyClick(combo->view(), Qt::Key_Escape);
    explorer.window().docks()->sites->filterLine()->setFocus();
    QTest::qWait(50);
    QCOMPARE(explorer.session().document().undoStack()->count(), 0);
  }

  void theFilterLineFiltersAsItIsTyped() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(10));
    QTest::keyClick(&explorer.window(), Qt::Key_F, Qt::ControlModifier);
    QLineEdit* line = explorer.window().docks()->sites->filterLine();
    QVERIFY(line->hasFocus());
    QTest::keyClicks(line, QStringLiteral("op:linear path:fc2"));
    QTRY_COMPARE(explorer.window().docks()->sites->filter()->rowCount(), 1);
    QTest::keyClick(line, Qt::Key_Escape);
    QTRY_VERIFY(explorer.window().docks()->sites->filter()->rowCount() > 5);
  }

  void aClickOnAnEventMovesTheChartsAndSelectsItsCalls() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(60));
    app::EventsDock* dock = explorer.window().docks()->events;
    dock->raise();
    QTRY_VERIFY(dock->table()->isVisible());
    // Two clicks: the first unfolds the start-up group, to which the event belongs.
    if (dock->table()->isRowHidden(dock->model()->rowOf(1)))
      click(dock->table(), dock->model()->index(dock->model()->headingRow(), app::EventTableModel::kWhat));
    dock->table()->scrollTo(dock->model()->index(dock->model()->rowOf(1), app::EventTableModel::kWhat));
    click(dock->table(), dock->model()->index(dock->model()->rowOf(1), app::EventTableModel::kWhat));
    const wire::Event& event = explorer.session().run().events()[1];
    QCOMPARE(explorer.window().stepAxis()->cursor(), std::optional<std::int64_t>(event.step));
    QVERIFY(!explorer.session().selection().sites().empty());
    QCOMPARE(explorer.session().selection().sites().front(), event.tensors.front().site);
    explorer.window().docks()->sites->raise();
    QItemSelectionModel* rows = explorer.window().docks()->sites->table()->selectionModel();
    QCOMPARE(rows->selectedRows().size(), static_cast<qsizetype>(explorer.session().selection().sites().size()));
    QCOMPARE(explorer.session().selection().tensor(), event.tensors.front().tensor);
  }

  void theCursorOfAChartIsTheSelectionsStep() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(30));
    explorer.window().stepAxis()->setCursor(7);
    QCOMPARE(explorer.session().selection().step(), std::optional<std::int64_t>(7));
    explorer.window().actions()->follow->trigger();
    QVERIFY(!explorer.window().stepAxis()->cursor().has_value());
  }

  void aClickOnACallShowsItsGradient() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(10));
    // It opens on the earliest layer's.
    const int first = explorer.session().selection().tensor();
    QVERIFY(first >= 0);
    QVERIFY(explorer.window().docks()->gradients->callCombo()->currentText().startsWith(kConv));
    QVERIFY(explorer.window().docks()->gradients->tensorCombo()->currentText().contains(QStringLiteral("gradient")));
    click(explorer.window().docks()->sites->table(), cellOf(explorer, kSecondLayer, SiteTableModel::kCall));
    QVERIFY(explorer.window().docks()->gradients->callCombo()->currentText().startsWith(kSecondLayer));
    QVERIFY(explorer.session().selection().tensor() != first);
  }

  void theScaleIsEditedWhereItIsShown() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(10));
    app::ScaleEdit* editor = explorer.window().docks()->scale->editor();
    QVERIFY(editor->isEnabled());
    editor->setFocus();
    editor->selectAll();
    QTest::keyClicks(editor, QStringLiteral("2^12"));
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_COMPARE(explorer.requests(QStringLiteral("scaler.set")).size(), 1);
    QCOMPARE(explorer.requests(QStringLiteral("scaler.set")).front()[QLatin1String("scale")].toDouble(), 4096.0);
    editor->setFocus();
    editor->selectAll();
    QTest::keyClicks(editor, QStringLiteral("much"));
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_VERIFY(explorer.window().banner()->isVisible());
    QCOMPARE(explorer.requests(QStringLiteral("scaler.set")).size(), 1);
    QVERIFY(explorer.window().banner()->message().contains(QStringLiteral("much")));
  }

  void aScaleSetLiveIsOneUndoStep() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(10));
    app::Session& session = explorer.session();
    const double before = session.run().scaleNow();
    session.setScale(4096);
    QTRY_COMPARE(explorer.requests(QStringLiteral("scaler.set")).size(), 1);
    QUndoStack* stack = session.document().undoStack();
    QCOMPARE(stack->count(), 1);
    QVERIFY2(stack->undoText().contains(QStringLiteral("2¹²")), qPrintable(stack->undoText()));
    // No checkpoint was kept at it, so that there is nothing to rewind to.
    QVERIFY(session.whyNoRewind().contains(QStringLiteral("scaler")));
    stack->undo();
    QTRY_COMPARE(explorer.requests(QStringLiteral("scaler.set")).size(), 2);
    QCOMPARE(explorer.requests(QStringLiteral("scaler.set")).back()[QLatin1String("scale")].toDouble(), before);
    stack->redo();
    QTRY_COMPARE(explorer.requests(QStringLiteral("scaler.set")).size(), 3);
    // The scale that it has already is no edit.
    session.setScale(session.run().scaleNow());
    QCOMPARE(stack->count(), 1);
  }

  void theScaleOfThePausedRunIsTheOneThatWasSet() {
    app::RunModel run;
    test::feedRun(run, 10);
    const std::int64_t last = run.steps().back().step;
    QCOMPARE(run.scaleNow(), run.steps().back().next_scale);
    run.addScaler({last + 1, run.config().scaler, 512});
    QCOMPARE(run.scaleNow(), 512.0);
    wire::StepRecord next;
    next.step = last + 1;
    next.scale = 512;
    next.next_scale = 256;
    run.addSteps({next});
    QCOMPARE(run.scaleNow(), 256.0);
  }

  void aCrashIsShownAndTheEditsComeBackWithTheNextRun() {
    Explorer explorer({QStringLiteral("--crash-at"), QStringLiteral("400")});
    QVERIFY(explorer.playAndPause(20));
    click(explorer.window().docks()->sites->table(), cellOf(explorer, kConv, SiteTableModel::kCall));
    explorer.window().actions()->set_float32->trigger();
    QTRY_COMPARE(explorer.session().run().policies().size(), std::size_t{2});
    QSignalSpy problems(&explorer.session(), &app::Session::problem);
    const qint64 first = explorer.session().engine().processId();
    explorer.session().resume();
    QTRY_COMPARE_WITH_TIMEOUT(problems.count(), 1, 15000);
    // Shown as ended, with the reason; the steps that came are still there.
    QVERIFY(explorer.session().run().finished()->outcome == wire::Outcome::kFailed);
    QVERIFY(explorer.session().run().steps().size() > 20);
    QVERIFY(explorer.window().banner()->isVisible());
    QVERIFY2(explorer.window().banner()->message().contains(QStringLiteral("crashed")),
             qPrintable(explorer.window().banner()->message()));
    QVERIFY(explorer.window().banner()->hint().contains(QStringLiteral("edits")));
    Explorer::picture(&explorer.window(), QStringLiteral("crash"));
    // A new engine, the same edits, still undoable.
    QTRY_VERIFY(explorer.session().engine().state() == app::EngineClient::State::kReady);
    QVERIFY(explorer.session().engine().processId() != first);
    QCOMPARE(explorer.session().document().policy().sites.size(), std::size_t{1});
    explorer.window().actions()->start_again->trigger();
    QTRY_VERIFY(explorer.session().run().isActive() && explorer.session().run().steps().size() > 3);
    const QJsonObject started = explorer.requests(QStringLiteral("run.start")).back();
    QCOMPARE(started[QLatin1String("config")]
                 .toObject()[QLatin1String("policy")]
                 .toObject()[QLatin1String("sites")]
                 .toArray()
                 .size(),
             1);
    QCOMPARE(formatOf(explorer, kConv), QStringLiteral("float32"));
    QVERIFY(explorer.session().document().undoStack()->canUndo());
    QVERIFY(!explorer.window().banner()->isVisible());
  }

  void anEngineThatIsNotThereIsOneMessageAndTheWindowStays() {
    const QString folder = test::temporaryFolder();
    QSettings settings(folder + QStringLiteral("/settings.ini"), QSettings::IniFormat);
    app::Session session({QStringLiteral("no-such-binade-engine"), {}}, &settings);
    app::MainWindow window(&session, &settings);
    window.show();
    QSignalSpy problems(&session, &app::Session::problem);
    session.startEngine();
    QTRY_COMPARE(problems.count(), 1);
    QTest::qWait(50);
    QCOMPARE(problems.count(), 1);
    QVERIFY(window.banner()->isVisible());
    QVERIFY(window.banner()->message().contains(QStringLiteral("no-such-binade-engine")));
    session.runDemo();  // tries once more, and says so once more
    QTRY_COMPARE(problems.count(), 2);
  }

  void aModelThatTheEngineRefusesIsOneMessage() {
    Explorer explorer({QStringLiteral("--refuse"), QStringLiteral("model.inspect")});
    explorer.show();
    QTRY_VERIFY(explorer.session().engine().state() == app::EngineClient::State::kReady);
    const QString file = explorer.folder() + QStringLiteral("/model.pt");
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.close();
    QSignalSpy problems(&explorer.session(), &app::Session::problem);
    explorer.window().openFiles({file});
    QTRY_COMPARE(problems.count(), 1);
    QVERIFY(explorer.window().banner()->message().contains(QStringLiteral("model.pt")));
    QVERIFY(explorer.window().banner()->hint().contains(QStringLiteral("torch.jit.save")));
  }

  void aPolicyFileAppliesToThePresentRun() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(10));
    const QString file = explorer.folder() + QStringLiteral("/tuned.policy.json");
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(R"({ "binade_policy": 1, "name": "tuned", "base": "cuda-amp", "low": "float16",
                   "sites": [ { "match": "fc2", "format": "float32" } ] })");
    out.close();
    explorer.window().openFiles({file});
    QTRY_COMPARE(explorer.session().run().policies().size(), std::size_t{2});
    QTRY_COMPARE(formatOf(explorer, kSecondLayer), QStringLiteral("float32"));
    QCOMPARE(explorer.session().document().title(), QStringLiteral("tuned"));
  }

  void aScaleBelowOneIsPointedOutOnce() {
    Explorer explorer;
    QSignalSpy problems(&explorer.session(), &app::Session::problem);
    app::RunModel& run = explorer.session().run();
    test::feedRun(run, 1);
    wire::StepRecord record;
    for (int step = 1; step < 30; ++step) {
      record.step = step;
      record.scale = std::ldexp(65536, -step);
      record.next_scale = record.scale / 2;
      run.addSteps({record});
      QTRY_COMPARE(problems.count(), record.next_scale < 1 ? 1 : 0);
    }
    const auto problem = problems.front().front().value<app::Problem>();
    QVERIFY(problem.message.contains(QStringLiteral("below 1")));
    QVERIFY2(problem.hint.contains(QStringLiteral("Diagnose shows")), qPrintable(problem.hint));
  }

  void theLayoutIsKeptAndCanBePutBack() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(5));
    auto* log = explorer.window().findChild<app::Dock*>(QStringLiteral("log"));
    log->setVisible(false);
    explorer.window().close();
    QVERIFY(!explorer.settings().value(QStringLiteral("window/layouts/explore")).toByteArray().isEmpty());
    explorer.window().show();
    explorer.window().restoreDefaultLayout();
    QVERIFY(!log->isHidden());
  }

  void theStatusLineTellsWhatMatters() {
    Explorer explorer;
    explorer.window().resize(1600, 900);
    QVERIFY(explorer.playAndPause(20));
    QString all;
    const auto read = [&] {
      all.clear();
      for (const QLabel* label : explorer.window().statusLine()->findChildren<QLabel*>()) {
        if (label->isVisible()) all += label->text() + u'|';
      }
      return all;
    };
    QTRY_VERIFY(read().contains(QStringLiteral("Observing: too few steps to measure")));
    QVERIFY(!all.contains(QStringLiteral("steps/s")));  // a paused run has no rate
    explorer.session().resume();
    QTRY_VERIFY(read().contains(QStringLiteral("steps/s")));
    explorer.session().pause();
    QTRY_VERIFY(read().contains(QStringLiteral("Paused")));
    // The same figure and the same rule as in the line that `train` prints.
    wire::ObserveCost cost{0, 100, 40, 0.5, 1.04, 1.02, 0.5, 1.5};
    const auto printed = [&cost] { return QString::fromStdString(words::observe_cost_text(cost)); };
    Q_EMIT explorer.session().engine().notified(cost);
    QVERIFY(read().contains(QStringLiteral("Observing: too few steps to measure")));
    QVERIFY(printed().contains(QStringLiteral("too few steps to measure")));
    cost.low = 1.01;
    cost.high = 1.03;
    Q_EMIT explorer.session().engine().notified(cost);
    read();
    QVERIFY(printed().contains(QStringLiteral("by +2.0 %")));
    for (const char* part :
         {"Paused", "EMULATED", "speed not measured", "Observing costs 2.0 %", "Engine 0.1.0", "LibTorch 2.11.0"}) {
      QVERIFY2(all.contains(QLatin1String(part)), part);
    }
    // Where room is short the versions give way to the state of the run.
    explorer.window().statusLine()->resize(640, 24);
    QVERIFY(!read().contains(QStringLiteral("LibTorch 2.11.0")));
    QVERIFY(all.contains(QStringLiteral("Observing costs 2.0 %")));
    explorer.window().resize(1280, 800);
    const auto labels = explorer.window().statusLine()->findChildren<views::ElidedLabel*>();
    QTRY_VERIFY(std::none_of(labels.begin(), labels.end(),
                             [](const auto* label) { return label->isVisible() && label->isElided(); }));
  }
};

BINADE_SUITE(Explorers);

}  // namespace

#include "tst_explorer.moc"
