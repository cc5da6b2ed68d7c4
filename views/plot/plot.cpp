// SPDX-License-Identifier: Apache-2.0
#include "views/plot/plot.h"

#include "views/svg_file.h"
#include "views/values/numbers.h"

#include <QPainter>
#include <QSaveFile>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {
constexpr int kRepaintMs = 16;
constexpr double kHeader = 36;
constexpr double kEditRow = 12;  // space between header and data, for the flags and texts of edits
constexpr double kTickRow = 28;
constexpr double kCaptionRow = 18;
constexpr double kCaptionLine = 14;  // its second line
constexpr double kCaptionRight = 8;
constexpr double kStrip = 16;
}  // namespace

Plot::Plot(StepAxis* axis, QWidget* parent)
    : QWidget(parent), axis_(axis ? axis : new StepAxis(this)), chart_(axis_->addChart()) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  repaint_.setSingleShot(true);
  repaint_.setInterval(kRepaintMs);
  connect(&repaint_, &QTimer::timeout, this, [this] {
    updateDescription();
    update();
  });
  // New steps also change the range, so this waits for the timer. A cursor must follow the pointer at once.
  connect(axis_, &StepAxis::rangeChanged, this, &Plot::scheduleRepaint);
  connect(axis_, &StepAxis::shownChanged, this, qOverload<>(&QWidget::update));
  connect(axis_, &StepAxis::cursorChanged, this, [this] {
    if (hasFocus()) updateDescription();
    update();
  });
  connect(axis_, &StepAxis::hoverChanged, this, qOverload<>(&QWidget::update));
  connect(axis_, &StepAxis::pinsChanged, this, [this] {
    if (isVisible()) updateDescription();
    update();
  });
  connect(axis_, &StepAxis::notesChanged, this, qOverload<>(&QWidget::update));
}

void Plot::setTitle(const QString& title) {
  title_ = title;
  setAccessibleName(title);
}

void Plot::setEmptyText(const QString& headline, const QString& sentence) {
  headline_ = headline;
  sentence_ = sentence;
  updateDescription();
  update();
}

void Plot::setCaption(const QString& caption) {
  caption_ = caption;
  caption_width_ = textWidth(textFont(11), caption);
  update();
}

void Plot::setHeaderWidget(QWidget* widget) {
  if (headerWidget_ && headerWidget_ != widget) headerWidget_->deleteLater();
  headerWidget_ = widget;
  if (!widget) return;
  widget->setParent(this);
  placeHeaderWidget();
  widget->show();
}

void Plot::setHeaderVisible(bool visible) {
  headerVisible_ = visible;
  if (headerWidget_) headerWidget_->setVisible(visible);
  update();
}

void Plot::placeHeaderWidget() {
  if (!headerWidget_) return;
  const QSize size = headerWidget_->sizeHint().expandedTo(headerWidget_->minimumSize());
  headerWidget_->setGeometry(width() - size.width() - 12, static_cast<int>((kHeader - size.height()) / 2) + 1,
                             size.width(), size.height());
}

void Plot::addMark(const Mark& mark) {
  appendMark(marks_, mark);
  scheduleRepaint();
}

void Plot::clearMarks() {
  marks_.clear();
  scheduleRepaint();
}

void Plot::clear() {
  clearMarks();
}

void Plot::scheduleRepaint() {
  // A hidden chart is painted anyway when it is shown.
  if (isVisible() && !repaint_.isActive()) repaint_.start();
}

void Plot::updateDescription() {
  QString text = headline_ + QLatin1Char(' ') + sentence_;
  if (!isEmpty()) {
    QStringList parts{partSentence(), summary(), pinnedLines().join(QStringLiteral(", "))};
    parts.removeAll(QString());
    text = parts.join(QStringLiteral(". "));
  }
  if (text != accessibleDescription()) setAccessibleDescription(text);
}

QRectF Plot::plotArea() const {
  const double top = headerVisible_ ? kHeader + kEditRow : kEditRow;
  return {leftMargin(), top, std::max(8.0, width() - leftMargin() - rightMargin()),
          std::max(8.0, height() - top - footMargin())};
}

double Plot::footMargin() const {
  if (caption_.isEmpty()) return kTickRow;
  return kTickRow + kCaptionRow + (caption_width_ > captionRoom() ? kCaptionLine : 0);
}

double Plot::captionRoom() const {
  return std::max(8.0, width() - leftMargin() - kCaptionRight);
}

double Plot::stepToX(double step) const {
  const QRectF area = plotArea();
  const Range range = axis_->range();
  return area.left() + (step - range.low) / range.span() * area.width();
}

