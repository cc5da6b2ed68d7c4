// SPDX-License-Identifier: Apache-2.0
// Op calls dragged to a format with the mouse.
#include "app/docks/sites_dock.h"
#include "tests/app/app_fixture.h"
#include "tests/support/suite.h"
#include "views/table/dragging_table.h"
#include "views/table/format_targets.h"

#include <QApplication>
#include <QDropEvent>
#include <QItemSelectionModel>
#include <QMimeData>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QUndoStack>
#include <QWindow>

#include <memory>
#include <optional>

namespace {

using namespace binade;
using app::SiteTableModel;
using test::Explorer;

constexpr int kFirst = 2;  // rows of the table
constexpr int kSecond = 4;

QPoint nameOf(const app::SitesDock* dock, int row) {
  const QTableView* table = dock->table();
  const QRect cell = table->visualRect(dock->filter()->index(row, SiteTableModel::kCall));
  return table->viewport()->mapTo(table->window(), cell.center());
}

QString formatAt(const app::SitesDock* dock, int site) {
  return dock->model()->index(site, SiteTableModel::kFormat).data().toString();
}

class DraggedCalls : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theSelectedOpCallsTakeTheFormatThatTheyAreDroppedOn() {
    QVERIFY(show());
    const std::vector<int> sites = select({kFirst, kSecond});
    const int before = edits();
    QVERIFY(drag(kSecond, [this] { return targetOf(QStringLiteral("bfloat16")); }));
    QCOMPARE(edits(), before + 1);
    for (const int site : sites)
      QVERIFY2(formatAt(dock_, site).startsWith(u"bfloat16"), qPrintable(formatAt(dock_, site)));
    QCOMPARE(explorer_->session().selection().sites(), sites);
    // The last target removes the rules.
    QVERIFY(drag(kFirst, [this] { return targetOf({}); }));
    QCOMPARE(edits(), before + 2);
    QVERIFY(explorer_->session().document().policy().sites.empty());
  }

  void elsewhereNothingIsDropped() {
    QVERIFY(show());
    const std::vector<int> sites = select({kFirst});
    const int before = edits();
    QVERIFY(drag(kFirst, [this] { return nameOf(dock_, kSecond); }));
    QCOMPARE(edits(), before);
    QCOMPARE(explorer_->session().selection().sites(), sites);
  }

  // As in a table without drags.
  void fromARowThatIsNotSelectedTheMouseSelects() {
    QVERIFY(show());
    select({kFirst});
    const QSignalSpy drags(table(), &views::DraggingTable::dragBegan);
    QWindow* window = explorer_->window().windowHandle();
    QTest::mousePress(window, Qt::LeftButton, {}, nameOf(dock_, kSecond));
    for (int row = kSecond; row <= kSecond + 2; ++row) QTest::mouseMove(window, nameOf(dock_, row));
    QCOMPARE(drags.count(), 0);
    QTest::mouseRelease(window, Qt::LeftButton, {}, nameOf(dock_, kSecond + 2));
    QCOMPARE(explorer_->session().selection().sites().size(), std::size_t{3});
  }

  // The dock takes that press, not the table.
  void aPressOnTheTriangleOfAModuleDragsNothing() {
    QVERIFY(show());
    dock_->setGrouped(true);
    int module = 0;
    while (dock_->filter()->module(dock_->filter()->index(module, 0)) == nullptr) ++module;
    select({module + 1});
    QWindow* window = explorer_->window().windowHandle();
    QTest::mouseClick(window, Qt::LeftButton, {}, nameOf(dock_, module + 1));
    const QSignalSpy drags(table(), &views::DraggingTable::dragBegan);
    const QRect name = dock_->table()->visualRect(dock_->filter()->index(module, SiteTableModel::kCall));
    const QPoint triangle =
        dock_->table()->viewport()->mapTo(&explorer_->window(), QPoint(name.left() + 14, name.center().y()));
    const int rows = dock_->filter()->rowCount();
    QTest::mousePress(window, Qt::LeftButton, {}, triangle);
    QVERIFY(dock_->filter()->rowCount() < rows);
    QTest::mouseMove(window, triangle + QPoint(30, 4));
    QTest::mouseMove(window, triangle + QPoint(60, 4));
    QTest::mouseRelease(window, Qt::LeftButton, {}, triangle + QPoint(60, 4));
    QCOMPARE(drags.count(), 0);
    dock_->setGrouped(false);
  }

