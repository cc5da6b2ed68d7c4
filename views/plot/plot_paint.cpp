// SPDX-License-Identifier: Apache-2.0
#include "views/plot/empty_text.h"
#include "views/plot/plot.h"
#include "views/values/numbers.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

constexpr double kHeaderMiddle = 19;
constexpr double kReadoutPad = 6;
constexpr std::size_t kLeastTicks = 3;
constexpr double kClosestLabels = 12;  ///< in a low chart: figures have no descenders

QPen hairline(const QColor& color, Qt::PenStyle style = Qt::SolidLine) {
  QPen pen(color, 0, style);
  return pen;
}

}  // namespace

void Plot::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), colors().panel);
  paintAll(painter, true);
  if (keyboardFocus_ && !isEmpty()) {
    painter.setPen(hairline(colors().indigo));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

void Plot::paintAll(QPainter& painter, bool interactive) {
  if (!caption_.isEmpty()) caption_width_ = textWidth(textFont(11), caption_);  // the size of text is a setting
  painter.setFont(textFont(12));
  if (isEmpty()) {
    paintEmpty(painter);
    return;
  }
  const QRectF area = plotArea();
  if (headerVisible_) paintHeader(painter);
  if (!gridOnTop()) paintGrid(painter, area);
  painter.save();
  painter.setClipRect(area);
  paintData(painter, area);
  painter.restore();
  const PlacedMarks placed = markPositions();
  if (hasStrip()) paintSkipStrip(painter, placed);
  paintPolicyEdits(painter, placed);
  paintNotes(painter, placed);
  paintForeground(painter, area, placed);
  paintAxes(painter, area);
  paintPins(painter, area);
  paintCursors(painter, area, interactive);
  if (interactive && drag_ == Drag::kBox && dragged_) {
    QColor fill = colors().indigo;
    painter.setPen(hairline(fill));
    fill.setAlpha(40);
    painter.setBrush(fill);
    painter.drawRect(QRectF(pressed_, dragAt_).normalized().intersected(area));
    painter.setBrush(Qt::NoBrush);
  }
}

void Plot::paintEmpty(QPainter& painter) const {
  drawEmptyText(painter, rect(), headline_, sentence_);
}

void Plot::paintHeader(QPainter& painter) const {
  const Colors& c = colors();
  double right = width() - 12;
  if (headerWidget_ && headerWidget_->isVisibleTo(this)) right = headerWidget_->geometry().left() - 8;
  painter.setFont(textFont(12));
  if (const auto& [label, now] = standing(); !now.isEmpty()) {
    const QFont bold = figureFont(12, QFont::DemiBold);
    if (!headerWidget_) {
      const double wide = textWidth(bold, now);
      painter.setFont(bold);
      painter.setPen(c.text);
      drawText(painter, {right - wide, kHeaderMiddle - 10, wide + 1, 20}, Qt::AlignLeft | Qt::AlignVCenter, now);
      right -= wide + 8;
    }
    painter.setFont(textFont(12));
    painter.setPen(c.secondText);
    const double labelWide = textWidth(painter.font(), label);
    right -= labelWide;
    drawText(painter, {right, kHeaderMiddle - 10, labelWide + 1, 20}, Qt::AlignLeft | Qt::AlignVCenter, label);
  }
  painter.setFont(textFont(11));
  for (const auto& [rect, entry] : legendLayout()) {
    const double sample = entry.kind == LegendEntry::Kind::kMark ? 9 : 14;
    const double x = rect.left();
    const QPointF middle(x + sample / 2, kHeaderMiddle);
    const bool hidden = entry.part >= 0 && isPartHidden(entry.part);
    painter.setOpacity(hidden ? 0.45 : 1);
    switch (entry.kind) {
      case LegendEntry::Kind::kLine:
      case LegendEntry::Kind::kFaintLine: {
        const bool faint = entry.kind == LegendEntry::Kind::kFaintLine;
        const QColor line = entry.color.isValid() ? entry.color : faint ? c.faintDataLine : c.dataLine;
        painter.fillRect(QRectF(x, kHeaderMiddle - 1, sample, 2), line);
        break;
      }
      case LegendEntry::Kind::kBand:
        painter.setPen(hairline(c.bandEdge));
        painter.setBrush(c.band);
        painter.drawRect(QRectF(x, kHeaderMiddle - 5, sample, 9));
        painter.setBrush(Qt::NoBrush);
        break;
      case LegendEntry::Kind::kMark:
        drawMark(painter, entry.mark,
                 entry.mark == MarkKind::kPolicyEdit ? middle + QPointF(-3, -5)
                 : entry.mark == MarkKind::kNote     ? middle + QPointF(7, -5)
                                                     : middle);
        break;
    }
    painter.setOpacity(1);
    const bool chosen = entry.part >= 0 && chosen_ == entry.part;
    painter.setPen(chosen ? c.indigo : hidden ? c.thirdText : c.secondText);
    const QRectF words(x + sample + 6, rect.top(), rect.width() - sample - 5, rect.height());
    drawText(painter, words, Qt::AlignLeft | Qt::AlignVCenter, entry.text);
    // A line through what is hidden, a line below what is chosen: neither rests on colour alone.
    if (hidden) painter.drawLine(QPointF(words.left(), kHeaderMiddle), QPointF(rect.right(), kHeaderMiddle));
    if (chosen) painter.fillRect(QRectF(x, rect.bottom() - 3, rect.width(), 2), c.indigo);
  }
}

void Plot::paintGrid(QPainter& painter, const QRectF& area) const {
  painter.setPen(hairline(colors().grid));
  const int most = std::max(3, static_cast<int>(area.height() / 32));
  for (const Tick& tick : valueTicks(most)) {
    const double y = std::round(valueToY(tick.value));
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
  }
  for (const Tick& tick : stepTicks(axis_->range(), std::max(2, static_cast<int>(area.width() / 90)))) {
    const double x = std::round(stepToX(tick.value));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
  }
}

void Plot::paintAxes(QPainter& painter, const QRectF& area) const {
  const Colors& c = colors();
  const double foot = std::round(area.bottom());
  const double left = std::round(area.left());
  painter.setFont(figureFont(11));
  const int most = std::max(3, static_cast<int>(area.height() / 32));
  std::vector<Tick> ticks = valueTicks(most);
  for (Tick& tick : ticks) tick.value = valueToY(tick.value);
  std::vector<Tick> labels = labelsApart(ticks, 1, kLabelLine);
  if (labels.size() < kLeastTicks) labels = labelsApart(ticks, 1, kClosestLabels);
  for (const Tick& tick : labels) {
    const double y = std::round(tick.value);
    if (y < area.top() - 1 || y > area.bottom() + 1) continue;
    painter.setPen(hairline(c.line));
    painter.drawLine(QPointF(left - 4, y), QPointF(left, y));
    painter.setPen(c.secondText);
    drawText(painter, {0, y - 8, left - 8, 16}, Qt::AlignRight | Qt::AlignVCenter, tick.label);
  }
  painter.setPen(hairline(c.line));
  painter.drawLine(QPointF(left, foot), QPointF(area.right(), foot));
  // The unit is always at the end: elsewhere it would jump while the axis grows.
  constexpr double kUnitEdge = 8;
  const double unit = textWidth(textFont(11), tr("step")) + 2;
  const double unit_left = width() - unit - kUnitEdge;
  double taken = -1e9;
  for (const Tick& tick : stepTicks(axis_->range(), std::max(2, static_cast<int>(area.width() / 90)))) {
    const double x = std::round(stepToX(tick.value));
    const double wide = textWidth(painter.font(), tick.label) + 2;
    painter.setPen(hairline(c.line));
    painter.drawLine(QPointF(x, foot), QPointF(x, foot + 4));
    if (x - wide / 2 < taken + 8 || x + wide / 2 + 8 > unit_left) continue;
    painter.setPen(c.secondText);
    drawText(painter, {x - wide / 2, foot + 5, wide, 15}, Qt::AlignHCenter | Qt::AlignVCenter, tick.label);
    taken = x + wide / 2;
  }
  painter.setFont(textFont(11));
  painter.setPen(c.secondText);
  drawText(painter, {unit_left, foot + 5, unit, 15}, Qt::AlignRight | Qt::AlignVCenter, tr("step"));
  if (!caption_.isEmpty()) paintCaption(painter, left, foot + 26);
}

void Plot::paintCaption(QPainter& painter, double left, double top) const {
  constexpr double kLine = 16;
  const double room = captionRoom();
  qsizetype end = caption_.size();
  if (caption_width_ > room) {
    // Two lines of about the same length, if both fit; else the first is as long as it can be.
    const double wanted = std::max(caption_width_ / 2, caption_width_ - room);
    qsizetype space = caption_.lastIndexOf(u' ');
    for (; space > 0; space = caption_.lastIndexOf(u' ', space - 1)) {
      const double wide = textWidth(painter.font(), caption_.left(space));
      if (wide > room) continue;
      if (end < caption_.size() && wide < wanted) break;
      end = space;
    }
  }
  drawText(painter, {left, top, room, kLine}, Qt::AlignLeft | Qt::AlignVCenter, caption_.left(end));
  if (end == caption_.size()) return;
  const QString rest = caption_.mid(end).trimmed();
  drawText(painter, {left, top + kLine - 2, room, kLine}, Qt::AlignLeft | Qt::AlignVCenter, rest);
}

void Plot::paintCount(QPainter& painter, const std::vector<MarkGroup>& groups, std::size_t index, double y) const {
  constexpr double kApart = 6;  // half a mark's width, plus a gap
  const QRectF area = plotArea();
  const MarkGroup& group = groups[index];
  if (group.count < 2) return;
  const QString count = QStringLiteral("× %1").arg(grouped(group.count));
  const double wide = textWidth(painter.font(), count);
  const double until = index + 1 < groups.size() ? std::min(groups[index + 1].x - kApart, area.right()) : area.right();
  const double from = index > 0 ? std::max(groups[index - 1].lastX + kApart, area.left()) : area.left();
  const double behind = std::max(group.lastX, area.left()) + kApart + 2;
  const double before = std::min(group.x, area.right()) - kApart - 2 - wide;
  if (behind + wide <= until) {
    drawText(painter, {behind, y - 8, wide + 1, 16}, Qt::AlignLeft | Qt::AlignVCenter, count);
  } else if (before >= from) {
    drawText(painter, {before, y - 8, wide + 1, 16}, Qt::AlignLeft | Qt::AlignVCenter, count);
  }
}

void Plot::paintSkipStrip(QPainter& painter, const PlacedMarks& placed) const {
  constexpr double kHalfMark = 3.5;
  constexpr double kApart = 8;  // px a step, from which consecutive steps have a mark each
  const QRectF area = plotArea();
  painter.setFont(textFont(11, QFont::DemiBold));
  std::vector<MarkGroup> groups;
  for (const auto& [at, group] : placed) {
    if (group.kind == MarkKind::kSkipped && at.y() == stripY()) groups.push_back(group);
  }
  const bool apart = stepToX(1) - stepToX(0) >= kApart;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const MarkGroup& group = groups[i];
    if (group.count == 1) {
      drawMark(painter, group.kind, {group.x, stripY()});
      continue;
    }
    if (apart) {
      const auto first = std::max(group.first, static_cast<std::int64_t>(std::ceil(xToStep(area.left()))));
      const auto last = std::min(group.last, static_cast<std::int64_t>(std::floor(xToStep(area.right()))));
      for (std::int64_t step = first; step <= last; ++step)
        drawMark(painter, group.kind, {stepToX(static_cast<double>(step)), stripY()});
      continue;
    }
    const double from = std::max(group.x - kHalfMark, area.left() - 1);
    const double to = std::min(group.lastX + kHalfMark, area.right());
    painter.fillRect(QRectF(from, stripY() - kHalfMark, to - from, 2 * kHalfMark), colors().crimson);
    painter.setPen(colors().crimson);
    paintCount(painter, groups, i, stripY());
  }
}

