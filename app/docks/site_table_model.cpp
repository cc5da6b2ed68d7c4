// SPDX-License-Identifier: Apache-2.0
#include "app/docks/site_table_model.h"

#include "app/model/site_name.h"
#include "app/present/site_explanation.h"
#include "app/present/site_format.h"
#include "app/present/site_text.h"
#include "views/values/format_name.h"
#include "views/values/numbers.h"
#include "views/values/picked_number.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace binade::app {

namespace {

// Unknown values sort last.
double forSorting(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

QString ruleText(const QString& rule) {
  if (rule == QLatin1String(wire::kInside)) {
    return SiteTableModel::tr(
        "The base list does not name this op. It is composed of other ops, and each of these follows the list.");
  }
  return rule.isEmpty() ? SiteTableModel::tr("The base list does not name this op.")
                        : SiteTableModel::tr("Base list: %1.").arg(rule);
}

// Returns whether an edit asks for another decision than the current one. The rule's index and the execution do not
// count: the first may move, and only the engine knows the second.
bool isPending(const std::vector<policy::Decision>& pending, const policy::Decision& now, int site) {
  const auto at = static_cast<std::size_t>(site);
  if (at >= pending.size()) return false;
  const policy::Decision& wanted = pending[at];
  const bool asks = wanted.kind == policy::Decision::Kind::kFormat;
  return wanted.kind != now.kind || (asks && (wanted.format != now.format || wanted.backward != now.backward));
}

}  // namespace

SiteTableModel::SiteTableModel(RunModel* run, PolicyDocument* document, Selection* selection, QObject* parent)
    : QAbstractTableModel(parent), run_(run), document_(document), selection_(selection) {
  connect(run_, &RunModel::reset, this, &SiteTableModel::rebuild);
  connect(run_, &RunModel::statisticsRead, this, [this] {
    histories_.clear();
    run_stamp_ = {};
    refresh();
  });
  connect(run_, &RunModel::policyAdded, this, &SiteTableModel::refresh);
  connect(run_, &RunModel::stateChanged, this, &SiteTableModel::refresh);
  connect(document_, &PolicyDocument::titleChanged, this, &SiteTableModel::refresh);
  connect(selection_, &Selection::pathChanged, this, [this] {
    if (!figures_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1), {views::LitRole});
  });
  rebuild();
}

bool SiteTableModel::isEditable() const {
  return !run_->isEmpty() && document_->whyReadOnly().isEmpty();
}

void SiteTableModel::rebuild() {
  beginResetModel();
  figures_.clear();
  shown_.clear();
  histories_.clear();
  pending_of_.reset();
  takePending();
  run_stamp_ = stampOf(*run_);
  for (std::size_t i = 0; i < run_->sites().size(); ++i) {
    const int site = static_cast<int>(i);
    figures_.push_back(figuresNow(site));
    shown_.push_back({stampOf(*run_, site), formatCell(site)});
  }
  seconds_ = secondsOfCalls(*run_);
  endResetModel();
}

bool SiteTableModel::isUpToDate(std::size_t at, bool same_run) const {
  if (!same_run || !(stampOf(*run_, static_cast<int>(at)) == shown_[at].stamp)) return false;
  return run_->steps().empty() || run_->shownPoint().step <= figures_[at].valid_until;
}

void SiteTableModel::refresh() {
  if (figures_.empty()) return;
  const bool same_edits = !takePending();
  const FiguresStamp stamp = stampOf(*run_);
  const bool same_run = same_edits && stamp == run_stamp_;
  run_stamp_ = stamp;
  const std::vector<double> before = std::exchange(seconds_, secondsOfCalls(*run_));
  std::vector<int> changed;
  for (std::size_t i = 0; i < figures_.size(); ++i) {
    const bool same_time = before[i] == seconds_[i] || (std::isnan(before[i]) && std::isnan(seconds_[i]));
    const int site = static_cast<int>(i);
    if (isUpToDate(i, same_run)) {
      if (!same_time) changed.push_back(site);
      continue;
    }
    SiteFigures figures = figuresNow(site);
    Shown shown{stampOf(*run_, site), formatCell(site)};
    const bool same = same_time && looksTheSame(figures, figures_[i]) && shown.format == shown_[i].format &&
                      shown.stamp == shown_[i].stamp;
    figures_[i] = std::move(figures);
    shown_[i] = std::move(shown);
    if (!same) changed.push_back(site);
  }
  announce(changed);
}

