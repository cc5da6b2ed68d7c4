// SPDX-License-Identifier: Apache-2.0
// Op calls in the window: modules by keys and mouse, their formats, named filters, completion, copies, reasons,
// columns.
#include "app/docks/reason_popover.h"
#include "app/docks/saved_filters.h"
#include "app/docks/sites_dock.h"
#include "app/docks/table_hold.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_run.h"
#include "tests/app/fake_sites.h"
#include "tests/support/suite.h"
#include "views/elided_label.h"
#include "views/filter_completer.h"
#include "views/table/delegates.h"
#include "views/table/table_columns.h"
#include "views/theme.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QCompleter>
#include <QJsonArray>
#include <QMenu>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <cmath>
#include <limits>

namespace {

using namespace binade;
using app::SiteTableModel;
using test::Explorer;

const QString kFoldedModule = QStringLiteral("layer1.0");
constexpr int kInModule = 4;  // op calls of layer1.0

QModelIndex rowOfModule(const app::SitesDock* dock, int column = SiteTableModel::kCall) {
  for (int row = 0; row < dock->filter()->rowCount(); ++row) {
    const QModelIndex index = dock->filter()->index(row, column);
    const app::SiteGroup* module = dock->filter()->module(index);
    if (module != nullptr && module->path == kFoldedModule) return index;
  }
  return {};
}

/// The dock of a window with some steps of the made-up run, up to date.
app::SitesDock* shownDock(Explorer& explorer) {
  explorer.showFed(30);
  if (!QTest::qWaitForWindowActive(&explorer.window())) return nullptr;
  app::SitesDock* dock = explorer.window().docks()->sites;
  dock->raise();
  QApplication::processEvents();
  dock->model()->refresh();
  dock->filter()->invalidate();
  return dock;
}

class SitesDocks : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { views::applyTheme(*qApp, views::Theme::kLight); }

