// SPDX-License-Identifier: Apache-2.0
#include "views/plot/binade_axis.h"
#include "views/plot/marks.h"
#include "views/table/delegates.h"
#include "views/theme.h"
#include "views/values/elide.h"
#include "views/values/numbers.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

constexpr double kFullBar = 16;
constexpr double kNumberWide = 48;
constexpr double kShapeWide = 18;
constexpr double kTreeIndent = 16;  // of one module
constexpr double kCellPad = 8;      // of a cell, on each side

/// The triangle of a row that can be expanded, in the `kTreeIndent` px to the right of `at`.
void drawDisclosure(QPainter& painter, QPointF at, double high, bool expanded) {
  const QPointF centre(at.x() + 5, at.y() + high / 2);
  const QPointF down[] = {centre + QPointF(-4, -2), centre + QPointF(4, -2), centre + QPointF(0, 3)};
  const QPointF right[] = {centre + QPointF(-2, -4), centre + QPointF(-2, 4), centre + QPointF(3, 0)};
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colors().secondText);
  painter.drawPolygon(expanded ? down : right, 3);
  painter.restore();
}

QString callOf(const QModelIndex& index) {
  const QVariant call = index.data(CallRole);
  return call.isValid() ? call.toString() : index.data(Qt::DisplayRole).toString();
}

}  // namespace

// Returns the longest form of the call that fits, else the last one, cut once.
QString CallDelegate::shownCall(const QModelIndex& index, double width) {
  const QFont strong = textFont(12, QFont::Medium);
  QStringList forms = index.data(CallFormsRole).toStringList();
  if (forms.isEmpty()) {
    forms << callOf(index);
    // The op's library rarely distinguishes calls: `conv1/…conv2d#0`.
    const qsizetype slash = forms.front().lastIndexOf(u'/');
    const qsizetype library = forms.front().indexOf(QLatin1String("::"), std::max<qsizetype>(slash, 0));
    if (slash >= 0 && library > 0)
      forms << forms.front().left(slash) + QStringLiteral("/…") + forms.front().mid(library + 2);
  }
  for (const QString& form : forms) {
    if (callWidth(form) <= width) return form;
  }
  // One ellipsis, wherever the form had its own.
  QString least = forms.back();
  const bool cut = least.contains(u'…');
  const double ellipsis = cut ? textWidth(strong, QStringLiteral("…")) : 0;
  const QString shown = elidedName(least.remove(u'…'), strong, width - ellipsis);
  return cut && !shown.contains(u'…') ? u'…' + shown : shown;
}

double CallDelegate::callWidth(const QString& call) {
  const qsizetype slash = call.lastIndexOf(u'/');
  const QString module = slash < 0 ? call : call.left(slash);
  return textWidth(textFont(12, QFont::Medium), module) + textWidth(textFont(12), call.mid(module.size()));
}

