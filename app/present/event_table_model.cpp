// SPDX-License-Identifier: Apache-2.0
#include "app/present/event_table_model.h"

#include "app/model/site_name.h"
#include "app/present/event_figures.h"
#include "app/present/event_story.h"
#include "app/present/event_words.h"
#include "app/present/site_text.h"
#include "app/present/start_up.h"
#include "views/values/numbers.h"
#include "views/values/picked_number.h"
#include "views/values/roles.h"

#include <QStringList>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace binade::app {

namespace {

views::VerdictShape shapeOf(wire::Event::Kind kind) {
  using Kind = wire::Event::Kind;
  using views::VerdictShape;
  switch (kind) {
    case Kind::kGradientOverflow:
    case Kind::kForwardOverflow:
      return VerdictShape::kOverflow;
    case Kind::kNonFiniteLoss:
    case Kind::kDiverged:
      return VerdictShape::kCarriedOn;
    case Kind::kScaleWarning:
    case Kind::kFixFailed:
    case Kind::kOutOfMemory:
      return VerdictShape::kTight;
    case Kind::kFixHeld:
      return VerdictShape::kFits;
    case Kind::kSilent:
      return VerdictShape::kLost;
  }
  return VerdictShape::kNone;
}

bool isNumber(int column) {
  using Model = EventTableModel;
  return column == Model::kStep || column == Model::kLargest || column == Model::kDoublings || column == Model::kSafe ||
         column == Model::kScale;
}

QString orDash(const QString& text) {
  return text.isEmpty() ? QStringLiteral("–") : text;
}

}  // namespace

EventTableModel::EventTableModel(RunModel* run, QObject* parent) : QAbstractTableModel(parent), run_(run) {
  const auto read = [this] {
    events_ = static_cast<int>(run_->events().size());
    took_step_ = false;
    checked_steps_ = 0;
    start_up_ = tookStep() ? startUpEvents(*run_) : 0;
  };
  connect(run_, &RunModel::reset, this, [this, read] {
    beginResetModel();
    read();
    endResetModel();
  });
  connect(run_, &RunModel::eventAdded, this, &EventTableModel::add);
  connect(run_, &RunModel::stepsAdded, this, &EventTableModel::formGroup);
  // The run keeps its first events, and so the whole start-up group.
  connect(run_, &RunModel::eventsAboutToGo, this,
          [this](int first, int count) { beginRemoveRows({}, rowOf(first + count - 1), rowOf(first)); });
  connect(run_, &RunModel::eventsGone, this, [this](int, int count) {
    events_ -= count;
    endRemoveRows();
  });
  connect(run_, &RunModel::shownStepChanged, this, [this] {
    if (events_ > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1), {views::QuietRole});
  });
  read();
}

// Checks each step once: a run may overflow in every step.
bool EventTableModel::tookStep() {
  if (took_step_ || run_->events().empty()) return took_step_;
  const auto& steps = run_->steps();
  const std::int64_t first = run_->events().front().step;
  for (; !took_step_ && checked_steps_ < steps.size(); ++checked_steps_) {
    const StepPoint& each = steps[checked_steps_];
    took_step_ = each.stepped && each.step > first;
  }
  return took_step_;
}

void EventTableModel::formGroup() {
  if (took_step_ || !tookStep()) return;
  const int group = startUpEvents(*run_);
  if (hasHeading(group)) beginInsertRows({}, events_ - group, events_ - group);
  start_up_ = group;
  if (hasHeading(group)) endInsertRows();
}

// A new event is the first row, or the first one below the heading of a group that has no event after it. The second
// event of the group brings the heading.
void EventTableModel::add(int event) {
  const bool joins = tookStep() && start_up_ == event && continuesStartUp(*run_, event);
  const int first = joins && hasHeading(start_up_) ? 1 : 0;
  const bool brings_heading = joins && start_up_ == 1;
  beginInsertRows({}, first, first + (brings_heading ? 1 : 0));
  events_ = event + 1;
  if (joins) ++start_up_;
  endInsertRows();
  const int heading = headingRow();
  if (joins && heading >= 0 && !brings_heading) Q_EMIT dataChanged(index(heading, 0), index(heading, kColumns - 1));
}

int EventTableModel::eventAt(int row) const {
  const int heading = headingRow();
  if (row < 0 || row >= rowCount() || row == heading) return -1;
  return heading >= 0 && row > heading ? events_ - row : events_ - 1 - row;
}

int EventTableModel::rowOf(int event) const {
  if (event < 0 || event >= events_) return -1;
  return hasHeading(start_up_) && event < start_up_ ? events_ - event : events_ - 1 - event;
}

void EventTableModel::setOpen(bool open) {
  if (open == open_) return;
  open_ = open;
  const int heading = headingRow();
  if (heading >= 0) Q_EMIT dataChanged(index(heading, 0), index(heading, kColumns - 1));
}

int EventTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : events_ + (hasHeading(start_up_) ? 1 : 0);
}

int EventTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

// Returns the op calls of the proved first causes; without a proof, those of all tensors in the event.
QStringList EventTableModel::callsOf(const wire::Event& event, Names names) const {
  QStringList calls;
  const auto add = [&](int site, const QString& in_cast) {
    const auto at = static_cast<std::size_t>(site);
    if (site < 0 || at >= run_->sites().size()) return;
    const policy::SiteKey& key = run_->sites()[at].key;
    const QString call = names == Names::kShort && !key.path.empty() ? QString::fromStdString(key.path) : callText(key);
    calls << (in_cast.isEmpty() ? call : tr("%1 (cast of %2)").arg(call, in_cast));
  };
  const bool proved = !causesOf(event).empty();
  if (proved) {
    // If the cast of an argument overflowed, the op call itself is not the cause.
    for (const wire::Root& root : event.diagnosis->roots)
      add(root.site, run_->isInCast(root, event.step) ? QString::fromStdString(root.what) : QString());
  } else {
    for (const wire::EventTensor& tensor : event.tensors) add(tensor.site, {});
  }
  calls.removeDuplicates();
  return calls;
}

