// SPDX-License-Identifier: Apache-2.0
#include "app/present/event_table_model.h"

#include "app/model/site_name.h"
#include "app/present/event_story.h"
#include "app/present/event_words.h"
#include "app/present/site_text.h"
#include "views/values/numbers.h"
#include "views/values/picked_number.h"
#include "views/values/roles.h"

#include <QStringList>

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

}  // namespace

EventTableModel::EventTableModel(RunModel* run, QObject* parent) : QAbstractTableModel(parent), run_(run) {
  connect(run_, &RunModel::reset, this, [this] {
    beginResetModel();
    rows_ = static_cast<int>(run_->events().size());
    endResetModel();
  });
  connect(run_, &RunModel::eventAdded, this, [this](int index) {
    beginInsertRows({}, index, index);
    rows_ = index + 1;
    endInsertRows();
  });
  connect(run_, &RunModel::eventsAboutToGo, this,
          [this](int first, int count) { beginRemoveRows({}, first, first + count - 1); });
  connect(run_, &RunModel::eventsGone, this, [this](int, int count) {
    rows_ -= count;
    endRemoveRows();
  });
  connect(run_, &RunModel::shownStepChanged, this, [this] {
    if (rows_ > 0) Q_EMIT dataChanged(index(0, 0), index(rows_ - 1, kColumns - 1), {views::QuietRole});
  });
  rows_ = static_cast<int>(run_->events().size());
}

int EventTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : rows_;
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
  const QString what = eventKindText(event.kind);
  return where == QStringLiteral("–") ? what : QStringLiteral("%1 · %2").arg(where, what);
}

QVariant EventTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const wire::Event& event = run_->events()[static_cast<std::size_t>(index.row())];
  if (role == Qt::TextAlignmentRole) {
    const bool number = index.column() == kStep || index.column() == kScale;
    return static_cast<int>((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  }
  // Views show the run before this event.
  if (role == views::QuietRole) return !run_->isShown(event);
  if (role == views::SortRole) {
    if (index.column() == kStep) return static_cast<qlonglong>(event.step);
    if (index.column() == kScale) return event.scale;
  }
  // In a narrow place the first line of the event holds the scale.
  if (role == views::NumberRole && (index.column() == kScale || index.column() == kWhat))
    return QVariant::fromValue(views::PickedNumber{event.scale});
  if (role == Qt::ToolTipRole && index.column() == kCalls) return callsOf(event, Names::kWhole).join(u'\n');
  if (index.column() == kWhat) {
    if (role == views::VerdictRole) return static_cast<int>(shapeOf(event.kind));
    if (role == views::HeadRole) return tr("Step %1").arg(views::grouped(event.step));
    if (role == views::HeadNoteRole) return tr("scale %1").arg(views::scaleText(event.scale));
    if (role == views::FootRole) return footText(event);
  }
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != views::SortRole) return {};
  if (role == Qt::ToolTipRole && index.column() == kWhat)
    return eventKindText(event.kind) + u'\n' + eventText(*run_, event);
  switch (index.column()) {
    case kStep:
      return views::grouped(event.step);
    case kWhat:
      return eventKindText(event.kind);
    case kScale:
      return views::scaleText(event.scale);
    case kCalls:
      return callsText(event, Names::kWhole);
    case kSentence:
      return eventText(*run_, event);
    default:
      return {};
  }
}

QVariant EventTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) {
    const bool number = section == kStep || section == kScale;
    return static_cast<int>((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  }
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case kStep:
      return tr("Step");
    case kWhat:
      return tr("Event");
    case kScale:
      return tr("Loss scale");
    case kCalls:
      return tr("Op calls");
    case kSentence:
      return tr("Description");
    default:
      return {};
  }
}

}  // namespace binade::app
