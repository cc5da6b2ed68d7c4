// SPDX-License-Identifier: Apache-2.0
#include "app/present/history_rows.h"

#include "app/model/translate.h"
#include "app/present/policy_change.h"
#include "app/present/scaler_text.h"
#include "app/present/trial_rows.h"
#include "engine/words/trial_text.h"
#include "views/values/numbers.h"
#include "views/values/roles.h"

#include <QFileInfo>
#include <QStringList>

#include <algorithm>
#include <utility>
#include <vector>

namespace binade::app {

namespace {

constexpr qlonglong kWaitingId = -1;  // of the edit after the end, of which there is at most one

QString atStep(std::int64_t step) {
  return tr("step %1").arg(views::grouped(step));
}

/// Makes the entries in the order of the deeds. Follows which policies lead to the one in force: a policy that is one
/// of them again undoes those after it.
class HistoryMaker {
 public:
  HistoryMaker(const RunModel& run, const policy::Policy* edited) : run_(run), edited_(edited) {}

  QList<HistoryEntry> make() {
    const auto& deeds = run_.past().deeds();
    for (std::size_t i = 0; i < deeds.size(); ++i) {
      id_ = 2 * static_cast<qlonglong>(i);  // a rewind may be followed by the edit that came with it
      std::visit([this](const auto& deed) { add(deed); }, deeds[i]);
    }
    const bool waits = edited_ != nullptr && !run_.isActive() && !run_.shownStep() && !line_.empty();
    if (waits && !(policyOf(line_.back()) == *edited_)) addWaiting();
    if (HistoryEntry* now = inForce()) now->in_force = true;
    addVerdicts();
    std::reverse(entries_.begin(), entries_.end());
    return entries_;
  }

 private:
  // At an earlier step, it may be an entry that was undone since.
  HistoryEntry* inForce() {
    const auto shown = run_.shownStep();
    if (!shown) return line_.empty() ? nullptr : &entries_[line_.back()];
    const auto then = std::find_if(entries_.rbegin(), entries_.rend(), [&](const HistoryEntry& each) {
      const bool edit = each.kind == HistoryEntry::Kind::kStart || each.kind == HistoryEntry::Kind::kEdit;
      return edit && each.step <= *shown && each.policy == run_.shownPolicy().policy;
    });
    return then == entries_.rend() ? nullptr : &*then;
  }

  HistoryEntry& entry(HistoryEntry::Kind kind, const QString& title, std::int64_t step) {
    HistoryEntry& made = entries_.emplace_back();
    made.kind = kind;
    made.id = id_++;
    made.title = title;
    made.step = step;
    made.since = step;
    made.facts = atStep(step);
    made.elsewhere = run_.filesElsewhere();
    return made;
  }

  const policy::Policy& policyOf(qsizetype at) const { return *entries_[at].policy; }

  void add(const PolicyEdit& edit) {
    if (line_.empty()) return addStart(edit);
    const auto known =
        std::find_if(line_.begin(), line_.end(), [&](qsizetype at) { return policyOf(at) == edit.policy; });
    if (known != line_.end()) return comeBack(known, edit);
    if (!undone_.empty() && policyOf(undone_.back()) == edit.policy) return redo(edit);
    undone_.clear();
    const policy::Policy& before = policyOf(line_.back());
    const PolicyChange change = policyChange(before, edit.policy, run_.sites());
    HistoryEntry& made = entry(HistoryEntry::Kind::kEdit, change.title, edit.step);
    made.format = change.format;
    made.waits = waiting_;
    if (made.waits) made.facts = tr("waits for the next run");
    made.warns = !change.matches;
    if (made.warns) made.facts = tr("%1, reported").arg(made.facts);
    if (change.removes) made.facts = tr("%1, back to the list").arg(made.facts);
    made.revision = edit.revision;
    made.checkpoint = QString::fromStdString(edit.checkpoint);
    made.against = policyOf(line_.back());
    made.policy = edit.policy;
    line_.push_back(entries_.size() - 1);
  }

