// SPDX-License-Identifier: Apache-2.0
#include "app/profile_dock.h"

#include "app/cell_model.h"
#include "app/empty_state.h"
#include "app/profile_rows.h"
#include "views/table/delegates.h"
#include "views/table/measure_delegates.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace binade::app {

ProfileDock::ProfileDock(RunModel* run, Selection* selection, QWidget* parent)
    : Dock(QStringLiteral("profile"), tr("Time per op call"), parent),
      run_(run),
      selection_(selection),
      model_(new CellModel(profileColumns(), this)),
      sorted_(new QSortFilterProxyModel(this)),
      table_(new QTableView),
      summary_(new QLabel),
      measure_(new QCheckBox(tr("Measure"))),
      start_(new QPushButton(tr("Measure op calls"))) {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* header = new QWidget;
  auto* row = new QHBoxLayout(header);
  row->setContentsMargins(12, 6, 12, 6);
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  measure_->setToolTip(tr("Time every op call, and count tensor-core use where the device can"));
  row->addWidget(summary_, 1);
  row->addWidget(measure_);
  column->addWidget(header);
  column->addWidget(table_, 1);
  sorted_->setSourceModel(model_);
  sorted_->setSortRole(views::SortRole);
  table_->setModel(sorted_);
  views::styleTable(table_);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  using namespace profile_column;
  table_->setItemDelegateForColumn(kCall, new views::CallDelegate(table_));
  table_->setItemDelegateForColumn(kFormat, new views::FormatDelegate(table_));
  for (const int bar : {kTime, kTensor}) table_->setItemDelegateForColumn(bar, new views::BarDelegate(table_));
  table_->setItemDelegateForColumn(kSource, new views::BadgeDelegate(table_));
  table_->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
  table_->setAccessibleName(tr("Op calls by time"));
  constexpr int widths[] = {280, 110, 300, 92, 84, 84, 260, 110, 300};
  for (int i = 0; i < kColumns; ++i) table_->setColumnWidth(i, widths[i]);
  empty_ = new EmptyState(page, QString(), QString());
  empty_->addButton(start_);
  setWidget(empty_);
  connect(measure_, &QCheckBox::toggled, this, &ProfileDock::profilingRequested);
  connect(start_, &QPushButton::clicked, this, [this] { Q_EMIT profilingRequested(true); });
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
    if (!current.isValid()) return;
    selection_->setSites({static_cast<int>(model_->row(sorted_->mapToSource(current).row()).id)});
  });
  connect(run_, &RunModel::reset, this, &ProfileDock::update);
  connect(run_, &RunModel::profileChanged, this, &ProfileDock::update);
  connect(run_, &RunModel::stateChanged, this, &ProfileDock::updateState);
  update();
}

void ProfileDock::update() {
  const wire::Profile& profile = run_->profile().latest();
  model_->setRows(profileRows(*run_, profile));
  summary_->setText(profileSummary(profile));
  const bool counted = std::any_of(profile.sites.begin(), profile.sites.end(),
                                   [](const wire::SiteProfile& site) { return !std::isnan(site.tensor); });
  table_->setColumnHidden(profile_column::kTensor, !counted);
  updateState();
}

void ProfileDock::updateState() {
  const bool on = run_->config().profile.level != "off";
  const QSignalBlocker quiet(measure_);
  measure_->setChecked(on);
  measure_->setEnabled(run_->isActive());
  empty_->setEmpty(!hasSites(run_->profile().latest()));
  start_->setVisible(run_->isActive() && !on);
  if (on && run_->isActive()) {
    empty_->setText(tr("Measuring."), tr("The first figures appear after the next steps."));
  } else {
    empty_->setText(tr("No per-call figures."),
                    run_->isActive() ? tr("Op calls are not timed now. Timing them costs a little on every step.")
                                     : tr("This run was not profiled. A run recorded with figures shows them here."));
  }
}

}  // namespace binade::app