// Announces rows, ascending, in as few ranges as possible.
void SiteTableModel::announce(const std::vector<int>& rows) {
  for (std::size_t first = 0, next = 0; first < rows.size(); first = next) {
    for (next = first + 1; next < rows.size() && rows[next] == rows[next - 1] + 1;) ++next;
    Q_EMIT dataChanged(index(rows[first], kFormat), index(rows[next - 1], kColumns - 1));
  }
}

bool SiteTableModel::hasFigures() const {
  return hasTimes() || std::any_of(figures_.begin(), figures_.end(),
                                   [](const SiteFigures& each) { return !std::isnan(each.doublings); });
}

bool SiteTableModel::hasTimes() const {
  return std::any_of(seconds_.begin(), seconds_.end(), [](double seconds) { return !std::isnan(seconds); });
}

void SiteTableModel::setBeside(const Beside& beside) {
  const bool same_header =
      beside.title == beside_.title && beside.tip == beside_.tip && hasBeside() == (beside.cell != nullptr);
  beside_ = beside;
  if (!same_header) Q_EMIT headerDataChanged(Qt::Horizontal, kBeside, kBeside);
  if (!figures_.empty()) Q_EMIT dataChanged(index(0, kBeside), index(rowCount() - 1, kBeside));
}

int SiteTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(figures_.size());
}

int SiteTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

// Finds edits that the engine has not applied yet, because it is paused or the run has ended. Both policies are
// resolved here, so that facts only the engine knows affect neither.
bool SiteTableModel::takePending() {
  if (run_->shownStep()) {  // the edits are of after the shown step
    pending_policies_ = 0;
    return !std::exchange(pending_, {}).empty();
  }
  if (pending_of_ == document_->policy() && run_->policies().size() == pending_policies_) return false;
  pending_of_ = document_->policy();
  pending_policies_ = run_->policies().size();
  pending_.clear();
  if (!isEditable() || run_->policies().empty()) return true;
  const wire::PolicyApplied& in_force = run_->policies().back();
  if (document_->policy() == in_force.policy) return true;
  std::vector<policy::SiteKey> keys;
  for (const wire::SiteInfo& site : run_->sites()) keys.push_back(site.key);
  const auto before = policy::resolve(in_force.policy, keys, {}).sites;
  const auto after = policy::resolve(document_->policy(), keys, {}).sites;
  pending_ = in_force.decisions;
  for (std::size_t i = 0; i < pending_.size() && i < after.size() && i < before.size(); ++i) {
    if (isPending(after, before[i], static_cast<int>(i))) pending_[i] = after[i];
  }
  return true;
}

SiteFigures SiteTableModel::figuresNow(int site) const {
  const policy::Decision* decision = run_->decision(site);
  if (decision == nullptr || !isPending(pending_, *decision, site)) return figuresOf(*run_, site);
  // The observations belong to the decision that the edit replaces.
  SiteFigures figures;
  figures.executed = hasRow(*run_, site);
  figures.overflows.earlier = overflowsAt(*run_, site).all();
  figures.sentence = run_->isActive() ? tr("Not observed since this edit") : tr("Not run since this edit");
  return figures;
}

SiteFormat SiteTableModel::waitingFormat(int row) const {
  const policy::Decision* decision = run_->decision(row);
  if (decision == nullptr || !isPending(pending_, *decision, row)) return {};
  const FormatCell cell = formatCell(row);
  return {.name = cell.name, .note = cell.note};
}

SiteTableModel::FormatCell SiteTableModel::formatCell(int site) const {
  FormatCell cell;
  const policy::Decision* decision = run_->decision(site);
  if (decision == nullptr) return cell;
  if (isPending(pending_, *decision, site)) {
    const policy::Decision& wanted = pending_[static_cast<std::size_t>(site)];
    cell.name = wanted.kind == policy::Decision::Kind::kFormat ? views::formatName(wanted.format)
                                                               : siteFormat(*run_, site).name;
    cell.note = run_->isActive() ? tr("from the next step") : tr("at the next start");
    cell.edited = true;
    return cell;
  }

  const SiteFormat format = siteFormat(*run_, site);
  cell.name = format.name;
  cell.note = format.note;
  cell.execution = static_cast<int>(format.execution);
  if (const auto changed = run_->changedAt(site)) {
    cell.note = tr("since step %1").arg(views::grouped(*changed));
    cell.brief_note = tr("at %1").arg(views::grouped(*changed));
    cell.edited = true;
  }
  return cell;
}