void Plot::paintPolicyEdits(QPainter& painter, const PlacedMarks& placed) const {
  const QRectF area = plotArea();
  PlacedMarks flags;
  for (const auto& entry : placed) {
    if (entry.second.kind == MarkKind::kPolicyEdit) flags.push_back(entry);
  }
  const Colors& c = colors();
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const auto& [at, group] = flags[i];
    const double x = std::round(at.x());
    QPen pen(c.indigo, 0, Qt::CustomDashLine);
    pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.drawLine(QPointF(x, at.y()), QPointF(x, area.bottom()));
    drawMark(painter, group.kind, {x, at.y()});
    if (!headerVisible_) continue;
    const double next = i + 1 < flags.size() ? flags[i + 1].first.x() : area.right() + rightMargin();
    QString text = group.text;
    if (group.count > 1) text = tr("%1 edits").arg(group.count);
    painter.setFont(textFont(11));
    const double room = next - x - 18;
    if (text.isEmpty() || room < 40) continue;
    painter.setPen(c.indigo);
    drawText(painter, {x + 12, at.y() - 4, room, 16}, Qt::AlignLeft | Qt::AlignVCenter, text);
  }
}

// The words of a note are in its tool tip and beside the cursor, since those of edits have this row.
void Plot::paintNotes(QPainter& painter, const PlacedMarks& placed) const {
  const QRectF area = plotArea();
  for (const auto& [at, group] : placed) {
    if (group.kind != MarkKind::kNote) continue;
    const double x = std::round(at.x());
    QPen pen(colors().indigo, 0, Qt::CustomDashLine);
    pen.setDashPattern({1, 3});
    painter.setPen(pen);
    painter.drawLine(QPointF(x, at.y()), QPointF(x, area.bottom()));
    drawMark(painter, group.kind, {x, at.y()});
  }
}

