// SPDX-License-Identifier: Apache-2.0
#include "app/docks/second_run_dock.h"

#include "app/docks/empty_state.h"
#include "views/style/looks.h"
#include "views/table/delegates.h"
#include "views/values/numbers.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QStringList>
#include <QTableView>
#include <QVBoxLayout>

namespace binade::app {

namespace {
constexpr int kPoliciesHigh = 132;
}  // namespace

SecondRunDock::SecondRunDock(RunModel* run, SecondRun* second, Selection* selection, QWidget* parent)
    : RankingDock({.id = QStringLiteral("secondRun"),
                   .title = tr("Second run"),
                   .about = tr("Op calls of both runs"),
                   .columns = RunPair::columns(),
                   .widths = {300, 120, 130, 88, 88, 110, 88, 88, 88},
                   .least = {140, 90, 100, 72, 76, 96, 76, 72, 76},
                   .formats = {1, 2}},
                  run, selection, parent),
      second_(second),
      choose_(new QPushButton(tr("Compare with run…"))),
      remove_(new QPushButton(tr("Remove"))),
      policies_(new CellModel(RunPair::policyColumns(tr("Second run")), this)),
      policy_table_(new QTableView),
      same_(new QLabel(tr("Both policies in force are alike."))) {
  remove_->setToolTip(tr("Shows only one run again"));
  addControl(remove_);
  empty()->addButton(choose_);
  policy_table_->setModel(policies_);
  views::styleTable(policy_table_);
  policy_table_->setSortingEnabled(false);
  policy_table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  policy_table_->setAccessibleName(tr("Where the policies differ"));
  views::setColumnWidths(policy_table_, {300, 220, 220}, {140, 100, 100});
  policy_table_->horizontalHeader()->setStretchLastSection(true);
  auto* foot = new QWidget;
  auto* column = new QVBoxLayout(foot);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  same_->setContentsMargins(12, 8, 12, 8);
  views::setTone(same_, views::Tone::kSecond);
  column->addWidget(same_);
  column->addWidget(policy_table_);
  foot->setMaximumHeight(kPoliciesHigh);
  addFoot(foot);
  connect(choose_, &QPushButton::clicked, this, &SecondRunDock::fileRequested);
  connect(remove_, &QPushButton::clicked, second_, &SecondRun::remove);
  connect(second_, &SecondRun::changed, this, &SecondRunDock::match);
  connect(run, &RunModel::reset, this, &SecondRunDock::match);
  const auto refresh = [this] {
    if (!pair_) return;
    pair_->refresh();
    if (isVisible()) update();
    Q_EMIT besideChanged();
  };
  connect(run, &RunModel::frame, this, refresh);
  connect(&second_->run(), &RunModel::statisticsRead, this, refresh);
  connect(this, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible) update();
  });
  match();
}

// A rewind keeps the op calls, and another run may have others.
void SecondRunDock::match() {
  const bool both = !second_->isEmpty() && !run().isEmpty();
  pair_ = both ? std::make_shared<RunPair>(run(), second_->run()) : nullptr;
  update();
  Q_EMIT besideChanged();
}

void SecondRunDock::update() {
  empty()->setEmpty(!pair_);
  choose_->setEnabled(!run().isEmpty());
  setDockTitle(pair_ ? tr("Second run: %1").arg(second_->name()) : tr("Second run"));
  if (!pair_) {
    empty()->setText(tr("No second run."),
                     tr("A second run file lies over this run in all charts. Here its op calls and its policy are "
                        "compared with those of this run."));
    policies_->setRows({});
    return setRows({});
  }
  setRows(pair_->rows());
  policies_->setRows(pair_->policyRows());
  policy_table_->setVisible(policies_->rowCount() > 0);
  same_->setVisible(policies_->rowCount() == 0);
  QStringList parts;
  const std::int64_t common = second_->commonStep();
  if (common < 0) {
    parts << tr("The runs have no step in common");
  } else if (const std::int64_t here = run().shownPoint().step; here == common) {
    parts << tr("Step %1 of both").arg(views::grouped(common));
  } else {
    parts << tr("Step %1 beside step %2 of %3, its newest")
                 .arg(views::grouped(here), views::grouped(common), second_->name());
  }
  const auto all = static_cast<int>(run().sites().size());
  parts << (pair_->common() == all
                ? tr("%1 op calls").arg(views::grouped(all))
                : tr("%1 of %2 op calls are in both").arg(views::grouped(pair_->common()), views::grouped(all)));
  const int differ = policies_->rowCount();
  parts << (differ == 0   ? tr("same policy")
            : differ == 1 ? tr("the policies differ in one place")
                          : tr("the policies differ in %1 places").arg(views::grouped(differ)));
  setSummary(parts.join(QStringLiteral(" · ")));
}

SiteTableModel::Beside SecondRunDock::beside() const {
  if (!pair_) return {};
  return {tr("Against %1").arg(second_->name()),
          tr("What differs from %1 at the shown step: formats from there to here, and figures of this run minus those "
             "of the other")
              .arg(second_->name()),
          [pair = pair_](int site) { return pair->differenceCell(site); }};
}

}  // namespace binade::app