void CallDelegate::paintContent(QPainter& painter, const QRectF& cell, const QStyleOptionViewItem&,
                                const QModelIndex& index) const {
  QRectF rect = cell.adjusted(indentOf(index), 0, 0, 0);
  const QVariant expanded = index.data(ExpandedRole);
  if (expanded.isValid())
    drawDisclosure(painter, rect.topLeft() - QPointF(kTreeIndent, 0), rect.height(), expanded.toBool());
  if (index.data(LitRole).toInt() > 1) {
    drawVerdict(painter, VerdictShape::kOverflow, {rect.left() + 6, rect.center().y()});
    rect.setLeft(rect.left() + kShapeWide);
  }
  const QString note = index.data(NoteRole).toString();
  const double note_wide = note.isEmpty() ? 0 : textWidth(textFont(11), note) + 8;
  const QString call = shownCall(index, rect.width() - note_wide);
  const qsizetype slash = call.lastIndexOf(u'/');
  const QString module = slash < 0 ? call : call.left(slash);
  const QFont strong = textFont(12, QFont::Medium);
  const bool quiet = index.data(QuietRole).toBool();
  painter.setFont(strong);
  painter.setPen(quiet ? colors().secondText : colors().text);
  const double wide = textWidth(strong, module);
  painter.drawText(QRectF(rect.left(), rect.top(), wide + 1, rect.height()), Qt::AlignLeft | Qt::AlignVCenter, module);
  painter.setFont(textFont(12));
  painter.setPen(colors().secondText);
  painter.drawText(rect.adjusted(wide, 0, 1, 0), Qt::AlignLeft | Qt::AlignVCenter, call.mid(module.size()));
  if (note.isEmpty()) return;
  painter.setFont(textFont(11));
  const double at = callWidth(call) + 8;
  drawText(painter, rect.adjusted(at, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, note);
}

double CallDelegate::indentOf(const QModelIndex& index) {
  const int depth = index.data(DepthRole).toInt();
  return (depth + (index.data(ExpandedRole).isValid() ? 1 : 0)) * kTreeIndent;
}

bool CallDelegate::isOnDisclosure(const QModelIndex& index, double x) {
  if (!index.data(ExpandedRole).isValid()) return false;
  const double right = kCellPad + indentOf(index);
  return x >= right - kTreeIndent - 2 && x < right;
}

double CallDelegate::contentWidth(const QModelIndex& index) const {
  const QString note = index.data(NoteRole).toString();
  return indentOf(index) + callWidth(callOf(index)) + (note.isEmpty() ? 0 : textWidth(textFont(11), note) + 8) +
         (index.data(LitRole).toInt() > 1 ? kShapeWide : 0);
}

void HistoryDelegate::paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem&,
                                   const QModelIndex& index) const {
  const auto points = index.data(HistoryRole).value<QList<double>>();
  if (points.isEmpty()) return;
  const Colors& c = colors();
  const QRectF box = rect.adjusted(0, 4, 0, -4);
  painter.fillRect(QRectF(box.left(), std::round(box.bottom()), box.width(), 1), c.softLine);
  const double step = box.width() / static_cast<double>(points.size());
  QPolygonF line;
  // Parts without an observation do not interrupt the line.
  for (qsizetype i = 0; i < points.size(); ++i) {
    if (std::isnan(points[i])) continue;
    const double part = std::clamp(points[i] / kFullBar, 0.0, 1.0);
    line << QPointF(box.left() + (static_cast<double>(i) + 0.5) * step, box.bottom() - part * box.height());
  }
  painter.setPen(QPen(c.headroom, 0));
  if (line.size() == 1) painter.drawPoint(line.front());
  painter.drawPolyline(line);
  for (qsizetype i = 0; i < points.size(); ++i) {
    if (!(points[i] < 1)) continue;
    const double x = box.left() + (static_cast<double>(i) + 0.5) * step;
    const double y = box.bottom() - std::clamp(points[i] / kFullBar, 0.0, 1.0) * box.height();
    painter.fillRect(QRectF(std::round(x) - 1, std::round(y) - 2, 2, 3), c.crimson);
  }
}

double HistoryDelegate::contentWidth(const QModelIndex&) const {
  return 64;
}

void HeadroomDelegate::paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                                    const QModelIndex& index) const {
  const Colors& c = colors();
  const QVariant data = index.data(HeadroomRole);
  const double left = data.isValid() ? data.toDouble() : std::nan("");
  const bool known = !std::isnan(left);
  const bool tight = known && left < 1;
  const bool censored = index.data(CensoredRole).toBool();
  QString text = doublings(left);
  if (known && censored) text = QStringLiteral("≤ ") + text;
  painter.setFont(figureFont(12, tight ? QFont::DemiBold : QFont::Normal));
  painter.setPen(tight                                   ? c.crimson
                 : known                                 ? c.text
                 : option.state & QStyle::State_Selected ? c.secondText
                                                         : c.thirdText);
  const double numberWide = std::max(kNumberWide, textWidth(painter.font(), text) + 4);
  drawText(painter, rect.adjusted(rect.width() - numberWide, 0, 0, 0), Qt::AlignRight | Qt::AlignVCenter, text);
  if (!known) return;

  const QRectF ground(rect.left(), rect.center().y() - 3, rect.width() - numberWide - 8, 6);
  if (ground.width() < 12) return;
  const QVariant fullData = index.data(HeadroomFullRole);
  const double full = fullData.isValid() && fullData.toDouble() > 0 ? fullData.toDouble() : kFullBar;
  painter.fillRect(ground, c.headroomGround);
  const double part = std::clamp(left / full, 0.0, 1.0);
  const QRectF bar(ground.left(), ground.top(), std::max(left > 0 ? 2.0 : 0.0, ground.width() * part), ground.height());
  painter.fillRect(bar, tight ? c.crimson : c.headroom);
  if (left <= 0) painter.fillRect(QRectF(ground.left(), ground.top(), 3, ground.height()), c.crimson);
  if (censored) drawVeil(painter, ground);
}

double HeadroomDelegate::contentWidth(const QModelIndex&) const {
  return 96 + 8 + kNumberWide;
}