QVariant SiteTableModel::callData(int site, int role) const {
  const wire::SiteInfo& info = run_->sites()[static_cast<std::size_t>(site)];
  switch (role) {
    case Qt::DisplayRole:
    case views::CallRole:
    case views::SortRole:
      return callText(info.key);
    case views::CallFormsRole:
      return run_->callForms().of(site);
    case Qt::ToolTipRole:
      return QStringList{siteName(info.key), QString::fromStdString(info.source),
                         ruleText(QString::fromStdString(info.list_rule))}
          .join(u'\n')
          .replace(QStringLiteral("\n\n"), QStringLiteral("\n"));
    default:
      return {};
  }
}

QVariant SiteTableModel::formatData(int site, int role) const {
  const FormatCell cell = formatCell(site);
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
    case views::FormatRole:
    case views::SortRole:
      return cell.name;
    case views::ExecutionRole:
      return cell.execution;
    case views::NoteRole:
      return cell.note;
    case views::BriefNoteRole:
      return cell.brief_note;
    case views::EditedRole:
      return cell.edited;
    case Qt::ToolTipRole: {
      QStringList lines = formatReasons(*run_, site);
      if (const auto changed = run_->changedAt(site)) lines << tr("Changed at step %1.").arg(views::grouped(*changed));
      const QString barred = document_->whyReadOnly();
      lines << (isEditable()       ? tr("Double-click or press F2 to choose a format for the selected op calls.")
                : barred.isEmpty() ? tr("Start a run, or open one, to edit formats.")
                                   : barred);
      return lines.join(u'\n');
    }
    default:
      return {};
  }
}

QVariant SiteTableModel::timeData(int site, int role) const {
  const double seconds = seconds_[static_cast<std::size_t>(site)];
  switch (role) {
    case Qt::DisplayRole:
      return views::duration(seconds);
    case views::QuietRole:
      return std::isnan(seconds);
    case views::SortRole:
      return forSorting(-seconds);
    case Qt::ToolTipRole: {
      if (!std::isnan(seconds)) return tr("Newest measurement of one step, forward and backward.");
      if (isTimedBeforeEdit(*run_, site)) {
        return tr("Not measured since the edit at step %1.").arg(views::grouped(decidedSince(*run_, site)));
      }
      const policy::Decision* decision = run_->decision(site);
      return decision != nullptr && decision->execution == policy::Execution::kEmulated
                 ? tr("Emulated. Its time does not indicate the format's speed and is not shown.")
                 : tr("Not measured. The Profile arrangement times op calls.");
    }
    default:
      return {};
  }
}

QString SiteTableModel::tensorName(int id) const {
  const TensorTrack* track = run_->tensor(id);
  return track == nullptr ? QStringLiteral("–") : tensorWords(track->tensor);
}

QString SiteTableModel::doublingsTip(const SiteFigures& figures) const {
  const QString what =
      tr("How often the largest magnitude of the last 50 steps can double before it overflows, at the current loss "
         "scale.");
  if (figures.decisive_tensor < 0) return what;
  return what + u'\n' +
         tr("Forward %1, backward %2. Least: %3.")
             .arg(views::doublings(figures.forward), views::doublings(figures.backward),
                  tensorName(figures.decisive_tensor));
}

QVariant SiteTableModel::numberData(const SiteFigures& figures, int column) const {
  if (column == kLost && !std::isnan(figures.lost)) return QVariant::fromValue(views::PickedNumber{figures.lost});
  const TensorTrack* decisive = run_->tensor(figures.decisive_tensor);
  const bool known = decisive != nullptr && !figures.nothing_finite && !std::isnan(figures.largest);
  if (column != kDoublings || !known) return {};
  return QVariant::fromValue(views::PickedNumber{figures.largest, decisive->tensor.format});
}

QVariant SiteTableModel::figureData(int site, int column, int role) const {
  const SiteFigures& figures = figures_[static_cast<std::size_t>(site)];
  if (role == views::NumberRole) return numberData(figures, column);
  if (role == Qt::TextAlignmentRole) {
    return column == kVerdict ? QVariant() : QVariant(static_cast<int>(Qt::AlignRight | Qt::AlignVCenter));
  }
  switch (column) {
    case kDoublings:
      if (role == Qt::DisplayRole) return views::doublings(figures.doublings);
      if (role == views::HeadroomRole) return figures.doublings;
      if (role == views::CensoredRole) return figures.bound;
      if (role == views::SortRole) return forSorting(figures.doublings);
      if (role == Qt::ToolTipRole) return doublingsTip(figures);
      break;
    case kLost:
      if (role == Qt::DisplayRole) return std::isnan(figures.lost) ? QStringLiteral("–") : views::share(figures.lost);
      if (role == views::QuietRole) return !(figures.lost > 0);
      if (role == views::SortRole) return forSorting(-figures.lost);
      if (role == Qt::ToolTipRole)
        return std::isnan(figures.lost)
                   ? tr("Unknown. Its tensors were observed after rounding, or without a histogram.")
                   : tr("Share of a tensor's norm in values that become 0: %1.").arg(tensorName(figures.lost_tensor));
      break;
    case kOverflows:
      return overflowData(figures, role);
    case kTime:
      return timeData(site, role);
    case kVerdict:
      if (role == Qt::DisplayRole) return figures.sentence;
      if (role == views::VerdictRole) return static_cast<int>(figures.shape);
      if (role == views::AttentionRole) return figures.attention;
      if (role == views::QuietRole) return !figures.attention;
      if (role == views::SortRole) return -static_cast<int>(figures.shape);
      if (role == Qt::ToolTipRole) return figures.sentence;
      break;
    default:
      break;
  }
  if (role == views::AttentionRole && column == kDoublings) return figures.doublings < 1;
  return {};
}

