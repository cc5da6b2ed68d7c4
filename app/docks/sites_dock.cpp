// SPDX-License-Identifier: Apache-2.0
#include "app/docks/sites_dock.h"

#include "app/docks/empty_state.h"
#include "app/docks/saved_filters.h"
#include "app/docks/savings_view.h"
#include "app/docks/table_hold.h"
#include "views/elided_label.h"
#include "views/filter_completer.h"
#include "views/icons.h"
#include "views/look_at_number.h"
#include "views/style/looks.h"
#include "views/table/delegates.h"
#include "views/table/dragging_table.h"
#include "views/table/format_targets.h"
#include "views/table/table_columns.h"
#include "views/values/numbers.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace binade::app {

namespace {

constexpr auto kColumnsGroup = "opCalls/columns";
constexpr auto kFiltersGroup = "opCalls/filters";
constexpr auto kGroupedKey = "opCalls/grouped";

/// By column of SiteTableModel. The op call and its format are always shown.
QList<views::ColumnPlan> columnPlans() {
  const auto plan = [](const char* id, int width, int least, int rank) {
    views::ColumnPlan made;
    made.id = QLatin1String(id);
    made.width = width;
    made.least = least;
    made.rank = rank;
    return made;
  };
  QList<views::ColumnPlan> plans(SiteTableModel::kColumns);
  plans[SiteTableModel::kCall] = plan("call", 380, 150, 0);
  plans[SiteTableModel::kFormat] = plan("format", 200, 126, 0);
  plans[SiteTableModel::kDoublings] = plan("doublings", 220, 124, 1);
  plans[SiteTableModel::kHistory] = plan("history", 96, 72, 7);
  plans[SiteTableModel::kLost] = plan("lost", 90, 76, 4);
  plans[SiteTableModel::kOverflows] = plan("overflows", 104, 0, 3);
  plans[SiteTableModel::kTime] = plan("time", 80, 72, 5);
  plans[SiteTableModel::kBeside] = plan("beside", 120, 80, 6);
  plans[SiteTableModel::kVerdict] = plan("verdict", 280, 142, 2);
  plans[SiteTableModel::kVerdict].stretches = true;
  return plans;
}

}  // namespace

SitesDock::SitesDock(RunModel* run, PolicyDocument* document, Selection* selection, QWidget* parent)
    : Dock(QStringLiteral("opCalls"), tr("Op calls"), parent),
      run_(run),
      document_(document),
      selection_(selection),
      model_(new SiteTableModel(run, document, selection, this)),
      filter_(new SiteFilter(model_, this)),
      filter_line_(new views::FilterLine(tr("Filter:  format:float16  op:conv  path:layer1"))),
      summary_(new views::ElidedLabel),
      selected_(new QLabel),
      set_format_(new QPushButton),
      try_format_(new QPushButton),
      ask_savings_(new QToolButton),
      view_(new QToolButton),
      savings_(new SavingsView(run)),
      table_(new views::DraggingTable),
      targets_(nullptr),
      empty_(nullptr),
      format_delegate_(new views::FormatDelegate(this)),
      saved_filters_(new SavedFilters(filter_line_)),
      why_(new QAction(tr("Why this format?"), this)) {
  auto* page = new QWidget;
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(makeHeader());
  setUpTable();
  layout->addWidget(table_, 1);
  layout->addWidget(savings_);
  empty_ = new EmptyState(page, tr("No model yet."), tr("The op calls of a model appear here when its run starts."));
  setWidget(empty_);
  targets_ = new views::FormatTargets(page);
  targets_->hide();
  setUpDragging();

  new views::FilterCompleter(filter_line_, [this](const QString& line, qsizetype cursor) {
    return completions(line, cursor, filter_->vocabulary());
  });
  connect(filter_line_, &views::FilterLine::filterChanged, this, [this](const QString& text) {
    filter_->setQuery(text);
    showSelection();
    updateSummary();
  });
  connectSelection();
  connect(run_, &RunModel::reset, this, [this] {
    sorted_ = false;
    empty_->setEmpty(run_->sites().empty());
    table_->sortByColumn(table_->horizontalHeader()->sortIndicatorSection(),
                         table_->horizontalHeader()->sortIndicatorOrder());
    columns_->setConstant(SiteTableModel::kTime, !model_->hasTimes());
    updateSummary();
  });
  // After the dock's own filter of the table's events, so that it sees them first.
  hold_ = new TableHold(table_, page);
  connect(hold_, &TableHold::released, this, &SitesDock::refresh);
  connect(run_, &RunModel::frame, this, &SitesDock::refresh);
  connect(run_, &RunModel::stateChanged, this, &SitesDock::updateSummary);
  connect(this, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible) refresh();
  });
  empty_->setEmpty(run_->sites().empty());
  setFormats({QStringLiteral("float32"), QStringLiteral("tfloat32"), QStringLiteral("bfloat16"),
              QStringLiteral("float16"), QStringLiteral("float8_e4m3fn"), QStringLiteral("float8_e5m2")},
             {});
  updateSummary();
}

