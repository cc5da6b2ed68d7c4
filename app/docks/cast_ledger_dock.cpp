// SPDX-License-Identifier: Apache-2.0
#include "app/docks/cast_ledger_dock.h"

#include "app/docks/empty_state.h"
#include "app/model/site_history.h"
#include "app/present/cast_ledger_rows.h"
#include "app/present/shown_words.h"
#include "engine/words/cast_text.h"
#include "views/flow_layout.h"
#include "views/style/looks.h"
#include "views/table/cast_delegates.h"
#include "views/theme.h"
#include "views/values/numbers.h"
#include "views/values/roles.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QWidget>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace binade::app {

namespace {

constexpr int kCast = 0;  // columns of castColumns()
constexpr int kRemovedBy = 4;

/// Least width of the first column in px: both brief names of a cast's formats fit in it, also in large text.
int leastCastWidth() {
  return std::max(162, qRound(130 * views::textScale()));
}

/// By column of castColumns(). The edit that removes a cast matters most, then bytes and copies: with the cast these
/// fit into 420 px. The first column has argument and formats too, so their own columns are the user's choice.
QList<views::ColumnPlan> castPlans() {
  return {{QStringLiteral("call"), 220, leastCastWidth(), 0, true, true},
          {QStringLiteral("argument"), 90, 74, 8, false},
          {QStringLiteral("from"), 100, 88, 7, false},
          {QStringLiteral("to"), 100, 88, 6, false},
          {QStringLiteral("removedBy"), 220, 116, 1},
          {QStringLiteral("moves"), 84, 76, 2},
          {QStringLiteral("time"), 84, 72, 4},
          {QStringLiteral("casts"), 64, 60, 3},
          {QStringLiteral("fromCache"), 64, 60, 10},
          {QStringLiteral("why"), 200, 84, 9},
          {QStringLiteral("effect"), 150, 132, 5}};
}

}  // namespace

CastLedgerDock::CastLedgerDock(RunModel* run, Selection* selection, QWidget* parent)
    : RankingDock({.id = QStringLiteral("castLedger"),
                   .title = tr("Cast ledger"),
                   .about = tr("Casts in a step"),
                   .columns = castColumns(),
                   .widths = {},
                   .formats = {2, 3},
                   .plans = castPlans(),
                   .constants = {7, 8}},
                  run, selection, parent),
      apply_(new QPushButton(tr("Remove this cast"))),
      try_(new QPushButton(tr("Try"))),
      detail_(addDetail(tr("Selected cast"))) {
  table()->setItemDelegateForColumn(kCast, new views::CastDelegate(table()));
  table()->setItemDelegateForColumn(kRemovedBy, new views::EditDelegate(table()));
  table()->verticalHeader()->setDefaultSectionSize(views::kTwoLineRow);
  // Below the cast that they are about, so that the line of totals has the whole width.
  auto* buttons = new QWidget;
  views::setSurface(buttons, views::Surface::kFoot);
  auto* flow = new views::FlowLayout(buttons, 8, 6);
  flow->setContentsMargins(12, 6, 12, 8);
  flow->addWidget(apply_);
  flow->addWidget(try_);
  addFoot(buttons);
  connect(apply_, &QPushButton::clicked, this, [this] {
    if (const FixChoice edit = chosenEdit(); !edit.isEmpty()) Q_EMIT fixRequested(edit);
  });
  connect(try_, &QPushButton::clicked, this, [this] {
    if (const FixChoice edit = chosenEdit(); !edit.isEmpty()) Q_EMIT tryRequested(edit);
  });
  connect(run, &RunModel::reset, this, &CastLedgerDock::update);
  connect(run, &RunModel::castsChanged, this, &CastLedgerDock::update);
  connect(run, &RunModel::stateChanged, this, &CastLedgerDock::update);
  connect(run, &RunModel::policyAdded, this, &CastLedgerDock::update);
  connect(run, &RunModel::shownStepChanged, this, &CastLedgerDock::update);
  update();
}

const wire::CastLine* CastLedgerDock::line(qlonglong id) const {
  const wire::CastLedger* ledger = run().shownCasts();
  if (id < 0 || ledger == nullptr) return nullptr;
  const auto& lines = ledger->lines;
  const auto found =
      std::find_if(lines.begin(), lines.end(), [id](const wire::CastLine& each) { return castId(each) == id; });
  return found == lines.end() ? nullptr : &*found;
}

