// SPDX-License-Identifier: Apache-2.0
#include "app/docks/sites_dock.h"

#include "app/docks/ask_format.h"
#include "app/docks/empty_state.h"
#include "app/docks/savings_view.h"
#include "app/docks/table_hold.h"
#include "app/model/site_name.h"
#include "app/present/shown_words.h"
#include "app/present/tensor_choices.h"
#include "views/elided_label.h"
#include "views/icons.h"
#include "views/look_at_number.h"
#include "views/style/looks.h"
#include "views/table/copy_rows.h"
#include "views/table/delegates.h"
#include "views/values/numbers.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace binade::app {

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
      savings_(new SavingsView(run)),
      table_(new QTableView),
      empty_(nullptr),
      format_delegate_(new views::FormatDelegate(this)) {
  auto* page = new QWidget;
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(makeHeader());

  table_->setModel(filter_);
  views::styleTable(table_);
  views::addLookEntry(table_, this);
  views::showWholeRows(table_);
  table_->setItemDelegateForColumn(SiteTableModel::kCall, new views::CallDelegate(table_));
  table_->setItemDelegateForColumn(SiteTableModel::kFormat, format_delegate_);
  table_->setItemDelegateForColumn(SiteTableModel::kDoublings, new views::HeadroomDelegate(table_));
  table_->setItemDelegateForColumn(SiteTableModel::kVerdict, new views::VerdictDelegate(table_));
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                          QAbstractItemView::AnyKeyPressed);
  table_->setAccessibleName(tr("Op calls"));
  // A third click on a column header restores the order of the forward pass.
  table_->horizontalHeader()->setSortIndicatorClearable(true);
  table_->sortByColumn(SiteTableModel::kDoublings, Qt::AscendingOrder);
  views::setColumnWidths(table_, {420, 210, 190, 96, 104, 80, 300}, {150, 110, 124, 76, 0, 72, 120});
  table_->horizontalHeader()->setStretchLastSection(true);
  makeContextMenu();
  layout->addWidget(table_, 1);
  layout->addWidget(savings_);
  empty_ = new EmptyState(page, tr("No model yet."), tr("The op calls of a model appear here when its run starts."));
  setWidget(empty_);

  connect(filter_line_, &views::FilterLine::filterChanged, this, [this](const QString& text) {
    filter_->setQuery(text);
    showSelection();
    updateSummary();
  });
  connectSelection();
  connect(run_, &RunModel::reset, this, [this] {
    empty_->setEmpty(run_->sites().empty());
    table_->sortByColumn(table_->horizontalHeader()->sortIndicatorSection(),
                         table_->horizontalHeader()->sortIndicatorOrder());
    updateSummary();
  });
  hold_ = new TableHold(table_, page);
  connect(hold_, &TableHold::released, this, &SitesDock::refresh);
  connect(run_, &RunModel::frame, this, &SitesDock::refresh);
  connect(this, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible) refresh();
  });
  empty_->setEmpty(run_->sites().empty());
  setFormats({QStringLiteral("float32"), QStringLiteral("tfloat32"), QStringLiteral("bfloat16"),
              QStringLiteral("float16"), QStringLiteral("float8_e4m3fn"), QStringLiteral("float8_e5m2")},
             {});
  updateSummary();
}