double Plot::xToStep(double x) const {
  const QRectF area = plotArea();
  const Range range = axis_->range();
  return range.low + (x - area.left()) / area.width() * range.span();
}

double Plot::valueToY(double value) const {
  const QRectF area = plotArea();
  const Range range = valueRange();
  const ValueScale scale = valueScale();
  const double height = area.height() - (hasStrip() ? kStrip : 0);
  const double high = scale.forward(range.high);
  return area.top() + (high - scale.forward(value)) / (high - scale.forward(range.low)) * height;
}

double Plot::yToValue(double y) const {
  const QRectF area = plotArea();
  const Range range = valueRange();
  const ValueScale scale = valueScale();
  const double height = area.height() - (hasStrip() ? kStrip : 0);
  const double high = scale.forward(range.high);
  return scale.inverse(high - (y - area.top()) / height * (high - scale.forward(range.low)));
}

double Plot::stripY() const {
  return plotArea().bottom() - kStrip / 2;
}

Plot::PlacedMarks Plot::markPositions() const {
  PlacedMarks result;
  const auto toX = [this](double step) { return stepToX(step); };
  const auto add = [&](const std::vector<Mark>& marks, MarkKind kind, double y) {
    for (const MarkGroup& group : mergeMarks(marks, kind, toX)) result.emplace_back(QPointF(group.x, y), group);
  };
  if (hasStrip()) add(marks_, MarkKind::kSkipped, stripY());
  add(marks_, MarkKind::kPolicyEdit, plotArea().top() - kEditRow);
  std::vector<Mark> notes;
  for (const StepNote& note : axis_->notes()) notes.push_back({note.step, MarkKind::kNote, note.text});
  add(notes, MarkKind::kNote, plotArea().top() - kEditRow);
  const QRectF area = plotArea();
  std::erase_if(result, [&](const auto& entry) {
    return entry.second.lastX < area.left() - 4 || entry.second.x > area.right() + 4;
  });
  return result;
}

std::optional<MarkGroup> Plot::markAt(QPointF position) const {
  constexpr double kReach = 9;
  std::optional<MarkGroup> best;
  double nearest = kReach;
  for (const auto& [at, group] : markPositions()) {
    // A merged group can be hit along its whole width.
    const double x = std::clamp(position.x(), at.x(), std::max(at.x(), group.lastX));
    // An edit's flag is right of its step, a note's sheet left of it.
    const double flag = group.kind == MarkKind::kPolicyEdit ? 4 : group.kind == MarkKind::kNote ? -7 : 0;
    const double distance = std::hypot(position.x() - x - flag, position.y() - at.y() - std::fabs(flag));
    if (distance < nearest) {
      nearest = distance;
      best = group;
    }
  }
  return best;
}

std::int64_t Plot::markedStep(const MarkGroup& group, std::int64_t step) const {
  std::int64_t best = group.first;
  for (const StepNote& note : axis_->notes()) {
    const bool member = group.kind == MarkKind::kNote && note.step >= group.first && note.step <= group.last;
    if (member && std::abs(note.step - step) < std::abs(best - step)) best = note.step;
  }
  for (const Mark& mark : marks_) {
    if (mark.kind != group.kind || mark.step > group.last || mark.last() < group.first) continue;
    const std::int64_t nearest = std::clamp(step, mark.step, mark.last());
    if (std::abs(nearest - step) < std::abs(best - step)) best = nearest;
  }
  return best;
}

QImage Plot::toImage(qreal scale) {
  const QSize pixels(static_cast<int>(std::lround(width() * scale)), static_cast<int>(std::lround(height() * scale)));
  QImage image(pixels, QImage::Format_RGB32);
  image.setDevicePixelRatio(scale);
  image.fill(colors().panel);
  QPainter painter(&image);
  paintAll(painter, false);
  return image;
}

bool Plot::savePng(const QString& file, qreal scale) {
  QSaveFile out(file);
  // commit() does not notice that its own flush fails, and would replace the file by a part of the picture.
  return out.open(QIODevice::WriteOnly) && toImage(scale).save(&out, "PNG") && out.flush() && out.commit();
}

bool Plot::saveSvg(const QString& file) {
  return saveSvgFile(file, rect(), title_, [this](QPainter& painter) {
    painter.fillRect(rect(), colors().panel);
    paintAll(painter, false);
  });
}

bool Plot::saveCsv(const QString& file) const {
  QSaveFile out(file);
  if (!out.open(QIODevice::WriteOnly)) return false;
  const QByteArray text = csv().toUtf8();
  return out.write(text) == text.size() && out.flush() && out.commit();
}

QSize Plot::sizeHint() const {
  return {640, 240};
}
QSize Plot::minimumSizeHint() const {
  return {220, 140};
}

}  // namespace binade::views
