// SPDX-License-Identifier: Apache-2.0
#include "app/docks/comparison_dock.h"

#include "app/docks/empty_state.h"
#include "app/model/site_history.h"
#include "app/present/comparison_rows.h"
#include "app/present/shown_words.h"
#include "engine/wire/comparison_rank.h"
#include "views/look_at_number.h"
#include "views/values/numbers.h"
#include "views/values/roles.h"

#include <QLabel>
#include <QPushButton>

#include <algorithm>
#include <iterator>
#include <utility>

namespace binade::app {

ComparisonDock::ComparisonDock(RunModel* run, Selection* selection, QWidget* parent)
    : RankingDock({.id = QStringLiteral("comparison"),
                   .title = tr("Float32 comparison"),
                   .about = tr("Op calls by added error"),
                   .columns = comparisonColumns(),
                   .widths = {300, 140, 110, 116, 96, 104, 110, 80, 100},
                   .least = {130, 96, 100, 100, 80, 90, 100, 70, 80},
                   .formats = {1}},
                  run, selection, parent),
      again_(new QPushButton(tr("Compare again"))),
      compare_(new QPushButton(tr("Compare one step with float32"))) {
  views::addLookEntry(table(), this);
  addControl(again_);
  empty()->addButton(compare_);
  for (QPushButton* button : {again_, compare_})
    connect(button, &QPushButton::clicked, this, &ComparisonDock::comparisonRequested);
  connect(run, &RunModel::reset, this, &ComparisonDock::update);
  connect(run, &RunModel::stateChanged, this, &ComparisonDock::update);
  connect(run, &RunModel::comparisonChanged, this, &ComparisonDock::update);
  connect(run, &RunModel::policyAdded, this, &ComparisonDock::update);
  connect(run, &RunModel::shownStepChanged, this, &ComparisonDock::update);
  update();
}

void ComparisonDock::setWaiting(bool waiting) {
  for (QPushButton* button : {again_, compare_})
    button->setEnabled(!waiting && run().hasWeights() && !run().steps().empty());
  compare_->setText(waiting ? tr("Comparing…") : tr("Compare one step with float32"));
  again_->setText(waiting ? tr("Comparing…") : tr("Compare again"));
}

void ComparisonDock::update() {
  setWaiting(false);
  const auto& compared = run().comparison();
  empty()->setEmpty(!compared);
  const bool ended = !run().isEmpty() && !run().hasWeights();
  for (QPushButton* button : {again_, compare_}) button->setVisible(!ended);
  if (!compared) {
    empty()->setText(
        ended ? tr("No step of this run was compared.") : tr("Not compared yet."),
        ended ? tr("A comparison needs the step's weights and batch. Start the run again to compare one of its steps.")
              : tr("Runs one step under the policy and again in float32, from the same state and batch. Op calls are "
                   "ranked by the error that they add. The training itself does not change."));
    return setRows({});
  }
  QList<CellRow> rows = comparisonRows(run(), *compared);
  const auto edit = newestPolicyEdit(run());
  const bool old = edit && compared->step < *edit;
  if (old) {
    for (CellRow& row : rows) {
      for (Cell& cell : row.cells) cell.with(views::QuietRole, true).with(views::AttentionRole, false);
    }
  }
  setRows(std::move(rows));
  const auto& sites = compared->sites;
  const auto added =
      std::count_if(sites.begin(), sites.end(), [](const wire::SiteDifference& each) { return addedBy(each) > 0; });
  QString when = old ? tr("Before the edit at step %1 · ").arg(views::grouped(*edit)) : QString();
  if (const QString later = laterText(run(), compared->step); !later.isEmpty()) when = later + QStringLiteral(" · ");
  QString reference;
  if (wire::not_float32(*compared)) {
    reference = tr(" · the float32 run also uses other formats");
  } else if (!compared->reference.empty()) {
    reference =
        tr(" · the model's own casts, removed for float32: %1").arg(views::grouped(std::ssize(compared->reference)));
  }
  summary()->setToolTip(referenceText(run(), *compared));
  setSummary(when +
             tr("Step %1 · loss %2 under the policy, %3 in float32 · loss scale %4 · %5 op calls added error")
                 .arg(views::grouped(compared->step), views::figure(compared->loss, 5),
                      views::figure(compared->float32_loss, 5), views::scaleText(compared->scale),
                      views::grouped(added)) +
             reference);
}

}  // namespace binade::app