  /// Edits after the end take effect together, so they are one entry.
  void addWaiting() {
    PolicyEdit edit;
    edit.revision = -1;
    edit.step = run_.steps().empty() ? run_.policies().back().step : run_.steps().back().step + 1;
    edit.policy = *edited_;
    if (!run_.checkpoints().empty() && run_.checkpoints().back().step == edit.step)
      edit.checkpoint = run_.checkpoints().back().file;
    waiting_ = true;
    id_ = kWaitingId;
    add(edit);
  }

  void addStart(const PolicyEdit& edit) {
    const PolicyChange start = policyStart(edit.policy);
    HistoryEntry& made = entry(HistoryEntry::Kind::kStart, start.title, edit.step);
    made.format = start.format;
    made.facts = edit.step == 0 ? tr("start") : tr("start at step %1").arg(views::grouped(edit.step));
    made.revision = edit.revision;
    made.checkpoint = QString::fromStdString(edit.checkpoint);
    made.policy = edit.policy;
    line_.push_back(entries_.size() - 1);
  }

  void comeBack(std::vector<qsizetype>::iterator known, const PolicyEdit& edit) {
    const QString how = waiting_               ? tr("undone after the end")
                        : undone_by_.isEmpty() ? tr("undone at step %1").arg(views::grouped(edit.step))
                                               : undone_by_;
    for (auto each = line_.end(); each != std::next(known); --each) {
      HistoryEntry& entry = entries_[*std::prev(each)];
      entry.undone = true;
      entry.facts = tr("%1, %2").arg(atStep(entry.step), how);
      undone_.push_back(*std::prev(each));
    }
    line_.erase(std::next(known), line_.end());
    renew(entries_[line_.back()], edit);
  }

  void redo(const PolicyEdit& edit) {
    HistoryEntry& entry = entries_[undone_.back()];
    entry.undone = false;
    entry.facts = waiting_ ? tr("%1, again in the next run").arg(atStep(entry.step))
                           : tr("%1, again since step %2").arg(atStep(entry.step), views::grouped(edit.step));
    renew(entry, edit);
    line_.push_back(undone_.back());
    undone_.pop_back();
  }

  /// Its policy is in force again, under the revision of `edit`.
  static void renew(HistoryEntry& entry, const PolicyEdit& edit) {
    if (edit.revision < 0 || edit.revision == entry.revision) return;
    entry.revision = edit.revision;
    entry.since = edit.step;
  }

  void add(const ScalerEdit& edit) {
    const QString text = edit.before ? scalerChangeText(*edit.before, edit.after) : QString();
    const QString name = edit.after.id.empty() ? tr("loss scale") : QString::fromStdString(edit.after.id);
    entry(HistoryEntry::Kind::kScaler, tr("%1: %2").arg(name, text.isEmpty() ? views::scaleText(edit.scale) : text),
          edit.step);
  }

  void add(const RewindMade& rewind) {
    HistoryEntry& made =
        entry(HistoryEntry::Kind::kRewind, tr("rewound to step %1").arg(views::grouped(rewind.step)), rewind.step);
    if (rewind.from > rewind.step) {
      made.facts = tr("from step %1").arg(views::grouped(rewind.from));
    }
    made.checkpoint = QString::fromStdString(rewind.file);
    if (!rewind.policy) return;
    made.revision = rewind.policy->revision;
    made.policy = rewind.policy->policy;
    undone_by_ = tr("undone by the rewind to step %1").arg(views::grouped(rewind.step));
    add(*rewind.policy);  // it may undo edits, or be one
    undone_by_.clear();
  }

