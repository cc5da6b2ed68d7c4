// SPDX-License-Identifier: Apache-2.0
#include "app/cast_ledger_dock.h"

#include "app/cast_ledger_rows.h"
#include "app/empty_state.h"
#include "app/scale_text.h"
#include "views/numbers.h"
#include "views/table/delegates.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

#include <cmath>

namespace binade::app {

CastLedgerDock::CastLedgerDock(RunModel* run, Selection* selection, QWidget* parent)
    : Dock(QStringLiteral("castLedger"), tr("Cast ledger"), parent),
      run_(run),
      selection_(selection),
      model_(new CellModel(castColumns(), this)),
      sorted_(new QSortFilterProxyModel(this)),
      table_(new QTableView),
      summary_(new QLabel),
      apply_(new QPushButton(tr("Remove this cast"))) {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* header = new QWidget;
  auto* row = new QHBoxLayout(header);
  row->setContentsMargins(12, 6, 12, 6);
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  row->addWidget(summary_, 1);
  row->addWidget(apply_);
  column->addWidget(header);
  column->addWidget(table_, 1);
  sorted_->setSourceModel(model_);
  sorted_->setSortRole(views::SortRole);
  table_->setModel(sorted_);
  views::styleTable(table_);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setItemDelegateForColumn(0, new views::CallDelegate(table_));
  for (const int format : {2, 3}) table_->setItemDelegateForColumn(format, new views::FormatDelegate(table_));
  table_->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
  table_->setAccessibleName(tr("Casts of a step"));
  constexpr int widths[] = {240, 90, 100, 100, 64, 64, 84, 84, 200, 200};
  for (int i = 0; i < 10; ++i) table_->setColumnWidth(i, widths[i]);
  empty_ =
      new EmptyState(page, tr("No casts counted yet."),
                     tr("What each cast moves and how long it takes appears here, with the edit that removes it."));
  setWidget(empty_);
  connect(apply_, &QPushButton::clicked, this, [this] {
    const int line = chosen();
    if (line < 0) return;
    const wire::CastLine& cast = run_->casts().back().lines[static_cast<std::size_t>(line)];
    if (const auto rule = removingRule(cast))
      Q_EMIT fixRequested({tr("Remove a cast: %1").arg(QString::fromStdString(cast.edit)), 0, {*rule}});
  });
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    updateApply();
    const int line = chosen();
    if (line >= 0) selection_->setSites({run_->casts().back().lines[static_cast<std::size_t>(line)].site});
  });
  connect(run_, &RunModel::reset, this, &CastLedgerDock::update);
  connect(run_, &RunModel::castsChanged, this, &CastLedgerDock::update);
  connect(run_, &RunModel::stateChanged, this, &CastLedgerDock::updateApply);
  update();
}

int CastLedgerDock::chosen() const {
  const QModelIndexList selected = table_->selectionModel()->selectedRows();
  if (selected.isEmpty() || run_->casts().empty()) return -1;
  const auto line = model_->row(sorted_->mapToSource(selected.front()).row()).id;
  return static_cast<std::size_t>(line) < run_->casts().back().lines.size() ? static_cast<int>(line) : -1;
}

void CastLedgerDock::updateApply() {
  const int line = chosen();
  const bool removable =
      line >= 0 && removingRule(run_->casts().back().lines[static_cast<std::size_t>(line)]).has_value();
  apply_->setEnabled(run_->isActive() && removable);
  apply_->setToolTip(!run_->isActive() ? tr("The run has ended.")
                     : removable       ? tr("Adds a rule to the policy, as one undo step")
                                       : tr("Choose a cast that an edit removes."));
}

void CastLedgerDock::update() {
  const auto& ledgers = run_->casts();
  empty_->setEmpty(ledgers.empty());
  if (ledgers.empty()) {
    model_->setRows({});
    return updateApply();
  }
  const wire::CastLedger& now = ledgers.back();
  model_->setRows(castRows(*run_, now));
  const CastTotals totals = totalsOf(now);
  QStringList parts{castsText(totals), sizeText(std::llround(totals.bytes)), views::duration(totals.seconds)};
  if (now.step_seconds > 0) parts.back() += tr(", %1 of the step").arg(views::share(totals.seconds / now.step_seconds));
  if (ledgers.size() > 1) {
    const wire::CastLedger& before = ledgers[ledgers.size() - 2];
    parts << tr("before the newest edit: %1, %2")
                 .arg(castsText(totalsOf(before)), views::duration(totalsOf(before).seconds));
  }
  summary_->setText(parts.join(QStringLiteral(" · ")));
  updateApply();
}

}  // namespace binade::app