void VerdictDelegate::paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                                   const QModelIndex& index) const {
  const auto shape = static_cast<VerdictShape>(index.data(VerdictRole).toInt());
  if (shape != VerdictShape::kNone) drawVerdict(painter, shape, {rect.left() + 5, rect.center().y()});
  painter.setFont(fontOf(index, false));
  painter.setPen(penOf(option, index, false));
  drawText(painter, rect.adjusted(kShapeWide, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
           index.data(Qt::DisplayRole).toString());
}

double VerdictDelegate::contentWidth(const QModelIndex& index) const {
  return kShapeWide + textWidth(fontOf(index, false), index.data(Qt::DisplayRole).toString());
}

void TwoLineDelegate::paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem&,
                                   const QModelIndex& index) const {
  const Colors& c = colors();
  const auto shape = static_cast<VerdictShape>(index.data(VerdictRole).toInt());
  const bool quiet = index.data(QuietRole).toBool();
  painter.setOpacity(quiet ? 0.5 : 1);
  if (shape != VerdictShape::kNone) drawVerdict(painter, shape, {rect.left() + 5, rect.top() + 14});
  painter.setOpacity(1);
  const QRectF above(rect.left() + kShapeWide, rect.top() + 4, rect.width() - kShapeWide, 20);
  const QString note = index.data(HeadNoteRole).toString();
  const QFont small = textFont(11);
  const double noteWide = note.isEmpty() ? 0 : textWidth(small, note) + 2;
  painter.setFont(small);
  painter.setPen(c.secondText);
  drawText(painter, above, Qt::AlignRight | Qt::AlignVCenter, note);
  painter.setFont(textFont(12, quiet ? QFont::Normal : QFont::DemiBold));
  painter.setPen(quiet ? c.secondText : c.text);
  drawText(painter, above.adjusted(0, 0, -noteWide - 6, 0), Qt::AlignLeft | Qt::AlignVCenter,
           index.data(HeadRole).toString());
  painter.setFont(textFont(12));
  painter.setPen(c.secondText);
  drawText(painter, above.translated(0, 17), Qt::AlignLeft | Qt::AlignVCenter, index.data(FootRole).toString());
}

void HeadingDelegate::paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem&,
                                   const QModelIndex& index) const {
  drawDisclosure(painter, rect.topLeft(), rect.height(), index.data(ExpandedRole).toBool());
  const QString note = index.data(NoteRole).toString();
  const QFont small = textFont(11);
  const QFont plain = textFont(12);
  const QString text = index.data(Qt::DisplayRole).toString();
  const double wide = textWidth(plain, text);
  const double room = rect.width() - kTreeIndent;
  const bool has_note = wide + kCellPad + textWidth(small, note) <= room;
  const QRectF place = rect.adjusted(kTreeIndent, 0, 0, 0);
  painter.setFont(plain);
  painter.setPen(colors().secondText);
  drawText(painter, place, Qt::AlignLeft | Qt::AlignVCenter, text);
  if (!has_note) return;
  painter.setFont(small);
  drawText(painter, place.adjusted(wide + kCellPad, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, note);
}

double HeadingDelegate::contentWidth(const QModelIndex& index) const {
  return kTreeIndent + textWidth(textFont(12), index.data(Qt::DisplayRole).toString()) + kCellPad +
         textWidth(textFont(11), index.data(NoteRole).toString());
}

void drawVerdict(QPainter& painter, VerdictShape shape, QPointF centre) {
  const Colors& c = colors();
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  switch (shape) {
    case VerdictShape::kNone:
      break;
    case VerdictShape::kFits: {
      painter.setPen(QPen(c.text, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
      const QPointF tick[] = {centre + QPointF(-4, 0.5), centre + QPointF(-1.2, 3.2), centre + QPointF(4, -3)};
      painter.drawPolyline(tick, 3);
      break;
    }
    case VerdictShape::kTight:
      drawMark(painter, MarkKind::kGrowth, centre);
      break;
    case VerdictShape::kOverflow:
      drawMark(painter, MarkKind::kOverflow, centre);
      break;
    case VerdictShape::kCarriedOn:
      drawMark(painter, MarkKind::kCarriedOn, centre);
      break;
    case VerdictShape::kLost:
      painter.setRenderHint(QPainter::Antialiasing, false);
      painter.fillRect(QRectF(centre.x() - 4, centre.y() - 2, 9, 1.4), c.text);
      painter.fillRect(QRectF(centre.x() - 4, centre.y() + 1, 9, 3), c.text);
      break;
    case VerdictShape::kSkipped:
      drawMark(painter, MarkKind::kSkipped, centre);
      break;
  }
  painter.restore();
}

}  // namespace binade::views