void Plot::paintPins(QPainter& painter, const QRectF& area) const {
  constexpr double kBadge = 14;
  const Colors& c = colors();
  const auto& pins = axis_->pins();
  for (std::size_t i = 0; i < pins.size(); ++i) {
    const auto step = static_cast<double>(pins[i]);
    if (!axis_->range().contains(step)) continue;
    const double x = std::round(stepToX(step));
    painter.setPen(hairline(c.indigo));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    // The letters hang on the outer sides, so that pins close to each other keep both.
    const bool left = pins.size() == 2 && pins[i] < pins[1 - i];
    const QRectF badge(left ? x - kBadge : x, area.top(), kBadge, kBadge);
    painter.fillRect(badge, c.indigo);
    painter.setFont(textFont(11, QFont::DemiBold));
    painter.setPen(c.panel);
    drawText(painter, badge, Qt::AlignCenter, i == 0 ? QStringLiteral("A") : QStringLiteral("B"));
  }
  if (const QStringList lines = pinnedLines(); !lines.isEmpty()) {
    const std::int64_t first = std::min(pins[0], pins[1]);
    const double x = std::clamp(stepToX(static_cast<double>(first)), area.left(), area.right());
    paintBox(painter, area.adjusted(0, kBadge, 0, 0), lines, x, true);
  }
}