std::vector<int> CastLedgerDock::sitesOf(qlonglong id) const {
  const wire::CastLine* cast = line(id);
  return cast == nullptr ? std::vector<int>() : std::vector<int>{cast->site};
}

bool CastLedgerDock::isEmulated() const {
  if (run().policies().empty()) return false;
  const auto& decisions = run().shownPolicy().decisions;
  return std::any_of(decisions.begin(), decisions.end(), [](const policy::Decision& decision) {
    return decision.kind == policy::Decision::Kind::kFormat && decision.execution == policy::Execution::kEmulated;
  });
}

bool CastLedgerDock::isOld() const {
  const wire::CastLedger* ledger = run().shownCasts();
  return ledger != nullptr && !run().policies().empty() && ledger->policy_revision < run().shownPolicy().revision;
}

FixChoice CastLedgerDock::chosenEdit() const {
  const wire::CastLine* cast = line(chosen());
  const auto rule = cast == nullptr ? std::nullopt : removingRule(*cast);
  if (!rule) return {};
  return {tr("Remove a cast: %1").arg(QString::fromStdString(words::cast_edit(*cast))), 0, {*rule}};
}

void CastLedgerDock::chosenChanged() {
  const wire::CastLine* cast = line(chosen());
  const auto rule = cast == nullptr ? std::nullopt : removingRule(*cast);
  const bool removable = rule.has_value();
  const bool in_force = removable && isInForce(run(), {*rule});
  const QString why_not = run().whyNoEdit();
  apply_->setEnabled(why_not.isEmpty() && removable && !in_force && !isOld());
  try_->setEnabled(removable && !in_force && !isOld());
  try_->setToolTip(tr("Trains without this cast beside the run, and leaves the policy as it is"));
  detail_->setVisible(cast != nullptr);
  if (cast != nullptr) detail_->setText(castDetail(run(), *cast));
  apply_->setToolTip(!why_not.isEmpty() ? why_not
                     : in_force         ? tr("The policy already contains this edit.")
                     : isOld() ? tr("Counted before the newest edit. The next count shows the casts that remain.")
                     : removable
                         ? QStringList{tr("Adds a rule to the policy, as one undo step."), removalSentence(*cast)}
                               .join(u'\n')
                               .trimmed()
                         : tr("Select a cast that an edit can remove."));
}

void CastLedgerDock::update() {
  const auto& ledgers = run().casts();
  const wire::CastLedger* shown = run().shownCasts();
  empty()->setEmpty(shown == nullptr);
  if (shown == nullptr) {
    if (run().isActive() || run().isEmpty()) {
      empty()->setText(tr("No casts counted yet."),
                       tr("Each cast appears here with the bytes it moves, its time, and the edit that removes it."));
    } else {
      empty()->setText(tr("No casts were counted in this run."), tr("The run was too short."));
    }
    setRows({});
    return chosenChanged();
  }
  const wire::CastLedger& now = *shown;
  QList<CellRow> rows = castRows(run(), now);
  if (isOld()) {
    for (CellRow& row : rows) {
      for (Cell& cell : row.cells) cell.with(views::QuietRole, true).with(views::AttentionRole, false);
    }
  }
  setRows(std::move(rows));
  const CastTotals totals = totalsOf(now);
  QStringList parts;
  QString earlier;
  if (const QString later = laterText(run(), now.first_step); !later.isEmpty()) parts << later;
  if (isOld()) parts << tr("Before the edit at step %1").arg(views::grouped(newestPolicyEdit(run()).value_or(0)));
  parts << QStringList{castsText(totals), views::sizeText(std::llround(totals.bytes)), views::duration(totals.seconds)};
  // The time of an emulated step does not indicate the formats' speed, so a share of it would not either.
  if (now.step_seconds > 0 && !isEmulated())
    parts.back() += tr(", %1 of the step").arg(views::share(totals.seconds / now.step_seconds));
  if (shown != &ledgers.front() && !isOld()) {
    const CastTotals before = totalsOf(*std::prev(shown));
    earlier = tr("Before the edit: %1, %2, %3")
                  .arg(castsText(before), views::sizeText(std::llround(before.bytes)), views::duration(before.seconds));
  }
  setSummary(parts.join(QStringLiteral(" · ")), earlier);
  chosenChanged();
}

}  // namespace binade::app