QString EventTableModel::callsText(const wire::Event& event, Names names) const {
  const QStringList calls = callsOf(event, names);
  if (calls.isEmpty()) return QStringLiteral("–");
  return calls.size() == 1 ? calls.front() : tr("%1 and %2 more").arg(calls.front(), views::grouped(calls.size() - 1));
}

// Place and kind of the event in a few words.
QString EventTableModel::footText(const wire::Event& event) const {
  if (event.kind == wire::Event::Kind::kSilent) return eventText(*run_, event);
  const QString where = callsText(event, Names::kShort);
  const QString what = eventKindText(event);
  return where == QStringLiteral("–") ? what : QStringLiteral("%1 · %2").arg(where, what);
}

QVariant EventTableModel::headingData(int column, int role) const {
  if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
  if (column != kWhat) return {};
  const QString events = tr("%1 events").arg(views::grouped(start_up_));
  switch (role) {
    case Qt::DisplayRole:
      return startUpTitle(*run_);
    case Qt::ToolTipRole:
      return tr(
          "The initial loss scale was too high. Each overflow skipped a step and lowered the scale, until the "
          "gradients fitted.");
    case Qt::AccessibleTextRole:
      return open_ ? tr("%1, %2, unfolded").arg(startUpTitle(*run_), events)
                   : tr("%1, %2, folded").arg(startUpTitle(*run_), events);
    case views::ExpandedRole:
      return open_;
    case views::NoteRole:
      return events;
    default:
      return {};
  }
}

// A consequence has no figures of its own; its row is not shown.
QVariant EventTableModel::figureData(const wire::Event& event, int column, int role) const {
  const EventFigures figures = eventFigures(*run_, event);
  if (column == kTensor)
    return role == Qt::DisplayRole || role == Qt::ToolTipRole ? orDash(tensorText(figures)) : QVariant();
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const double left = figures.unrounded ? figures.doublingsLeft().value_or(kUnknown) : kUnknown;
  if (role == views::AttentionRole) return column == kDoublings && left < 0;
  if (role == views::NumberRole && column == kLargest && !std::isnan(left))
    return QVariant::fromValue(views::PickedNumber{figures.largest, figures.format});
  if (role != Qt::DisplayRole) return {};
  if (std::isnan(left)) return QStringLiteral("–");
  return column == kLargest ? magnitudeText(figures.largest) : doublingsLeftText(left);
}

QVariant EventTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const int at = eventAt(index.row());
  if (at < 0) return headingData(index.column(), role);
  const wire::Event& event = run_->events()[static_cast<std::size_t>(at)];
  const int column = index.column();
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  // Views show the run before this event.
  if (role == views::QuietRole) return !run_->isShown(event);
  // In a narrow place the first line of the event holds the scale.
  if (role == views::NumberRole && (column == kScale || column == kWhat))
    return QVariant::fromValue(views::PickedNumber{event.scale});
  if (role == Qt::ToolTipRole && column == kCalls) return callsOf(event, Names::kWhole).join(u'\n');
  if (column == kTensor || column == kLargest || column == kDoublings) return figureData(event, column, role);
  if (column == kWhat) {
    if (role == views::VerdictRole) return static_cast<int>(shapeOf(event.kind));
    if (role == views::HeadRole) return tr("Step %1").arg(views::grouped(event.step));
    if (role == views::HeadNoteRole) return tr("scale %1").arg(views::scaleText(event.scale));
    if (role == views::FootRole) return footText(event);
    if (role == Qt::ToolTipRole) return eventKindText(event) + u'\n' + eventText(*run_, event);
  }
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  const wire::Diagnosis* found = event.diagnosis ? &*event.diagnosis : nullptr;
  switch (column) {
    case kStep:
      return views::grouped(event.step);
    case kWhat:
      return eventKindText(event);
    case kCalls:
      return callsText(event, Names::kWhole);
    case kSafe:
      return found != nullptr && found->band ? scaleBandText(*found->band) : QStringLiteral("–");
    case kScale:
      return views::scaleText(event.scale);
    case kVerdict:
      return found != nullptr ? verdictText(found->verdict) : QStringLiteral("–");
    case kSentence:
      return eventText(*run_, event);
    default:
      return {};
  }
}

QVariant EventTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole) {
    if (section == kLargest) return tr("The largest magnitude at the first cause, before the rounding that overflowed");
    if (section == kDoublings) return tr("How often that magnitude could double before it overflows");
    if (section == kSafe) return tr("Loss scales at which every gradient of the step survives, by the replay");
  }
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case kStep:
      return tr("Step");
    case kWhat:
      return tr("Event");
    case kCalls:
      return tr("Op calls");
    case kTensor:
      return tr("Tensor");
    case kLargest:
      return tr("Largest");
    case kDoublings:
      return tr("Doublings left");
    case kSafe:
      return tr("Safe scales");
    case kScale:
      return tr("Loss scale");
    case kVerdict:
      return tr("Verdict");
    case kSentence:
      return tr("Description");
    default:
      return {};
  }
}

}  // namespace binade::app
