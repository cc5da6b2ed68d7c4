// SPDX-License-Identifier: Apache-2.0
// Shared by all tables: their look, columns that shrink to fit, and whole rows only.
#include "views/table/copy_rows.h"
#include "views/table/delegates.h"
#include "views/theme.h"

#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <utility>

namespace binade::views {

namespace {

constexpr int kRow = 24;
constexpr int kLeastColumn = 32;
constexpr int kTitleRoom = 18;  // both margins
constexpr int kSortArrow = 14;

bool holdsFigures(const QTableView& table, int column) {
  return (table.model()->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt() & Qt::AlignRight) != 0;
}

// Ends the rows at a whole one, since part of a row would look like a row.
class WholeRows : public QObject {
 public:
  explicit WholeRows(QTableView* table) : QObject(table), table_(table) { table->installEventFilter(this); }

  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show) fit();
    return QObject::eventFilter(watched, event);
  }

 private:
  void fit() {
    const int row = table_->verticalHeader()->defaultSectionSize();
    const QScrollBar* across = table_->horizontalScrollBar();
    int room = table_->height() - table_->horizontalHeader()->height();
    if (across->isVisible()) room -= across->height();
    const int rest = room > row ? room % row : 0;
    if (table_->contentsMargins().bottom() != rest) table_->setContentsMargins(0, 0, 0, rest);
  }

  QTableView* table_;
};

// Sets each column's width, and shrinks columns if the table is too narrow for all of them. The last column is
// stretched over the remaining room. If it holds numbers, which need no more, text columns share that room instead.
// Once the user has resized a column, widths are left alone.
class FitColumns : public QObject {
 public:
  FitColumns(QTableView* table, QList<int> wanted, QList<int> least)
      : QObject(table), table_(table), wanted_(std::move(wanted)), least_(std::move(least)) {
    for (int column = 0; column < static_cast<int>(wanted_.size()); ++column) figures_ << holdsFigures(*table, column);
    table->viewport()->installEventFilter(this);
    soon_.setSingleShot(true);
    soon_.setInterval(0);
    connect(&soon_, &QTimer::timeout, this, &FitColumns::fit);
    connect(table->horizontalHeader(), &QHeaderView::sectionResized, this, [this](int, int before, int after) {
      if (fitting_) return;
      if (before == 0 || after == 0) return soon_.start();  // a column was hidden or shown
      const bool by_hand = QGuiApplication::mouseButtons().testFlag(Qt::LeftButton) &&
                           table_->horizontalHeader()->viewport()->underMouse();
      if (by_hand) by_hand_ = true;
    });
    fit();
  }

  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Resize) {
      // Setting columns may resize the viewport; fits once more afterwards.
      if (fitting_ && table_->viewport()->width() != room_) soon_.start();
      fit();
    }
    return QObject::eventFilter(watched, event);
  }

 private:
  void fit() {
    if (by_hand_ || fitting_) return;
    const QHeaderView* header = table_->horizontalHeader();
    QList<int> columns;
    for (int visual = 0; visual < header->count(); ++visual) {
      const int column = header->logicalIndex(visual);
      if (column < wanted_.size() && !table_->isColumnHidden(column)) columns << column;
    }
    if (columns.isEmpty()) return;
    const int room = room_ = table_->viewport()->width();
    int whole = 0;
    int slack = 0;
    for (const int column : columns) {
      whole += wanted_[column];
      slack += wanted_[column] - least_[column];
    }
    const int last = header->stretchLastSection() ? columns.takeLast() : -1;
    const int missing = table_->isVisible() ? std::clamp(whole - room, 0, slack) : 0;
    const int spare = table_->isVisible() && last >= 0 && figures_[last] ? std::max(0, room - whole) : 0;
    fitting_ = true;
    if (last >= 0) table_->setColumnWidth(last, least_[last]);  // stretched from there
    for (const int column : columns) {
      const int gives = wanted_[column] - least_[column];
      const int given = missing > 0 ? (gives * missing + slack - 1) / slack : 0;
      table_->setColumnWidth(column, wanted_[column] - given + shareOf(column, columns, spare));
    }
    fitting_ = false;
  }

  // A column's part of the spare room: text columns get it, in proportion to how much they may be elided.
  int shareOf(int column, const QList<int>& columns, int spare) const {
    const auto wants = [this](int each) { return figures_[each] ? 0 : wanted_[each] - least_[each]; };
    int all = 0;
    for (const int each : columns) all += wants(each);
    return all > 0 ? wants(column) * spare / all : 0;
  }

  QTableView* table_;
  QList<int> wanted_;
  QList<int> least_;
  QList<bool> figures_;  ///< by column
  QTimer soon_;
  int room_ = 0;  ///< viewport width of the last fit
  bool fitting_ = false;
  bool by_hand_ = false;
};

}  // namespace

void styleTable(QTableView* table) {
  table->setItemDelegate(new CellDelegate(table));
  table->setShowGrid(false);
  table->setAlternatingRowColors(true);
  table->setWordWrap(false);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  table->setFrameShape(QFrame::NoFrame);
  table->setCornerButtonEnabled(false);
  table->verticalHeader()->hide();
  table->verticalHeader()->setMinimumSectionSize(kRow);
  table->verticalHeader()->setDefaultSectionSize(kRow);
  table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  QHeaderView* header = table->horizontalHeader();
  header->setFixedHeight(kRow);
  header->setHighlightSections(false);
  header->setSectionsMovable(true);
  header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  header->setStretchLastSection(true);
  header->setMinimumSectionSize(kLeastColumn);  // the default, derived from the font's widest letter, is larger
  table->setSortingEnabled(true);
  // Tab moves to the next widget; arrow keys move within the table.
  table->setTabKeyNavigation(false);
  copyAction(table);
}

void setColumnWidths(QTableView* table, const QList<int>& widths, const QList<int>& least) {
  // The header has its font only once the table is shown.
  const QFontMetricsF title(textFont(12, QFont::DemiBold));
  const int around = kTitleRoom + (table->isSortingEnabled() ? kSortArrow : 0);
  QList<int> wanted;
  QList<int> floors;
  for (int column = 0; column < widths.size(); ++column) {
    const QString text = table->model()->headerData(column, Qt::Horizontal).toString();
    const int titled = static_cast<int>(std::ceil(title.horizontalAdvance(text))) + around;
    const bool figures = holdsFigures(*table, column);
    wanted << std::max(widths[column], titled);
    // Text may be elided to half its width, numbers not at all.
    const int may_be = column < least.size() ? least[column] : figures ? widths[column] : widths[column] / 2;
    floors << std::clamp(may_be, titled, wanted.back());
  }
  new FitColumns(table, std::move(wanted), std::move(floors));
}

void showWholeRows(QTableView* table) {
  new WholeRows(table);
}

}  // namespace binade::views