void SitesDock::setUpTable() {
  table_->setModel(filter_);
  views::styleTable(table_);
  views::addLookEntry(table_, this);
  views::showWholeRows(table_);
  table_->setItemDelegateForColumn(SiteTableModel::kCall, new views::CallDelegate(table_));
  table_->setItemDelegateForColumn(SiteTableModel::kFormat, format_delegate_);
  table_->setItemDelegateForColumn(SiteTableModel::kDoublings, new views::HeadroomDelegate(table_));
  table_->setItemDelegateForColumn(SiteTableModel::kHistory, new views::HistoryDelegate(table_));
  table_->setItemDelegateForColumn(SiteTableModel::kVerdict, new views::VerdictDelegate(table_));
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                          QAbstractItemView::AnyKeyPressed);
  table_->setAccessibleName(tr("Op calls"));
  // A third click on a column header restores the order of the forward pass.
  table_->horizontalHeader()->setSortIndicatorClearable(true);
  table_->sortByColumn(SiteTableModel::kDoublings, Qt::AscendingOrder);
  columns_ = new views::TableColumns(table_, columnPlans());
  columns_->setAvailable(SiteTableModel::kBeside, model_->hasBeside());
  columns_->setConstant(SiteTableModel::kTime, !model_->hasTimes());
  connect(model_, &QAbstractItemModel::headerDataChanged, this,
          [this] { columns_->setAvailable(SiteTableModel::kBeside, model_->hasBeside()); });
  table_->installEventFilter(this);
  table_->viewport()->installEventFilter(this);
  connect(table_, &QAbstractItemView::doubleClicked, this, [this](const QModelIndex& index) {
    if (index.column() == SiteTableModel::kCall) filter_->setExpanded(index, !filter_->isExpanded(index));
  });
  why_->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F1));
  why_->setShortcutContext(Qt::WidgetShortcut);
  connect(why_, &QAction::triggered, this, &SitesDock::showReasons);
  table_->addAction(why_);
  table_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(table_, &QWidget::customContextMenuRequested, this, &SitesDock::openContextMenu);
}

QTableView* SitesDock::table() const {
  return table_;
}

void SitesDock::setUpDragging() {
  connect(table_, &views::DraggingTable::dragBegan, this, [this] {
    const int wide = targets_->parentWidget()->width();
    targets_->setGeometry(0, 0, wide, std::max(targets_->heightForWidth(wide), table_->y()));
    targets_->show();
    targets_->raise();
  });
  connect(table_, &views::DraggingTable::dragEnded, targets_, &QWidget::hide);
  connect(targets_, &views::FormatTargets::dropped, this, &SitesDock::setSelectedFormat);
}

