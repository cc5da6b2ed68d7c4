// SPDX-License-Identifier: Apache-2.0
#include "views/table/table_columns.h"

#include "views/theme.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QHeaderView>
#include <QMenu>
#include <QSettings>
#include <QTableView>
#include <QVariantMap>

#include <algorithm>
#include <cmath>
#include <utility>

namespace binade::views {

namespace {

constexpr int kNarrowest = 32;
constexpr int kWidest = 4000;
constexpr int kAroundTitle = 32;  // both margins and the sort arrow

QString settingsKey(const QString& group, const char* name) {
  return group + u'/' + QLatin1String(name);
}

}  // namespace

TableColumns::TableColumns(QTableView* table, QList<ColumnPlan> plans)
    : QObject(table), table_(table), plans_(std::move(plans)), states_(static_cast<std::size_t>(plans_.size())) {
  QHeaderView* header = table->horizontalHeader();
  header->setStretchLastSection(false);
  header->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(header, &QWidget::customContextMenuRequested, this, [this, header](QPoint at) {
    QMenu menu(header);
    fillMenu(&menu);
    menu.exec(header->mapToGlobal(at));
  });
  table->viewport()->installEventFilter(this);
  header->viewport()->installEventFilter(this);
  soon_.setSingleShot(true);
  soon_.setInterval(0);
  connect(&soon_, &QTimer::timeout, this, &TableColumns::fit);
  connect(header, &QHeaderView::sectionResized, this, [this](int column, int before, int after) {
    if (fitting_ || !dragging_ || before == 0 || after == 0 || column >= plans_.size()) return;
    states_[static_cast<std::size_t>(column)].by_hand = after;
  });
  connect(table->model(), &QAbstractItemModel::headerDataChanged, this, [this] { soon_.start(); });
  fit();
}

bool TableColumns::eventFilter(QObject* watched, QEvent* event) {
  const QEvent::Type type = event->type();
  if (watched == table_->horizontalHeader()->viewport()) {
    if (type == QEvent::MouseButtonPress || type == QEvent::MouseButtonDblClick) dragging_ = true;
    if (type == QEvent::MouseButtonRelease && std::exchange(dragging_, false)) soon_.start();
  } else if (type == QEvent::Resize || type == QEvent::Show) {
    // Setting columns may resize the viewport; fits once more afterwards.
    if (fitting_ && table_->viewport()->width() != room_) soon_.start();
    fit();
  }
  return QObject::eventFilter(watched, event);
}

void TableColumns::setAvailable(int column, bool available) {
  if (std::exchange(states_[static_cast<std::size_t>(column)].available, available) != available) fit();
}

void TableColumns::setConstant(int column, bool constant) {
  if (std::exchange(states_[static_cast<std::size_t>(column)].constant, constant) != constant) fit();
}

void TableColumns::choose(int column, bool shown) {
  states_[static_cast<std::size_t>(column)].chosen = shown;
  fit();
}

void TableColumns::setWidth(int column, int width) {
  states_[static_cast<std::size_t>(column)].by_hand = std::clamp(width, kNarrowest, kWidest);
  fit();
}

void TableColumns::restore() {
  for (State& state : states_) {
    state.chosen.reset();
    state.by_hand = 0;
  }
  QHeaderView* header = table_->horizontalHeader();
  for (int column = 0; column < header->count(); ++column) header->moveSection(header->visualIndex(column), column);
  fit();
}

bool TableColumns::isWanted(int column) const {
  const State& state = states_[static_cast<std::size_t>(column)];
  if (!state.available) return false;
  if (plans_[column].rank == 0 && plans_[column].on) return true;
  return state.chosen.value_or(plans_[column].on && !state.constant);
}

// The header has its font only once the table is shown.
int TableColumns::titleWidth(int column) const {
  const QFontMetricsF title(textFont(12, QFont::DemiBold));
  const QString text = table_->model()->headerData(column, Qt::Horizontal).toString();
  return static_cast<int>(std::ceil(title.horizontalAdvance(text))) + kAroundTitle;
}

int TableColumns::wantedWidth(int column) const {
  const int by_hand = states_[static_cast<std::size_t>(column)].by_hand;
  return by_hand > 0 ? by_hand : std::max(plans_[column].width, titleWidth(column));
}

int TableColumns::leastWidth(int column) const {
  const int wanted = wantedWidth(column);
  if (plans_[column].least == 0 || states_[static_cast<std::size_t>(column)].by_hand > 0) return wanted;
  return std::clamp(plans_[column].least, std::min(titleWidth(column), wanted), wanted);
}

void TableColumns::hideWhatDoesNotFit(int room) {
  int least = 0;
  for (int column = 0; column < plans_.size(); ++column) {
    states_[static_cast<std::size_t>(column)].no_room = false;
    if (isWanted(column)) least += leastWidth(column);
  }
  while (least > room) {
    int worst = -1;
    for (int column = 0; column < plans_.size(); ++column) {
      const State& state = states_[static_cast<std::size_t>(column)];
      const bool may_hide = isWanted(column) && !state.no_room && !state.chosen && plans_[column].rank > 0;
      if (may_hide && (worst < 0 || plans_[column].rank > plans_[worst].rank)) worst = column;
    }
    if (worst < 0) return;
    states_[static_cast<std::size_t>(worst)].no_room = true;
    least -= leastWidth(worst);
  }
}

void TableColumns::fit() {
  if (fitting_) return;
  fitting_ = true;
  // A table that is not shown has no width yet.
  room_ = table_->isVisible() ? table_->viewport()->width() : kWidest;
  hideWhatDoesNotFit(room_);
  for (int column = 0; column < table_->model()->columnCount(); ++column) {
    const bool hidden =
        column >= plans_.size() || !isWanted(column) || states_[static_cast<std::size_t>(column)].no_room;
    if (table_->isColumnHidden(column) != hidden) table_->setColumnHidden(column, hidden);
  }
  setWidths(table_->isVisible() ? room_ : 0);
  fitting_ = false;
}

void TableColumns::setWidths(int room) {
  QList<int> columns;
  int whole = 0;
  int slack = 0;
  for (int column = 0; column < plans_.size(); ++column) {
    if (table_->isColumnHidden(column)) continue;
    columns << column;
    whole += wantedWidth(column);
    slack += wantedWidth(column) - leastWidth(column);
  }
  if (columns.isEmpty()) return;
  const int missing = room > 0 ? std::clamp(whole - room, 0, slack) : 0;
  const int spare = std::max(0, room - whole);
  // The last column takes the spare room if the user has set the width of the one that would.
  int stretched = -1;
  for (const int column : columns) {
    const bool by_hand = states_[static_cast<std::size_t>(column)].by_hand > 0;
    if (plans_[column].stretches && !by_hand) stretched = column;
  }
  const QHeaderView* header = table_->horizontalHeader();
  if (stretched < 0) {
    stretched = *std::max_element(columns.begin(), columns.end(),
                                  [header](int a, int b) { return header->visualIndex(a) < header->visualIndex(b); });
  }
  for (const int column : columns) {
    const int gives = wantedWidth(column) - leastWidth(column);
    const int given = missing > 0 ? (gives * missing + slack - 1) / slack : 0;
    table_->setColumnWidth(column, wantedWidth(column) - given + (column == stretched ? spare : 0));
  }
}

void TableColumns::fillMenu(QMenu* menu) {
  const QHeaderView* header = table_->horizontalHeader();
  for (int visual = 0; visual < header->count(); ++visual) {
    const int column = header->logicalIndex(visual);
    if (column >= plans_.size()) continue;
    const State& state = states_[static_cast<std::size_t>(column)];
    if (!state.available) continue;
    const QString title = table_->model()->headerData(column, Qt::Horizontal).toString();
    const bool same = state.constant && !state.chosen && plans_[column].rank > 0;
    QAction* action = menu->addAction(state.no_room ? tr("%1 (no room)").arg(title)
                                      : same        ? tr("%1 (the same in every row)").arg(title)
                                                    : title);
    action->setCheckable(true);
    action->setChecked(!table_->isColumnHidden(column));
    action->setEnabled(plans_[column].rank > 0);
    connect(action, &QAction::triggered, this, [this, column](bool shown) { choose(column, shown); });
  }
  menu->addSeparator();
  connect(menu->addAction(tr("Restore columns")), &QAction::triggered, this, &TableColumns::restore);
}

int TableColumns::column(const QString& id) const {
  const auto found = std::find_if(plans_.begin(), plans_.end(), [&](const ColumnPlan& plan) { return plan.id == id; });
  return found == plans_.end() ? -1 : static_cast<int>(found - plans_.begin());
}

void TableColumns::read(const QSettings& settings, const QString& group) {
  const auto choose_all = [&](const char* name, bool shown) {
    for (const QString& id : settings.value(settingsKey(group, name)).toStringList()) {
      if (const int each = column(id); each >= 0) states_[static_cast<std::size_t>(each)].chosen = shown;
    }
  };
  choose_all("shown", true);
  choose_all("hidden", false);
  const QVariantMap widths = settings.value(settingsKey(group, "widths")).toMap();
  for (auto width = widths.begin(); width != widths.end(); ++width) {
    const int each = column(width.key());
    if (each >= 0 && width.value().toInt() > 0)
      states_[static_cast<std::size_t>(each)].by_hand = std::clamp(width.value().toInt(), kNarrowest, kWidest);
  }
  QHeaderView* header = table_->horizontalHeader();
  int visual = 0;
  for (const QString& id : settings.value(settingsKey(group, "order")).toStringList()) {
    if (const int each = column(id); each >= 0) header->moveSection(header->visualIndex(each), visual++);
  }
  fit();
}

void TableColumns::write(QSettings& settings, const QString& group) const {
  QStringList shown;
  QStringList hidden;
  QVariantMap widths;
  for (int each = 0; each < plans_.size(); ++each) {
    const State& state = states_[static_cast<std::size_t>(each)];
    if (state.chosen) (*state.chosen ? shown : hidden) << plans_[each].id;
    if (state.by_hand > 0) widths.insert(plans_[each].id, state.by_hand);
  }
  QStringList order;
  const QHeaderView* header = table_->horizontalHeader();
  for (int visual = 0; visual < header->count(); ++visual) {
    if (const int each = header->logicalIndex(visual); each < plans_.size()) order << plans_[each].id;
  }
  settings.setValue(settingsKey(group, "shown"), shown);
  settings.setValue(settingsKey(group, "hidden"), hidden);
  settings.setValue(settingsKey(group, "widths"), widths);
  settings.setValue(settingsKey(group, "order"), order);
}

}  // namespace binade::views