  void modulesFoldAndUnfoldByKeyAndMouse() {
    Explorer explorer;
    app::SitesDock* dock = shownDock(explorer);
    QVERIFY(dock != nullptr);
    QTableView* table = dock->table();
    const int calls = dock->filter()->rowCount();
    dock->setGrouped(true);
    QCOMPARE(dock->filter()->rowCount(), calls + 1);
    QVERIFY(rowOfModule(dock).data(views::ExpandedRole).toBool());
    table->setFocus();
    table->setCurrentIndex(rowOfModule(dock));
    QTest::keyClick(table, Qt::Key_Left);
    QCOMPARE(dock->filter()->rowCount(), calls + 1 - kInModule);
    QVERIFY(rowOfModule(dock).data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("collapsed")));
    QTest::keyClick(table, Qt::Key_Right);
    QCOMPARE(dock->filter()->rowCount(), calls + 1);
    // From an op call, Left goes to its module.
    table->setCurrentIndex(dock->filter()->indexOfSite(4));
    QTest::keyClick(table, Qt::Key_Left);
    QCOMPARE(table->currentIndex(), rowOfModule(dock));
    // On an expanded row Right goes on to the next cell, as in any table.
    QTest::keyClick(table, Qt::Key_Right);
    QCOMPARE(table->currentIndex().column(), static_cast<int>(SiteTableModel::kFormat));
    // The triangle.
    table->scrollTo(rowOfModule(dock));
    const QRect name = table->visualRect(rowOfModule(dock));
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, QPoint(name.left() + 14, name.center().y()));
    QCOMPARE(dock->filter()->rowCount(), calls + 1 - kInModule);
    dock->setGrouped(false);
    QCOMPARE(dock->filter()->rowCount(), calls);
  }

  void aModulesRowSumsUpItsOpCalls() {
    Explorer explorer;
    app::SitesDock* dock = shownDock(explorer);
    QVERIFY(dock != nullptr);
    dock->setGrouped(true);
    double least = 1e9;
    int overflows = 0;
    for (const int site : dock->filter()->sites(rowOfModule(dock))) {
      least = std::fmin(least, dock->model()->figures(site).doublings);
      overflows += dock->model()->figures(site).overflows.all();
    }
    QCOMPARE(dock->filter()->sites(rowOfModule(dock)).size(), std::size_t{kInModule});
    QCOMPARE(rowOfModule(dock, SiteTableModel::kDoublings).data(views::HeadroomRole).toDouble(), least);
    QCOMPARE(rowOfModule(dock, SiteTableModel::kOverflows).data().toString(), QString::number(overflows));
    QCOMPARE(rowOfModule(dock, SiteTableModel::kTime).data().toString(), QStringLiteral("–"));
    QVERIFY(!rowOfModule(dock, SiteTableModel::kFormat).data().toString().isEmpty());
    // Of a filter, only what passes it counts.
    dock->filter()->setQuery(QStringLiteral("op:conv"));
    QCOMPARE(dock->filter()->sites(rowOfModule(dock)).size(), std::size_t{2});
    QCOMPARE(rowOfModule(dock, SiteTableModel::kFormat).data().toString(), QStringLiteral("float16"));
    QVERIFY(dock->filter()->summary().startsWith(QStringLiteral("3 of ")));
  }

  void modulesAreSortedByTheFigureThatTheyShow() {
    Explorer explorer;
    app::SitesDock* dock = shownDock(explorer);
    QVERIFY(dock != nullptr);
    dock->setGrouped(true);
    dock->filter()->setAllExpanded(false);
    for (const char* query : {"", "op:conv"}) {
      dock->filter()->setQuery(QString::fromLatin1(query));
      double before = -std::numeric_limits<double>::infinity();
      for (int row = 0; row < dock->filter()->rowCount(); ++row) {
        const double left = dock->filter()->index(row, SiteTableModel::kDoublings).data(views::HeadroomRole).toDouble();
        QVERIFY(!(left < before));
        if (!std::isnan(left)) before = left;
      }
    }
  }

  void theFormatOfAModuleIsOneRuleOnItsPath() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(10));
    app::SitesDock* dock = explorer.window().docks()->sites;
    const auto& rules = [&]() -> const std::vector<policy::SiteRule>& {
      return explorer.session().document().policy().sites;
    };
    dock->setGrouped(true);
    QVERIFY(dock->filter()->setData(rowOfModule(dock, SiteTableModel::kFormat), QStringLiteral("bfloat16"),
                                    views::FormatRole));
    QCOMPARE(rules().size(), std::size_t{1});
    QCOMPARE(rules().front().match, kFoldedModule.toStdString());
    QVERIFY(rules().front().format == formats::kBFloat16);
    // Again: the rule changes, and there is no second one.
    dock->table()->selectRow(rowOfModule(dock).row());
    QCOMPARE(explorer.session().selection().sites().size(), std::size_t{kInModule});
    dock->setSelectedFormat(QStringLiteral("float32"));
    QCOMPARE(rules().size(), std::size_t{1});
    QVERIFY(rules().front().format == formats::kFloat32);
    QObject::disconnect(dock, &app::SitesDock::tryRequested, nullptr, nullptr);  // no Try is made here
    QSignalSpy tries(dock, &app::SitesDock::tryRequested);
    dock->trySelectedFormat(QStringLiteral("float16"));
    QCOMPARE(tries.front().front().value<policy::Policy>().sites.front().match, kFoldedModule.toStdString());
    dock->setSelectedFormat({});
    QVERIFY(rules().empty());
    explorer.session().document().undoStack()->undo();
    QCOMPARE(rules().size(), std::size_t{1});
  }

  void aFilteredModuleGetsRulesForWhatIsShown() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(10));
    app::SitesDock* dock = explorer.window().docks()->sites;
    dock->setGrouped(true);
    dock->filter()->setQuery(QStringLiteral("op:conv"));
    QVERIFY(dock->filter()->setData(rowOfModule(dock, SiteTableModel::kFormat), QStringLiteral("float32"),
                                    views::FormatRole));
    QStringList matches;
    for (const policy::SiteRule& rule : explorer.session().document().policy().sites)
      matches << QString::fromStdString(rule.match);
    QCOMPARE(matches, (QStringList{QStringLiteral("layer1.0.conv1/aten::conv2d#0"),
                                   QStringLiteral("layer1.0.conv2/aten::conv2d#0")}));
  }

  void rowsOfModulesKeepTheirPlacesUnderThePointer() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(15));
    app::SitesDock* dock = explorer.window().docks()->sites;
    dock->setGrouped(true);
    const auto rows = [dock] {
      QStringList names;
      for (int row = 0; row < dock->filter()->rowCount(); ++row)
        names << dock->filter()->index(row, 0).data().toString();
      return names;
    };
    const QStringList before = rows();
    QWidget* viewport = dock->table()->viewport();
    const QPoint at = viewport->mapTo(&explorer.window(), dock->table()->visualRect(rowOfModule(dock)).center());
    QTest::mouseMove(&explorer.window(), at);
    QTest::mouseMove(&explorer.window(), at + QPoint(1, 0));
    QApplication::processEvents();
    app::RunModel& run = explorer.session().run();
    for (int i = 0; i < 2; ++i) {
      wire::StepRecord record;
      record.step = run.steps().back().step + 1;
      record.scale = record.next_scale = 1;
      record.policy_revision = run.policies().back().revision;
      for (const auto& [id, track] : run.tensors()) {
        formats::TensorStats stats;
        stats.scan = true;
        stats.count = 8;
        stats.largest = static_cast<float>(std::exp2(track.tensor.site));
        record.observations.push_back({id, stats});
      }
      run.beginFrame();
      run.addSteps({record});
      run.endFrame();
      QCOMPARE(rows(), before);
    }
    // A module that is collapsed meanwhile moves nothing else.
    dock->filter()->setExpanded(rowOfModule(dock), false);
    QStringList without = before;
    for (const char* gone : {"layer1.0.conv1/aten::conv2d#0", "layer1.0.bn1/aten::batch_norm#0",
                             "layer1.0.conv2/aten::conv2d#0", "layer1.0/aten::add_#0"})
      without.removeAll(QString::fromLatin1(gone));
    QCOMPARE(rows(), without);
  }

  void aFilterIsNamedAppliedRememberedAndDeleted() {
    Explorer explorer;
    app::SitesDock* dock = shownDock(explorer);
    QVERIFY(dock != nullptr);
    dock->filterLine()->setText(QStringLiteral("op:conv path:layer1"));
    dock->savedFilters()->save(QStringLiteral("  first convolutions "));
    dock->savedFilters()->save(QString());  // no name, nothing saved
    dock->filterLine()->clear();
    dock->savedFilters()->save(QStringLiteral("empty"));
    QCOMPARE(dock->savedFilters()->all().keys(), QStringList{QStringLiteral("first convolutions")});
    dock->write(explorer.settings());
    Explorer other;
    app::SitesDock* again = shownDock(other);
    QVERIFY(again != nullptr);
    again->read(explorer.settings());
    QMenu* menu = again->savedFilters()->menu();
    Q_EMIT menu->aboutToShow();
    menu->actions().front()->trigger();
    QCOMPARE(again->filterLine()->text(), QStringLiteral("op:conv path:layer1"));
    QCOMPARE(again->filter()->rowCount(), 2);
    again->savedFilters()->remove(QStringLiteral("first convolutions"));
    QVERIFY(again->savedFilters()->all().isEmpty());
  }

  void columnsAndGroupingAreRemembered() {
    Explorer explorer;
    app::SitesDock* dock = shownDock(explorer);
    QVERIFY(dock != nullptr);
    QVERIFY(dock->table()->isColumnHidden(SiteTableModel::kTime));    // nothing is timed
    QVERIFY(dock->table()->isColumnHidden(SiteTableModel::kBeside));  // no second run
    QVERIFY(!dock->table()->isColumnHidden(SiteTableModel::kVerdict));
    dock->columns()->choose(SiteTableModel::kLost, false);
    dock->setGrouped(true);
    dock->write(explorer.settings());
    Explorer other;
    app::SitesDock* again = shownDock(other);
    QVERIFY(again != nullptr);
    QVERIFY(!again->filter()->isGrouped());
    again->read(explorer.settings());
    QVERIFY(again->filter()->isGrouped());
    QVERIFY(again->table()->isColumnHidden(SiteTableModel::kLost));
  }

  void aColumnOfAnotherRunAppearsWithItsFigures() {
    Explorer explorer;
    app::SitesDock* dock = shownDock(explorer);
    QVERIFY(dock != nullptr);
    dock->model()->setBeside({QStringLiteral("Second run"), QStringLiteral("tip"),
                              [](int site) { return app::Cell::figure(QString::number(site), site); }});
    QVERIFY(!dock->table()->isColumnHidden(SiteTableModel::kBeside));
    QCOMPARE(dock->filter()->headerData(SiteTableModel::kBeside, Qt::Horizontal).toString(),
             QStringLiteral("Second run"));
    const QModelIndex row = dock->filter()->indexOfSite(test::kFc2);
    QCOMPARE(row.siblingAtColumn(SiteTableModel::kBeside).data().toString(), QStringLiteral("11"));
    dock->model()->setBeside({});
    QVERIFY(dock->table()->isColumnHidden(SiteTableModel::kBeside));
  }

  void theFilterLineOffersWords() {
    Explorer explorer;
    app::SitesDock* dock = shownDock(explorer);
    QVERIFY(dock != nullptr);
    views::FilterLine* line = dock->filterLine();
    line->setFocus();
    auto* completer = dock->findChild<views::FilterCompleter*>();
    QVERIFY(completer != nullptr);
    QTest::keyClicks(line, QStringLiteral("path:fc2 op:li"));
    QAbstractItemView* list = completer->completer()->popup();
    QVERIFY(list->isVisible());
    QCOMPARE(list->model()->index(0, 0).data().toString(), QStringLiteral("op:linear"));
    // Escape closes the list and keeps the filter; Return takes what is chosen.
    QTest::keyClick(list, Qt::Key_Escape);
    QVERIFY(!list->isVisible());
    QCOMPARE(line->text(), QStringLiteral("path:fc2 op:li"));
    QTest::keyClick(line, Qt::Key_N);
    QVERIFY(list->isVisible());
    QTest::keyClick(list, Qt::Key_Down);
    QTest::keyClick(list, Qt::Key_Return);
    QVERIFY(!list->isVisible());
    QCOMPARE(line->text(), QStringLiteral("path:fc2 op:linear "));
    QTRY_COMPARE(dock->filter()->rowCount(), 1);
  }

  void copiesAreOfTheSelectedOpCalls() {
    Explorer explorer;
    app::SitesDock* dock = shownDock(explorer);
    QVERIFY(dock != nullptr);
    explorer.session().selection().setSites({test::kFc1, test::kFc2});
    dock->copyAsCsv();
    QCOMPARE(QApplication::clipboard()->text().split(u'\n', Qt::SkipEmptyParts).size(), 3);
    dock->copyAsRules();
    const std::string file = R"({"binade_policy":1,"sites":)" + QApplication::clipboard()->text().toStdString() + "}";
    const policy::Policy read = policy::parse_policy(file, "clipboard");
    QCOMPARE(read.sites.size(), std::size_t{2});
    QCOMPARE(read.sites.back().match, std::string("fc2/aten::linear#0"));
    // Ctrl+C: the rows as they are shown.
    dock->table()->setFocus();
    QTest::keyClick(dock->table(), Qt::Key_C, Qt::ControlModifier);
    QTRY_VERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("Op call\tFormat\t")));
    QCOMPARE(QApplication::clipboard()->text().count(u'\n'), 3);
  }

  void theReasonsForAFormatAreShown() {
    Explorer explorer;
    app::SitesDock* dock = shownDock(explorer);
    QVERIFY(dock != nullptr);
    dock->table()->setCurrentIndex(dock->filter()->indexOfSite(test::kFc2));
    dock->showReasons();
    QVERIFY(dock->reasons() != nullptr && dock->reasons()->isVisible());
    QVERIFY2(
        dock->reasons()->text().startsWith(QStringLiteral("fc2/aten::linear#0 in float16\nThe base list cuda-amp")),
        qPrintable(dock->reasons()->text()));
    const QModelIndex format = dock->filter()->indexOfSite(test::kFc2).siblingAtColumn(SiteTableModel::kFormat);
    QVERIFY(
        format.data(Qt::ToolTipRole).toString().contains(QStringLiteral("The base list cuda-amp runs aten::linear")));
    QTest::keyClick(dock->reasons(), Qt::Key_Escape);
    QTRY_VERIFY(!dock->reasons()->isVisible());
  }

  void theCountIsNotCutInTuneOnASmallScreen() {
    Explorer explorer;
    app::SitesDock* dock = shownDock(explorer);
    QVERIFY(dock != nullptr);
    explorer.window().resize(1280, 800);
    explorer.window().setArrangement(app::Arrangement::kTune);
    explorer.session().selection().setSites({0, 1});
    QApplication::processEvents();
    int counts = 0;
    for (const views::ElidedLabel* label : dock->findChildren<views::ElidedLabel*>()) {
      if (!label->text().startsWith(dock->filter()->summary())) continue;
      ++counts;
      QVERIFY2(!label->isElided(), qPrintable(QString::number(label->width())));
    }
    QCOMPARE(counts, 1);
  }

  void selectionIsIndigoAndAFirstCauseIsCrimson() {
    Explorer explorer;
    app::SitesDock* dock = shownDock(explorer);
    QVERIFY(dock != nullptr);
    explorer.session().selection().setPath({{test::kFc1, test::kFc2}, {test::kFc2}, false});
    explorer.session().selection().setSites({test::kFc2});
    QTableView* table = dock->table();
    const auto colorAt = [table](const QModelIndex& row, int x) {
      const QRect cell = table->visualRect(row);
      return table->viewport()->grab().toImage().pixelColor(cell.left() + x, cell.top() + 3);
    };
    const QModelIndex cause = dock->filter()->indexOfSite(test::kFc2);
    QVERIFY(table->selectionModel()->isRowSelected(cause.row()));
    QCOMPARE(colorAt(cause, 0), views::colors().indigo);
    QCOMPARE(colorAt(cause, 2), views::colors().crimson);
    QCOMPARE(colorAt(cause, 6), views::colors().selectedRow);  // never crimson, whatever began here
    const QModelIndex passed = dock->filter()->indexOfSite(test::kFc1);
    table->scrollTo(passed);
    QCOMPARE(colorAt(passed, 1), views::colors().crimson);
    QVERIFY(colorAt(passed, 6) != views::colors().crimsonGround);
  }
};

BINADE_SUITE(SitesDocks);

}  // namespace

#include "tst_sites_dock.moc"