QWidget* SitesDock::makeHeader() {
  auto* header = new QWidget;
  auto* layout = new QHBoxLayout(header);
  layout->setContentsMargins(12, 6, 12, 6);
  layout->setSpacing(8);
  filter_line_->setMinimumWidth(128);
  filter_line_->setMaximumWidth(360);
  filter_line_->setAccessibleName(tr("Filter op calls"));
  views::setTone(summary_, views::Tone::kSecond);
  views::setTone(selected_, views::Tone::kSecond);
  set_format_->setText(tr("Set format…"));
  set_format_->setAccessibleName(tr("Set the format of the selected op calls"));
  set_format_->setToolTip(tr("Sets all selected op calls, as one undo step"));
  set_format_->setWhatsThis(tr(
      "Adds a rule to the policy for each selected op call, which then computes in this format from the next step. "
      "Op calls that take the format of their arguments may change with it. Undo removes the rules; it does not undo "
      "training."));
  set_format_->setMenu(new QMenu(set_format_));
  try_format_->setText(tr("Try format…"));
  try_format_->setAccessibleName(tr("Try a format for the selected op calls"));
  try_format_->setToolTip(tr("Trains with this format for all selected op calls beside the run; the policy stays"));
  try_format_->setWhatsThis(
      tr("Trains twice from one state of the run, on the same batches: under the present policy and with this format. "
         "Try shows the difference in loss with its interval, beside what rounding alone does. The run keeps "
         "its policy."));
  try_format_->setMenu(new QMenu(try_format_));
  ask_savings_->setIcon(views::icon(QStringLiteral("info")));
  ask_savings_->setPopupMode(QToolButton::InstantPopup);
  ask_savings_->setAccessibleName(tr("What would a format of the selected op calls save?"));
  ask_savings_->setToolTip(
      tr("What would this save? Shows casts, bytes and time with another format, without editing the policy"));
  ask_savings_->setMenu(new QMenu(ask_savings_));
  view_->setIcon(views::icon(QStringLiteral("columns")));
  view_->setPopupMode(QToolButton::InstantPopup);
  view_->setAccessibleName(tr("Columns and grouping"));
  view_->setToolTip(tr("Columns, and rows grouped by module"));
  view_->setMenu(makeViewMenu());
  // Where room is short, the filter line gives way before the count is cut.
  layout->addWidget(filter_line_, 1);
  layout->addWidget(summary_);
  layout->addStretch();
  layout->addWidget(selected_);
  layout->addWidget(set_format_);
  layout->addWidget(try_format_);
  layout->addWidget(ask_savings_);
  layout->addWidget(view_);
  return header;
}

QMenu* SitesDock::makeViewMenu() {
  auto* menu = new QMenu(view_);
  connect(menu, &QMenu::aboutToShow, this, [this, menu] {
    menu->clear();
    QAction* grouped = menu->addAction(tr("Group by module"));
    grouped->setCheckable(true);
    grouped->setChecked(filter_->isGrouped());
    connect(grouped, &QAction::triggered, this, &SitesDock::setGrouped);
    QAction* expand = menu->addAction(tr("Expand all modules"));
    QAction* collapse = menu->addAction(tr("Collapse all modules"));
    expand->setEnabled(filter_->isGrouped());
    collapse->setEnabled(filter_->isGrouped());
    connect(expand, &QAction::triggered, this, [this] { filter_->setAllExpanded(true); });
    connect(collapse, &QAction::triggered, this, [this] { filter_->setAllExpanded(false); });
    menu->addSeparator();
    columns_->fillMenu(menu);
  });
  return menu;
}

void SitesDock::setGrouped(bool grouped) {
  filter_->setGrouped(grouped);
}

void SitesDock::updateSummary() {
  summary_->setText(filter_->summary());
  const int count = static_cast<int>(selection_->sites().size());
  selected_->setText(count == 0 ? QString() : tr("%1 selected").arg(views::grouped(count)));
  const bool editable = count > 0 && model_->isEditable();
  set_format_->setEnabled(editable);
  set_format_->setToolTip(document_->whyReadOnly());
  try_format_->setEnabled(count > 0);
  ask_savings_->setEnabled(count > 0);
  Q_EMIT editableChanged(editable);
}

void SitesDock::focusFilter() {
  show();
  raise();
  filter_line_->setFocus(Qt::ShortcutFocusReason);
  filter_line_->selectAll();
}

void SitesDock::read(const QSettings& settings) {
  columns_->read(settings, QLatin1String(kColumnsGroup));
  saved_filters_->read(settings, QLatin1String(kFiltersGroup));
  setGrouped(settings.value(QLatin1String(kGroupedKey)).toBool());
}

void SitesDock::write(QSettings& settings) const {
  columns_->write(settings, QLatin1String(kColumnsGroup));
  saved_filters_->write(settings, QLatin1String(kFiltersGroup));
  settings.setValue(QLatin1String(kGroupedKey), filter_->isGrouped());
}

}  // namespace binade::app