QString SiteTableModel::overflowText(const SiteOverflows& overflows) {
  const QString now = overflows.cast == 0 ? views::grouped(overflows.own)
                      : overflows.own == 0
                          ? tr("%1 in a cast").arg(views::grouped(overflows.cast))
                          : tr("%1 + %2 in a cast").arg(views::grouped(overflows.own), views::grouped(overflows.cast));
  return overflows.earlier == 0 ? now : tr("%1 (%2 before)").arg(now, views::grouped(overflows.earlier));
}

QVariant SiteTableModel::overflowData(const SiteFigures& figures, int role) const {
  const SiteOverflows& overflows = figures.overflows;
  switch (role) {
    case Qt::DisplayRole:
      return overflowText(overflows);
    case views::QuietRole:
      return overflows.all() == 0;
    case views::SortRole:
      return -overflows.all();
    // The warm-up of the loss scale makes nearly every op call overflow a few times: only a verdict that needs
    // attention is highlighted.
    case views::AttentionRole:
      return overflows.all() > 0 && figures.attention;
    case Qt::ToolTipRole: {
      QStringList lines{tr("Steps in which a tensor of this op call overflowed its format.")};
      if (overflows.cast > 0)
        lines << tr("In a cast: %1 or its gradient overflowed %2. The op itself computes in its own format.")
                     .arg(overflows.argument, overflows.format);
      if (overflows.earlier > 0) lines << tr("Before its newest edit: %1.").arg(views::grouped(overflows.earlier));
      return lines.join(u'\n');
    }
    default:
      return {};
  }
}

QVariant SiteTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (role == Qt::AccessibleTextRole) role = Qt::DisplayRole;
  if (role == views::LitRole) {
    const auto among = [&](const std::vector<int>& sites) {
      return std::find(sites.begin(), sites.end(), index.row()) != sites.end();
    };
    return among(selection_->path().causes) ? 2 : among(selection_->path().sites) ? 1 : 0;
  }
  if (index.column() == kCall) return callData(index.row(), role);
  if (index.column() == kFormat) return formatData(index.row(), role);
  if (index.column() == kHistory) return historyData(index.row(), role);
  if (index.column() == kBeside) return hasBeside() ? beside_.cell(index.row()).value(role) : QVariant();
  return figureData(index.row(), index.column(), role);
}

QVariant SiteTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) {
    const bool number = section != kCall && section != kFormat && section != kVerdict && section != kHistory;
    return static_cast<int>((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  }
  if (role == Qt::ToolTipRole && section == kCall) {
    return tr(
        "Click a column title to sort. A second click reverses the order. A third click restores the order of the "
        "forward pass.");
  }
  if (role == Qt::ToolTipRole && section == kHistory)
    return tr("Doublings left over the whole run, from 0 at the bottom to 16 at the top. Crimson: below 1.");
  if (role == Qt::ToolTipRole && section == kBeside) return beside_.tip;
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case kCall:
      return tr("Op call");
    case kFormat:
      return tr("Format");
    case kDoublings:
      return tr("Doublings left");
    case kLost:
      return tr("Lost");
    case kOverflows:
      return tr("Overflows");
    case kTime:
      return tr("Time");
    case kVerdict:
      return tr("Verdict");
    case kHistory:
      return tr("History");
    case kBeside:
      return beside_.title;
    default:
      return {};
  }
}

Qt::ItemFlags SiteTableModel::flags(const QModelIndex& index) const {
  Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  if (index.isValid() && index.column() == kFormat && isEditable()) flags |= Qt::ItemIsEditable;
  return flags;
}

}  // namespace binade::app
