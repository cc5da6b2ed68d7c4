// SPDX-License-Identifier: Apache-2.0
#include "views/table/format_targets.h"

#include "views/theme.h"
#include "views/values/colors.h"
#include "views/values/numbers.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

constexpr int kSide = 12;
constexpr int kGap = 8;
constexpr int kPadding = 9;
constexpr int kSquare = 10;
constexpr int kTop = 6;

QFont targetFont() {
  return textFont(12);
}

int targetHigh() {
  return qRound(26 * textScale());
}

bool holdsOpCalls(const QDropEvent& event) {
  return event.mimeData()->hasFormat(FormatTargets::mimeType());
}

}  // namespace

FormatTargets::FormatTargets(QWidget* parent) : QWidget(parent) {
  setFormats({}, {});
  setAccessibleName(tr("Formats for dragged op calls"));
  setAcceptDrops(true);
  setAutoFillBackground(true);
}

QString FormatTargets::mimeType() {
  return QStringLiteral("application/x-binade-op-calls");
}

void FormatTargets::setFormats(const QStringList& names, const QStringList& emulated) {
  emulated_ = emulated;
  names_ = names;
  names_ << QString();
  update();
}

QString FormatTargets::text(int index) const {
  const QString& name = names_[index];
  if (name.isEmpty()) return tr("Follow the base list");
  return emulated_.contains(name) ? tr("%1 (emulated)").arg(name) : name;
}

std::vector<QRect> FormatTargets::places(int width) const {
  std::vector<QRect> places;
  QPoint at(kSide, kTop);
  for (int i = 0; i < names_.size(); ++i) {
    const int square = names_[i].isEmpty() ? 0 : kSquare + 6;
    const int wide = 2 * kPadding + square + static_cast<int>(std::ceil(textWidth(targetFont(), text(i))));
    if (at.x() > kSide && at.x() + wide > width - kSide) at = {kSide, at.y() + targetHigh() + kGap};
    places.emplace_back(at, QSize(wide, targetHigh()));
    at.rx() += wide + kGap;
  }
  return places;
}

QRect FormatTargets::target(const QString& name) const {
  const qsizetype index = names_.indexOf(name);
  return index < 0 ? QRect() : places(width())[static_cast<std::size_t>(index)];
}

int FormatTargets::heightForWidth(int width) const {
  return places(width).back().bottom() + 1 + kTop;
}

QSize FormatTargets::sizeHint() const {
  return {240, heightForWidth(std::max(width(), 240))};
}

int FormatTargets::targetAt(QPointF at) const {
  const std::vector<QRect> all = places(width());
  const auto found = std::find_if(all.begin(), all.end(), [&](QRect place) { return place.contains(at.toPoint()); });
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

void FormatTargets::setLit(int index) {
  if (index == lit_) return;
  lit_ = index;
  update();
}

void FormatTargets::dragEnterEvent(QDragEnterEvent* event) {
  if (holdsOpCalls(*event)) event->acceptProposedAction();
}

void FormatTargets::dragMoveEvent(QDragMoveEvent* event) {
  setLit(holdsOpCalls(*event) ? targetAt(event->position()) : -1);
  event->setAccepted(lit_ >= 0);
}

void FormatTargets::dragLeaveEvent(QDragLeaveEvent*) {
  setLit(-1);
}

void FormatTargets::dropEvent(QDropEvent* event) {
  const int index = holdsOpCalls(*event) ? targetAt(event->position()) : -1;
  setLit(-1);
  if (index < 0) return;
  event->acceptProposedAction();
  Q_EMIT dropped(names_[index]);
}

void FormatTargets::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Colors& c = colors();
  painter.fillRect(rect(), c.panel);
  painter.setFont(targetFont());
  const std::vector<QRect> all = places(width());
  for (int i = 0; i < names_.size(); ++i) {
    const QRect place = all[static_cast<std::size_t>(i)];
    painter.setPen(
        QPen(i == lit_ ? c.indigo : c.thirdText, i == lit_ ? 2 : 1, i == lit_ ? Qt::SolidLine : Qt::DashLine));
    painter.setBrush(i == lit_ ? c.selectedRow : c.panel);
    painter.drawRect(place);
    QRect inside = place.adjusted(kPadding, 0, 0, 0);
    if (!names_[i].isEmpty()) {
      painter.fillRect(QRect(inside.left(), place.center().y() - kSquare / 2 + 1, kSquare, kSquare),
                       formatColor(names_[i]));
      inside.setLeft(inside.left() + kSquare + 6);
    }
    painter.setPen(c.text);
    painter.drawText(inside, Qt::AlignLeft | Qt::AlignVCenter, text(i));
  }
}

}  // namespace binade::views