QWidget* SitesDock::makeHeader() {
  auto* header = new QWidget;
  auto* layout = new QHBoxLayout(header);
  layout->setContentsMargins(12, 6, 12, 6);
  layout->setSpacing(12);
  filter_line_->setMinimumWidth(140);
  filter_line_->setMaximumWidth(360);
  filter_line_->setAccessibleName(tr("Filter op calls"));
  views::setTone(summary_, views::Tone::kSecond);
  views::setTone(selected_, views::Tone::kSecond);
  set_format_->setText(tr("Set format…"));
  set_format_->setAccessibleName(tr("Set the format of the selected op calls"));
  set_format_->setToolTip(tr("Sets all selected op calls, as one undo step"));
  set_format_->setMenu(new QMenu(set_format_));
  try_format_->setText(tr("Try format…"));
  try_format_->setAccessibleName(tr("Try a format for the selected op calls"));
  try_format_->setToolTip(tr("Trains with this format for all selected op calls beside the run; the policy stays"));
  try_format_->setMenu(new QMenu(try_format_));
  ask_savings_->setIcon(views::icon(QStringLiteral("info")));
  ask_savings_->setPopupMode(QToolButton::InstantPopup);
  ask_savings_->setAccessibleName(tr("What would a format of the selected op calls save?"));
  ask_savings_->setToolTip(
      tr("What would this save? Shows casts, bytes and time with another format, without editing the policy"));
  ask_savings_->setMenu(new QMenu(ask_savings_));
  layout->addWidget(filter_line_, 3);
  layout->addWidget(summary_, 2);
  layout->addWidget(selected_);
  layout->addWidget(set_format_);
  layout->addWidget(try_format_);
  layout->addWidget(ask_savings_);
  return header;
}

void SitesDock::setFormats(const QStringList& names, const QStringList& emulated) {
  formats_ = names;
  format_delegate_->setFormats(names, emulated);
  fillFormats(set_format_->menu(), emulated, [this](const QString& name) { setSelectedFormat(name); });
  fillFormats(try_format_->menu(), emulated, [this](const QString& name) { trySelectedFormat(name); });
  fillFormats(ask_savings_->menu(), emulated, [this](const QString& name) { askSavings(name); });
}

void SitesDock::fillFormats(QMenu* menu, const QStringList& emulated,
                            const std::function<void(const QString&)>& chosen) {
  menu->clear();
  for (const QString& name : formats_) {
    const QString text = emulated.contains(name) ? tr("%1 (emulated)").arg(name) : name;
    connect(menu->addAction(text), &QAction::triggered, this, [chosen, name] { chosen(name); });
  }
  connect(menu->addAction(tr("Another format…")), &QAction::triggered, this, [this, chosen] {
    if (const QString name = askFormat(this); !name.isEmpty()) chosen(name);
  });
  menu->addSeparator();
  connect(menu->addAction(tr("Follow the base list")), &QAction::triggered, this, [chosen] { chosen({}); });
}

void SitesDock::setSelectedFormat(const QString& name) {
  const std::vector<int>& sites = selection_->sites();
  if (sites.empty()) return;
  model_->setData(model_->index(sites.front(), SiteTableModel::kFormat), name, views::FormatRole);
}

std::optional<policy::Policy> SitesDock::editedSelection(const QString& name) const {
  std::vector<policy::SiteKey> keys;
  for (const int site : selection_->sites()) keys.push_back(run_->sites()[static_cast<std::size_t>(site)].key);
  if (keys.empty()) return std::nullopt;
  if (name.isEmpty()) return document_->withoutRules(keys);
  const auto format = formats::parse(name.toStdString());
  return format ? std::optional(document_->withFormat(keys, *format)) : std::nullopt;
}

void SitesDock::trySelectedFormat(const QString& name) {
  if (const auto edited = editedSelection(name)) Q_EMIT tryRequested(*edited, {});
}

void SitesDock::askSavings(const QString& name) {
  if (const auto edited = editedSelection(name)) savings_->ask(*edited, selection_->sites(), name);
}

void SitesDock::setSelectedOp(const QString& formatName) {
  const std::vector<int>& sites = selection_->sites();
  if (sites.empty() || !model_->isEditable()) return;
  const std::string& op = run_->sites()[static_cast<std::size_t>(sites.front())].key.op;
  if (formatName.isEmpty()) return document_->clearOpChange(op);
  if (const auto format = formats::parse(formatName.toStdString())) document_->setOpChange(op, *format);
}

