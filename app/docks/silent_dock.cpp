// SPDX-License-Identifier: Apache-2.0
#include "app/docks/silent_dock.h"

#include "app/docks/empty_state.h"
#include "app/model/site_history.h"
#include "app/present/diagnose_answers.h"
#include "app/present/shown_words.h"
#include "app/present/silent_rows.h"
#include "views/look_at_number.h"
#include "views/style/looks.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace binade::app {

SilentDock::SilentDock(RunModel* run, Selection* selection, QWidget* parent)
    : RankingDock({.id = QStringLiteral("silentFaults"),
                   .title = tr("Silent faults"),
                   .about = tr("Silent faults, worst first"),
                   .columns = silentColumns(),
                   .widths = {420, 210, 220, 90, 300},
                   .least = {200, 196, 110, 82, 120},
                   .call = silent_column::kWhere,
                   .verdicts = {silent_column::kWhat}},
                  run, selection, parent),
      foot_(nullptr),
      sentence_(views::makeTextLabel()),
      detail_(views::makeTextLabel(views::Tone::kSecond)),
      next_(views::makeTextLabel()),
      why_(views::makeTextLabel(views::Tone::kSecond)),
      apply_(new QPushButton(tr("Apply fix"))),
      try_(new QPushButton(tr("Try"))),
      compare_(new QPushButton(tr("Compare one step with float32"))) {
  foot_ = makeFoot();
  addFoot(foot_);
  views::addLookEntry(table(), this);
  empty()->addButton(compare_);
  connect(compare_, &QPushButton::clicked, this, &SilentDock::comparisonRequested);
  connect(apply_, &QPushButton::clicked, this, [this] {
    if (const wire::SilentFault* shown = shownFault()) Q_EMIT fixRequested(silentFix(this->run(), *shown));
  });
  connect(try_, &QPushButton::clicked, this, [this] {
    if (const wire::SilentFault* shown = shownFault()) Q_EMIT tryRequested(silentFix(this->run(), *shown));
  });
  connect(run, &RunModel::reset, this, &SilentDock::update);
  connect(run, &RunModel::silentChanged, this, &SilentDock::update);
  connect(run, &RunModel::stateChanged, this, &SilentDock::update);
  connect(run, &RunModel::observeChanged, this, &SilentDock::update);
  connect(run, &RunModel::policyAdded, this, &SilentDock::update);
  connect(run, &RunModel::shownStepChanged, this, &SilentDock::update);
  connect(run, &RunModel::stepsAdded, this, [this] {
    if (isVisible() && !this->run().silent()) showNoFault();
  });
  update();
}

QWidget* SilentDock::makeFoot() {
  auto* foot = new QWidget;
  views::setSurface(foot, views::Surface::kFoot);
  auto* column = new QVBoxLayout(foot);
  column->setContentsMargins(20, 12, 20, 14);
  column->setSpacing(6);
  sentence_->setFont(views::textFont(14, QFont::DemiBold));
  views::setPrimary(apply_);
  apply_->setMinimumWidth(112);
  auto* row = new QHBoxLayout;
  row->setSpacing(12);
  row->addWidget(apply_, 0, Qt::AlignTop);
  row->addWidget(try_, 0, Qt::AlignTop);
  row->addWidget(next_, 1);
  column->addWidget(sentence_);
  column->addWidget(detail_);
  column->addSpacing(2);
  column->addLayout(row);
  column->addWidget(why_);
  return foot;
}

const wire::SilentFault* SilentDock::fault(qlonglong id) const {
  if (id < 0 || !run().silent()) return nullptr;
  const auto& faults = run().silent()->faults;
  const auto found =
      std::find_if(faults.begin(), faults.end(), [id](const wire::SilentFault& each) { return silentId(each) == id; });
  return found == faults.end() ? nullptr : &*found;
}

std::vector<int> SilentDock::sitesOf(qlonglong id) const {
  const wire::SilentFault* found = fault(id);
  return found == nullptr ? std::vector<int>() : silentSites(run(), *found);
}

void SilentDock::showFault(int index) {
  if (!run().silent() || index < 0 || static_cast<std::size_t>(index) >= run().silent()->faults.size()) return;
  choose(silentId(run().silent()->faults[static_cast<std::size_t>(index)]));
}

void SilentDock::publish(qlonglong id) {
  const wire::SilentFault* found = fault(id);
  if (found == nullptr) return;
  const std::vector<int> sites = silentSites(run(), *found);
  selection().setPath({sites, sites, found->direction == wire::Direction::kBackward});
  selection().setSites(sites);
  if (found->kind == wire::SilentFault::Kind::kLossSpike) selection().setStep(found->last_step);
}

const wire::SilentFault* SilentDock::shownFault() const {
  if (const wire::SilentFault* found = fault(chosen())) return found;
  return run().silent() && !run().silent()->faults.empty() ? &run().silent()->faults.front() : nullptr;
}