  void otherProgramsGetTheNames() {
    QVERIFY(show());
    select({kFirst, kSecond});
    const std::unique_ptr<QMimeData> data(
        dock_->filter()->mimeData(dock_->table()->selectionModel()->selectedIndexes()));
    QVERIFY(data != nullptr);
    QCOMPARE(data->text().split(u'\n').size(), 2);
    QVERIFY(data->text().contains(dock_->filter()->index(kFirst, SiteTableModel::kCall).data().toString()));
  }

 private:
  /// Shows a window whose op calls are in the order of the forward pass.
  bool show() {
    explorer_ = std::make_unique<Explorer>();
    explorer_->showFed(30);
    dock_ = explorer_->window().docks()->sites;
    dock_->raise();
    dock_->table()->sortByColumn(-1, Qt::AscendingOrder);
    return QTest::qWaitForWindowActive(&explorer_->window()) && !dock_->formatTargets()->isVisible();
  }

  std::vector<int> select(std::initializer_list<int> rows) {
    QItemSelection all;
    for (const int row : rows) {
      const QModelIndex index = dock_->filter()->index(row, 0);
      all.select(index, index.siblingAtColumn(SiteTableModel::kColumns - 1));
    }
    dock_->table()->selectionModel()->select(all, QItemSelectionModel::ClearAndSelect);
    return explorer_->session().selection().sites();
  }

  views::DraggingTable* table() const { return qobject_cast<views::DraggingTable*>(dock_->table()); }

  int edits() { return explorer_->session().document().undoStack()->count(); }

  QPoint targetOf(const QString& format) const {
    const views::FormatTargets* targets = dock_->formatTargets();
    return targets->mapTo(targets->window(), targets->target(format).center());
  }

  // Presses the mouse on a row's name, moves it, and drops what is dragged where `target` is while the drag goes on.
  // Returns whether the formats were visible meanwhile, and only then. The platform *offscreen* has no drags: it ends
  // them at once, so the events of the drop are those that a platform would send.
  template <typename Target>
  bool drag(int row, const Target& target) {
    QWindow* window = explorer_->window().windowHandle();
    bool seen = false;
    QObject context;
    connect(table(), &views::DraggingTable::dragBegan, &context, [&] {
      seen = dock_->formatTargets()->isVisible();
      drop(target());
    });
    const QPoint from = nameOf(dock_, row);
    QTest::mousePress(window, Qt::LeftButton, {}, from);
    QTest::mouseMove(window, from + QPoint(0, 4));
    QTest::mouseMove(window, from + QPoint(40, 4));
    QTest::mouseRelease(window, Qt::LeftButton, {}, from + QPoint(40, 4));
    return seen && !dock_->formatTargets()->isVisible();
  }

  void drop(const QPoint& at) {
    QWidget* widget = explorer_->window().childAt(at);
    const QPoint inside = widget->mapFrom(&explorer_->window(), at);
    const std::unique_ptr<QMimeData> data(
        dock_->filter()->mimeData(dock_->table()->selectionModel()->selectedIndexes()));
    const auto send = [&](QDropEvent&& event) {
      event.ignore();
      return widget->acceptDrops() && QApplication::sendEvent(widget, &event) && event.isAccepted();
    };
    if (!send(QDragEnterEvent(inside, Qt::CopyAction, data.get(), Qt::LeftButton, {}))) return;
    if (!send(QDragMoveEvent(inside, Qt::CopyAction, data.get(), Qt::LeftButton, {}))) return;
    send(QDropEvent(inside, Qt::CopyAction, data.get(), Qt::LeftButton, {}));
  }

  std::unique_ptr<Explorer> explorer_;
  app::SitesDock* dock_ = nullptr;
};

BINADE_SUITE(DraggedCalls);

}  // namespace

#include "tst_dragged_calls.moc"