  void add(const TryMade& made) {
    if (made.trial >= run_.trials().size()) return;
    const wire::Trial& trial = run_.trials()[made.trial];
    const PolicyChange change = policyChange(trial.before, trial.after, run_.sites());
    const QString title = trial.name.empty() ? change.title : QString::fromStdString(trial.name);
    HistoryEntry& tried = entry(HistoryEntry::Kind::kTry, tr("Try: %1").arg(title), trial.first_step);
    tried.format = change.format;
    tried.warns = !change.matches;
    tried.facts = trial.complete
                      ? tr("%1 steps from step %2").arg(views::grouped(trial.steps), views::grouped(trial.first_step))
                      : tr("from step %1, ended early").arg(views::grouped(trial.first_step));
    if (trial.seeds.size() > 1) tried.facts += tr(", %1 repetitions").arg(views::grouped(trial.seeds.size()));
    tried.policy = trial.after;
    tried.against = trial.before;
    tried.checkpoint = QString::fromStdString(trial.checkpoint);
    tried.trial = static_cast<int>(made.trial);
    tried.verdict = trial.verdict;
    tried.worse_from = trial.worse_from;
  }

  void addVerdicts() {
    for (HistoryEntry& edit : entries_) {
      if (edit.kind != HistoryEntry::Kind::kEdit) continue;
      const auto& trials = run_.trials();
      const auto newest = std::find_if(trials.rbegin(), trials.rend(), [&](const wire::Trial& trial) {
        return trial.after == *edit.policy && trial.before == *edit.against;
      });
      if (newest == trials.rend()) continue;
      edit.verdict = newest->verdict;
      edit.worse_from = newest->worse_from;
    }
  }

  const RunModel& run_;
  const policy::Policy* edited_;
  QList<HistoryEntry> entries_;    ///< oldest first
  std::vector<qsizetype> line_;    ///< entries whose policies led to the one in force, oldest first
  std::vector<qsizetype> undone_;  ///< entries that a redo would bring back, the next one last
  QString undone_by_;              ///< the rewind that brings back a policy; empty: an undo does
  bool waiting_ = false;           ///< the run has ended before what is added
  qlonglong id_ = 0;
};

views::VerdictShape timelineShape(const HistoryEntry& entry) {
  if (entry.warns) return views::VerdictShape::kTight;
  return entry.verdict ? trialShape(*entry.verdict) : views::VerdictShape::kNone;
}

}  // namespace

QList<HistoryEntry> historyOf(const RunModel& run, const policy::Policy* edited) {
  return HistoryMaker(run, edited).make();
}

QList<CellRow> historyRows(const QList<HistoryEntry>& entries) {
  QList<CellRow> rows;
  for (const HistoryEntry& entry : entries) {
    const QString verdict =
        entry.verdict ? QString::fromStdString(words::verdict_text(*entry.verdict, entry.worse_from)) : QString();
    // The verdict first: a narrow list cuts the end.
    const QString full = verdict.isEmpty() ? entry.facts : tr("%1 · %2").arg(verdict, entry.facts);
    // The entry of the Try has the words; at the edit that it proved its mark is enough.
    const QString foot = entry.kind == HistoryEntry::Kind::kTry ? full : entry.facts;
    const QString revision =
        entry.revision < 0 || entry.kind == HistoryEntry::Kind::kRewind ? QString() : QString::number(entry.revision);
    QStringList whole{entry.title};
    if (entry.undone) whole << tr("undone");
    if (entry.in_force && !entry.waits) whole << tr("in force");
    if (!entry.format.isEmpty()) whole << entry.format;
    if (!revision.isEmpty()) whole << tr("revision %1").arg(revision);
    whole << full;
    Cell cell(whole.join(QStringLiteral(", ")));
    cell.with(views::HeadRole, entry.title)
        .with(views::HeadNoteRole, revision)
        .with(views::FootRole, foot)
        .with(views::FormatRole, entry.format)
        .with(views::VerdictRole, static_cast<int>(timelineShape(entry)))
        .with(views::StruckRole, entry.undone)
        .with(views::NowRole, entry.in_force)
        .with(Qt::ToolTipRole, whole.join(u'\n'));
    rows.append({entry.id, {cell}});
  }
  return rows;
}

bool hasCheckpoint(const HistoryEntry& entry) {
  return !entry.checkpoint.isEmpty() && (entry.elsewhere || QFileInfo::exists(entry.checkpoint));
}

}  // namespace binade::app