void SitesDock::makeContextMenu() {
  table_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(table_, &QWidget::customContextMenuRequested, this, [this](QPoint at) {
    const std::vector<int>& sites = selection_->sites();
    if (sites.empty()) return;
    const wire::SiteInfo& first = run_->sites()[static_cast<std::size_t>(sites.front())];
    QMenu menu(this);
    QMenu* format =
        menu.addMenu(sites.size() == 1 ? tr("Set format") : tr("Set format of %1 op calls").arg(sites.size()));
    for (QAction* action : set_format_->menu()->actions()) format->addAction(action);
    QMenu* tried = menu.addMenu(sites.size() == 1 ? tr("Try this format")
                                                  : tr("Try this format for %1 op calls").arg(sites.size()));
    tried->addActions(try_format_->menu()->actions());
    menu.addMenu(tr("What would this save?"))->addActions(ask_savings_->menu()->actions());
    QMenu* op = menu.addMenu(tr("Set every %1").arg(QString::fromStdString(first.key.op)));
    for (const QString& name : formats_)
      connect(op->addAction(name), &QAction::triggered, this, [this, name] { setSelectedOp(name); });
    connect(op->addAction(tr("Another format…")), &QAction::triggered, this, [this] {
      if (const QString name = askFormat(this); !name.isEmpty()) setSelectedOp(name);
    });
    op->addSeparator();
    connect(op->addAction(tr("Follow the base list")), &QAction::triggered, this, [this] { setSelectedOp({}); });
    format->setEnabled(model_->isEditable());
    op->setEnabled(model_->isEditable());
    menu.addSeparator();
    menu.addAction(views::lookAction(table_));
    connect(menu.addAction(tr("Copy name")), &QAction::triggered, this,
            [name = siteName(first.key)] { QApplication::clipboard()->setText(name); });
    menu.addAction(views::copyAction(table_));
    menu.exec(table_->viewport()->mapToGlobal(at));
  });
}

void SitesDock::connectSelection() {
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &SitesDock::selectionFromTable);
  connect(selection_, &Selection::sitesChanged, this, [this] {
    showSelection();
    updateSummary();
  });
}

void SitesDock::selectionFromTable() {
  if (syncing_) return;
  std::vector<int> sites;
  const QModelIndexList rows = table_->selectionModel()->selectedRows();
  for (const QModelIndex& row : rows) sites.push_back(filter_->site(row));
  syncing_ = true;
  selection_->setSites(sites);
  syncing_ = false;
  updateSummary();
  // The charts show the gradient of the current row.
  const int lead = filter_->site(table_->currentIndex());
  if (const int tensor = chartTensorOf(*run_, lead >= 0 ? lead : (sites.empty() ? -1 : sites.front())); tensor >= 0) {
    selection_->setTensor(tensor);
  }
}

void SitesDock::showSelection() {
  if (syncing_) return;
  syncing_ = true;
  QItemSelection rows;
  QModelIndex first;
  for (const int site : selection_->sites()) {
    const QModelIndex index = filter_->indexOfSite(site);
    if (!index.isValid()) continue;
    rows.select(index, index.siblingAtColumn(SiteTableModel::kVerdict));
    if (!first.isValid()) first = index;
  }
  QItemSelectionModel* model = table_->selectionModel();
  if (first.isValid()) model->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
  model->select(rows, QItemSelectionModel::ClearAndSelect);
  if (first.isValid()) table_->scrollTo(first);
  syncing_ = false;
}

// Always updates figures. Order and set of rows change only while the user is not at the table, so that no row moves
// under the pointer.
void SitesDock::refresh() {
  if (!isVisible()) return;
  model_->refresh();
  if (!hold_->isHeld()) {
    syncing_ = true;
    filter_->invalidate();
    syncing_ = false;
  }
  updateSummary();
}

void SitesDock::updateSummary() {
  std::int64_t observed = -1;
  for (int row = 0; run_->shownStep() && row < model_->rowCount(); ++row)
    observed = std::max(observed, model_->figures(row).observed_step);
  const QString when = shownText(*run_, observed);
  summary_->setText(when.isEmpty() ? filter_->summary() : when + QStringLiteral(" · ") + filter_->summary());
  const int count = static_cast<int>(selection_->sites().size());
  selected_->setText(count == 0 ? QString() : tr("%1 selected").arg(views::grouped(count)));
  const bool editable = count > 0 && model_->isEditable();
  set_format_->setEnabled(editable);
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

}  // namespace binade::app
