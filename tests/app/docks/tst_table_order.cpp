// SPDX-License-Identifier: Apache-2.0
// Rows stay under the pointer, are told apart by their names, and an edit goes to the row that was meant. What can be
// asked of a run that has ended.
#include "app/docks/cast_ledger_dock.h"
#include "app/docks/checkpoints_dock.h"
#include "app/docks/sites_dock.h"
#include "app/docks/table_hold.h"
#include "app/model/call_forms.h"
#include "app/model/site_name.h"
#include "app/present/cast_ledger_rows.h"
#include "app/present/natural_sort.h"
#include "app/window/actions.h"
#include "app/window/main_window.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_run.h"
#include "tests/support/suite.h"
#include "views/table/cast_delegates.h"
#include "views/theme.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSet>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTimer>

#include <algorithm>

namespace {

using namespace binade;
using app::SiteTableModel;
using test::Explorer;

class TableOrders : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { views::applyTheme(*qApp, views::Theme::kLight); }

  void noRowMovesWhileThePointerIsAtTheTable() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(15));
    app::SitesDock* dock = explorer.window().docks()->sites;
    QTableView* table = dock->table();
    const QList<int> before = order(dock);
    moveTo(table->viewport(), table->visualRect(dock->filter()->index(2, 0)).center());
    reverseFigures(explorer);
    QCOMPARE(order(dock), before);
    QTest::qWait(50);
    reverseFigures(explorer);
    QCOMPARE(order(dock), before);
    // Gone: then the newest order.
    moveTo(&explorer.window(), {3, 3});
    QTRY_VERIFY(order(dock) != before);
  }

  // It began without figures: in the order of the program, with op calls that never execute.
  void theFirstFiguresOfANewRunPlaceItsRowsWhereverThePointerIs() {
    Explorer explorer;
    explorer.showFed(30);
    app::SitesDock* dock = explorer.window().docks()->sites;
    dock->table()->sortByColumn(SiteTableModel::kDoublings, Qt::DescendingOrder);
    const QList<int> before = order(dock);
    moveTo(dock->table()->viewport(), {60, 60});
    app::RunModel& run = explorer.session().run();
    test::FakeRun fake;
    run.begin(fake.started(), app::RunModel::Source::kLive);
    QTRY_VERIFY(order(dock) != before);  // no figures yet
    for (int i = 0; i < 30; ++i) {
      run.beginFrame();
      run.addSteps({fake.next()});
      run.endFrame();
    }
    QTRY_COMPARE(order(dock), before);
    // Then they stay.
    reverseFigures(explorer);
    QCOMPARE(order(dock), before);
  }

  void noRowMovesWhileAMenuOrAnEditorOfTheTableIsOpen() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(15));
    app::SitesDock* dock = explorer.window().docks()->sites;
    QTableView* table = dock->table();
    const QModelIndex cell = dock->filter()->index(3, SiteTableModel::kFormat);
    const int meant = dock->filter()->site(cell);
    const QList<int> before = order(dock);
    moveTo(table->viewport(), table->visualRect(cell).center());
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(cell).center());
    QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(cell).center());
    auto* editor = table->viewport()->findChild<QComboBox*>();
    QVERIFY(editor != nullptr);
    // Its list opens, and takes the pointer away.
    QTRY_VERIFY((editor = table->viewport()->findChild<QComboBox*>()) != nullptr && editor->view()->isVisible());
    reverseFigures(explorer);
    QCOMPARE(order(dock), before);
    editor = table->viewport()->findChild<QComboBox*>();
    QVERIFY(editor != nullptr);
    const int row = editor->findData(QStringLiteral("bfloat16"));
    editor->setCurrentIndex(row);
    Q_EMIT editor->activated(row);
    const auto& rules = explorer.session().document().policy().sites;
    QCOMPARE(rules.size(), std::size_t{1});
    QCOMPARE(rules.front().match, explorer.session().run().sites()[static_cast<std::size_t>(meant)].key.name());
  }

  void anEditGoesToTheRowThatWasClicked() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(15));
    app::SitesDock* dock = explorer.window().docks()->sites;
    QTableView* table = dock->table();
    for (const int row : {4, 1, 6}) {
      const QModelIndex cell = dock->filter()->index(row, SiteTableModel::kFormat);
      const QPoint at = table->visualRect(cell).center();
      const int meant = dock->filter()->site(cell);
      moveTo(table->viewport(), at);
      reverseFigures(explorer);  // between aiming and clicking
      QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, at);
      QCOMPARE(explorer.session().selection().sites(), std::vector<int>{meant});
      reverseFigures(explorer);  // between clicking and choosing
      dock->setSelectedFormat(QStringLiteral("float32"));
      const auto& rules = explorer.session().document().policy().sites;
      QCOMPARE(rules.back().match, explorer.session().run().sites()[static_cast<std::size_t>(meant)].key.name());
      explorer.session().document().undoStack()->undo();
    }
  }

  void aTitleSortsAtOnceThoughThePointerIsThere() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(15));
    app::SitesDock* dock = explorer.window().docks()->sites;
    moveTo(dock->table()->viewport(), {40, 30});
    const QList<int> before = order(dock);
    QHeaderView* header = dock->table()->horizontalHeader();
    const auto clickOnCall = [&] {
      const int x = header->sectionViewportPosition(SiteTableModel::kCall) + 30;
      QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, {x, header->height() / 2});
      return order(dock);
    };
    const auto name = [&](int site) {
      return app::callText(explorer.session().run().sites()[static_cast<std::size_t>(site)].key);
    };
    const QList<int> ascending = clickOnCall();
    QVERIFY(ascending != before);
    QVERIFY(std::is_sorted(ascending.begin(), ascending.end(),
                           [&](int a, int b) { return app::naturalOrder(name(a), name(b)) < 0; }));
    QList<int> descending = clickOnCall();
    std::reverse(descending.begin(), descending.end());
    QCOMPARE(descending, ascending);
    // The third click: as the forward pass runs them.
    const QList<int> forward = clickOnCall();
    QVERIFY(forward != ascending && std::is_sorted(forward.begin(), forward.end()));
  }

  void aNumberInANameSortsByItsValue() {
    QStringList names{QStringLiteral("layer10.0.conv1/aten::conv2d#0"),
                      QStringLiteral("fc/aten::linear#0"),
                      QStringLiteral("layer2.0.conv1/aten::conv2d#10"),
                      QStringLiteral("layer2.0.conv1/aten::conv2d#9"),
                      QStringLiteral("Layer2.0.bn1/aten::batch_norm#0"),
                      QStringLiteral("layer2/aten::add#0"),
                      QStringLiteral("fc")};
    std::sort(names.begin(), names.end(),
              [](const QString& a, const QString& b) { return app::naturalOrder(a, b) < 0; });
    QCOMPARE(names, (QStringList{QStringLiteral("fc"), QStringLiteral("fc/aten::linear#0"),
                                 QStringLiteral("Layer2.0.bn1/aten::batch_norm#0"),
                                 QStringLiteral("layer2.0.conv1/aten::conv2d#9"),
                                 QStringLiteral("layer2.0.conv1/aten::conv2d#10"), QStringLiteral("layer2/aten::add#0"),
                                 QStringLiteral("layer10.0.conv1/aten::conv2d#0")}));
    QCOMPARE(app::naturalOrder(QStringLiteral("a007"), QStringLiteral("a7")) < 0, true);  // never equal, never both
    QCOMPARE(app::naturalOrder(QStringLiteral("a7"), QStringLiteral("a7")), 0);
  }

  void aLedgerKeepsItsRowsAndItsChoice() {
    app::RunModel run;
    app::Selection selection;
    app::CastLedgerDock dock(&run, &selection);
    test::feedRun(run, 3);
    run.addCasts(test::casts(0, 0));
    dock.resize(900, 400);
    dock.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dock));
    dock.table()->selectRow(0);
    const qlonglong chosen = dock.model()->row(0).id;
    const QString detail = dock.detail()->text();
    // The same casts, told in another order and with other times.
    wire::CastLedger other = test::casts(0, 1);
    std::reverse(other.lines.begin(), other.lines.end());
    double seconds = 1e-3;
    for (wire::CastLine& line : other.lines) line.seconds = seconds *= 0.5;
    run.addCasts(other);
    QCOMPARE(dock.detail()->text(), detail);  // not another cast under the same number
    QVERIFY(dock.model()->row(0).id != chosen);
    QSignalSpy fixes(&dock, &app::CastLedgerDock::fixRequested);
    dock.applyButton()->click();
    QCOMPARE(fixes.count(), 1);
    QCOMPARE(fixes.front().front().value<app::FixChoice>().rules.front().match, std::string("fc2/aten::linear#0"));
    // While the pointer is there the new order waits.
    moveTo(dock.table()->viewport(), {60, 10});
    QList<qlonglong> ids;
    for (int row = 0; row < dock.model()->rowCount(); ++row) ids << dock.model()->row(row).id;
    run.addCasts(test::casts(0, 2));
    for (int row = 0; row < dock.model()->rowCount(); ++row) QCOMPARE(dock.model()->row(row).id, ids[row]);
    moveTo(dock.summary(), {1, 1});
    QTest::mouseMove(&dock, {-50, -50});
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(dock.table()->parentWidget(), &leave);
  }

  void everyFormOfANameBelongsToOneCall_data() {
    QTest::addColumn<QStringList>("names");
    QTest::newRow("blocks") << QStringList{"layer1.0.conv1/aten::conv2d#0", "layer1.0.conv2/aten::conv2d#0",
                                           "layer1.1.conv1/aten::conv2d#0", "layer2.0.conv1/aten::conv2d#0",
                                           "layer2.0.bn1/aten::batch_norm#0"};
    QTest::newRow("ordinals") << QStringList{"head/aten::linear#0", "head/aten::linear#1", "head/aten::relu#0"};
    QTest::newRow("the root") << QStringList{"aten::mul#0", "aten::mul#1", "fc/aten::mul#0"};
    QTest::newRow("a path inside another") << QStringList{"conv/aten::conv2d#0", "block.conv/aten::conv2d#0"};
  }
  void everyFormOfANameBelongsToOneCall() {
    QFETCH(const QStringList, names);
    std::vector<wire::SiteInfo> sites;
    for (const QString& name : names) {
      wire::SiteInfo& site = sites.emplace_back();
      site.id = static_cast<int>(sites.size()) - 1;
      const QString call = name.section(u'/', -1);
      site.key = {name.contains(u'/') ? name.section(u'/', 0, -2).toStdString() : std::string(), "",
                  call.section(u'#', 0, 0).toStdString(), "", call.section(u'#', 1).toInt()};
    }
    const app::CallForms forms(sites);
    QSet<QString> seen;
    for (int i = 0; i < names.size(); ++i) {
      QCOMPARE(forms.of(i).front(), names[i]);
      for (qsizetype form = 1; form < forms.of(i).size(); ++form)
        QVERIFY(forms.of(i)[form].size() < forms.of(i)[form - 1].size());
      for (const QString& form : forms.of(i)) {
        QVERIFY2(!seen.contains(form), qPrintable(form));
        seen << form;
      }
    }
  }

  void theNarrowestLedgerTellsItsRowsApart() {
    app::RunModel run;
    app::Selection selection;
    app::CastLedgerDock dock(&run, &selection);
    test::feedRun(run, 3);
    wire::CastLedger ledger = test::casts(0, 0);
    ledger.lines.resize(1);
    for (const int site : {4, 6, 0}) {  // layer1.0.conv1, layer1.0.conv2, conv1
      ledger.lines.push_back(ledger.lines.front());
      ledger.lines.back().site = site;
    }
    run.addCasts(ledger);
    dock.resize(420, 300);
    dock.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dock));
    QSet<QString> shown;
    const double wide = dock.table()->columnWidth(0) - 16;
    for (int row = 0; row < 4; ++row) {
      const QModelIndex cast = dock.model()->index(row, 0);
      shown << views::CallDelegate::shownCall(cast, views::CastDelegate::callRoom(cast, wide));
    }
    QCOMPARE(shown.size(), 4);
  }

  void aRunThatHasEndedIsAskedForItsModelAndAComparison() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(5));
    app::Session& session = explorer.session();
    session.run().addCheckpoint({"runs/a.checkpoints/step-5.safetensors", 5, "end", 0, "sample:cnn", 1});
    session.stop();
    QTRY_VERIFY(session.run().finished().has_value());
    const app::Actions* actions = explorer.window().actions();
    QVERIFY(actions->save_model->isEnabled());
    QVERIFY(actions->compare->isEnabled());
    QVERIFY(actions->export_policy->isEnabled());
    const auto buttons = explorer.window().docks()->checkpoints->findChildren<QPushButton*>();
    QVERIFY(std::any_of(buttons.begin(), buttons.end(), [](const QPushButton* button) {
      return button->text() == QStringLiteral("Save model…") && button->isEnabled();
    }));
    session.saveModel(explorer.folder() + QStringLiteral("/trained.pt"));
    session.compareWithFloat32();
    for (const char* method : {"model.save", "observe.compare"}) {
      QTRY_COMPARE(explorer.requests(QString::fromLatin1(method)).size(), 1);
      const QJsonObject config =
          explorer.requests(QString::fromLatin1(method)).front()[QLatin1String("config")].toObject();
      QCOMPARE(config[QLatin1String("resume")].toString(), QStringLiteral("runs/a.checkpoints/step-5.safetensors"));
      QCOMPARE(config[QLatin1String("model")].toString(), QStringLiteral("sample:cnn"));
    }
  }

  void aRunFileWithACheckpointIsAskedToo() {
    app::RunModel run;
    test::FakeRun fake;
    run.begin(fake.started(), app::RunModel::Source::kFile);
    run.addSteps({fake.next()});
    QVERIFY(!run.hasWeights());
    run.addCheckpoint({"step-1.safetensors", 1, "end", 0, "sample:cnn", 1});
    QVERIFY(run.hasWeights());
  }

 private:
  static QList<int> order(const app::SitesDock* dock) {
    QList<int> sites;
    for (int row = 0; row < dock->filter()->rowCount(); ++row)
      sites << dock->filter()->site(dock->filter()->index(row, 0));
    return sites;
  }

  static void moveTo(QWidget* widget, QPoint at) {
    QTest::mouseMove(widget->window(), widget->mapTo(widget->window(), at));
    QTest::mouseMove(widget->window(), widget->mapTo(widget->window(), at + QPoint(1, 0)));
    QApplication::processEvents();
  }

  // A step in which what had most room has least.
  static void reverseFigures(Explorer& explorer) {
    app::RunModel& run = explorer.session().run();
    wire::StepRecord record;
    record.step = run.steps().back().step + 1;
    record.loss = 1;
    record.scale = record.next_scale = 1;
    record.policy_revision = run.policies().back().revision;
    for (const auto& [id, track] : run.tensors()) {
      formats::TensorStats stats;
      stats.scan = true;
      stats.count = 8;
      stats.largest = static_cast<float>(std::exp2((record.step % 2 ? track.tensor.site : 12 - track.tensor.site)));
      record.observations.push_back({id, stats});
    }
    run.beginFrame();
    run.addSteps({record});
    run.endFrame();
  }
};

BINADE_SUITE(TableOrders);

}  // namespace

#include "tst_table_order.moc"