void SilentDock::chosenChanged() {
  const wire::SilentFault* found = shownFault();
  // Another run may be shown already while the rows are those of the one before.
  const int place = found == nullptr ? -1 : model()->rowOf(silentId(*found));
  foot_->setVisible(place >= 0);
  if (place < 0) return;
  const CellRow& row = model()->row(place);
  const auto text = [&](int column) { return row.cells[column].value(Qt::DisplayRole).toString(); };
  sentence_->setText(text(silent_column::kWhat));
  QString detail = tr("%1 · %2 · found in %3 observed steps, last at step %4")
                       .arg(text(silent_column::kFigure), text(silent_column::kWhere), text(silent_column::kSteps),
                            views::grouped(found->last_step));
  if (found->worst_step) {
    detail +=
        tr(" · the value is a mean; the text describes step %1, the worst").arg(views::grouped(*found->worst_step));
  }
  detail_->setText(detail);
  next_->setText(text(silent_column::kNext));
  why_->setText(whySilent(*found));
  const FixChoice fix = silentFix(run(), *found);
  apply_->setVisible(!fix.isEmpty());
  const bool in_force = fix.scale <= 0 && isInForce(run(), fix.rules);
  const QString why_not =
      run().isActive() ? run().whyNoEdit() : tr("The run has ended. A fix can be applied to an active run only.");
  apply_->setEnabled(why_not.isEmpty() && !in_force);
  try_->setVisible(!fix.rules.empty());
  try_->setEnabled(!in_force);
  try_->setToolTip(tr("Trains with this fix beside the run, without applying it"));
  apply_->setToolTip(in_force            ? tr("The policy already contains this fix.")
                     : why_not.isEmpty() ? tr("%1: one undo step").arg(fix.text)
                                         : why_not);
}

// The engine reports a fault as soon as it shows, and the absence of faults only at the end of the run.
void SilentDock::showNoFault() {
  const std::string& level = run().config().observe.level;
  const std::int64_t observed = run().observedUnderPolicy();
  const QString what =
      tr("Values lost to underflow, updates lost to rounding and op calls with zero gradients appear here, each with a "
         "next step.");
  if (level == "off" || level == "finite") {
    empty()->setText(tr("Not checked."),
                     tr("Lost values are detected at observe level Range or higher.") + u' ' + what);
  } else if (observed == 0) {
    empty()->setText(tr("Not checked yet."), what);
  } else {
    const bool few = observed < wire::SilentReport::kFewestObservedSteps;
    empty()->setText(few ? tr("Not known yet: %1 of the required %2 observed steps.")
                               .arg(views::grouped(observed), views::grouped(wire::SilentReport::kFewestObservedSteps))
                         : tr("No silent fault so far in %1 observed steps.").arg(views::grouped(observed)),
                     what);
  }
}

void SilentDock::update() {
  const auto& report = run().silent();
  const auto count = report ? static_cast<std::int64_t>(report->faults.size()) : 0;
  // The faults of a report later than the shown step are listed, but were not known at that step: the title has no
  // count.
  const bool known = count > 0 && run().shownSilent();
  setDockTitle(known ? tr("Silent faults  %1").arg(views::grouped(count)) : tr("Silent faults"));
  empty()->setEmpty(count == 0);
  compare_->setVisible(report && run().hasWeights());
  if (count == 0) {
    setRows({});
    if (!report || report->observed_steps == 0) {
      showNoFault();
    } else {
      QStringList sentences;
      sentences << silentGaps(run(), *report);
      const bool few = wire::verdict_of(*report) == wire::SilentVerdict::kNotKnownYet;
      if (few) sentences.prepend(moreObservationText(*report, run().config().observe.every));
      sentences << tr(
          "Cancellation errors (subtraction of nearly equal numbers) are not checked. Compare one step with float32 to "
          "find them.");
      const QString of = views::grouped(report->steps());
      empty()->setText((few ? tr("Not known yet: %1 of %2 steps were observed.")
                            : tr("No silent fault. %1 of %2 steps were observed."))
                           .arg(views::grouped(report->observed_steps), of),
                       sentences.join(u' '));
    }
    return chosenChanged();
  }
  setRows(silentRows(run(), *report));
  QStringList parts{
      tr("%1, worst first").arg(count == 1 ? tr("1 fault") : tr("%1 faults").arg(views::grouped(count))),
      tr("%1 of %2 steps observed")
          .arg(views::grouped(report->observed_steps), views::grouped(report->last_step - report->first_step + 1))};
  parts << silentGaps(run(), *report);
  if (const QString later = laterText(run(), report->last_step); !later.isEmpty()) parts.prepend(later);
  setSummary(parts.join(QStringLiteral(" · ")));
  chosenChanged();
}

}  // namespace binade::app