void Plot::paintCursors(QPainter& painter, const QRectF& area, bool interactive) const {
  const Colors& c = colors();
  const auto line = [&](double x, const QColor& color) {
    painter.setPen(hairline(color));
    painter.drawLine(QPointF(std::round(x), area.top()), QPointF(std::round(x), area.bottom()));
  };
  const auto inside = [&](double step) { return axis_->range().contains(step); };
  const auto latest = static_cast<double>(axis_->latest());
  if (axis_->data() && inside(latest)) line(stepToX(latest), c.thirdText);
  if (const auto cursor = axis_->cursor(); cursor && inside(static_cast<double>(*cursor))) {
    const double x = std::round(stepToX(static_cast<double>(*cursor)));
    line(x, c.indigo);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(c.indigo);
    painter.drawPolygon(QPolygonF(
        {QPointF(x - 4.5, area.bottom() + 6), QPointF(x + 5.5, area.bottom() + 6), QPointF(x + 0.5, area.bottom())}));
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing, false);
  }
  if (!interactive) return;
  if (const auto hover = axis_->hover(); hover && inside(static_cast<double>(*hover))) {
    line(stepToX(static_cast<double>(*hover)), c.secondText);
    if (underMouse()) paintReadout(painter, area, *hover);
  } else if (axis_->cursor() && hasFocus() && inside(static_cast<double>(*axis_->cursor()))) {
    paintReadout(painter, area, *axis_->cursor());
  }
}

void Plot::paintReadout(QPainter& painter, const QRectF& area, std::int64_t step) const {
  QStringList lines{tr("Step %1").arg(grouped(step))};
  lines += valuesAt(step).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  if (const StepNote* note = axis_->noteAt(step)) {
    lines << tr("Note: %1").arg(note->text.section(QLatin1Char('\n'), 0, 0));
  }
  paintBox(painter, area, lines, stepToX(static_cast<double>(step)), false);
}

void Plot::paintBox(QPainter& painter, const QRectF& area, const QStringList& lines, double x, bool left) const {
  const Colors& c = colors();
  const QFont font = figureFont(11);
  double wide = 0;
  for (int i = 0; i < lines.size(); ++i) {
    wide = std::max(wide, textWidth(i == 0 ? figureFont(11, QFont::DemiBold) : font, lines[i]));
  }
  wide = std::min(wide, width() - 2 * kReadoutPad - 4);
  const double high = 16.0 * static_cast<double>(lines.size()) + 2 * kReadoutPad - 2;
  QRectF box(x + 10, area.top() + 6, wide + 2 * kReadoutPad + 2, high);
  if (left ? x - 10 - box.width() >= area.left() : box.right() > area.right()) box.moveRight(x - 10);
  if (box.right() > width() - 1) box.moveRight(width() - 1);
  const double top = std::max(0.0, std::min(box.top(), height() - high - 2));  // moves up in a low chart
  box.moveTopLeft({std::max(0.0, std::round(box.left())), std::round(top)});
  painter.setPen(hairline(c.line));
  painter.setBrush(c.panel);
  painter.drawRect(box);
  painter.setBrush(Qt::NoBrush);
  double y = box.top() + kReadoutPad - 1;
  for (int i = 0; i < lines.size(); ++i) {
    painter.setFont(i == 0 ? figureFont(11, QFont::DemiBold) : font);
    painter.setPen(c.text);
    drawText(painter, {box.left() + kReadoutPad, y, box.width() - kReadoutPad, 16}, Qt::AlignLeft | Qt::AlignVCenter,
             lines[i]);
    y += 16;
  }
}

}  // namespace binade::views
