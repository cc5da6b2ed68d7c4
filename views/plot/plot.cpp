// SPDX-License-Identifier: Apache-2.0
#include "views/plot/plot.h"

#include "views/values/numbers.h"

#include <QSaveFile>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {
constexpr int kRepaintMs = 33;
constexpr double kHeader = 36;
constexpr double kEditRow = 12;  // space between header and data, for the flags and texts of edits
constexpr double kFoot = 46;     ///< tick labels and the caption
constexpr double kStrip = 16;
}  // namespace

Plot::Plot(StepAxis* axis, QWidget* parent) : QWidget(parent), axis_(axis ? axis : new StepAxis(this)) {
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
  connect(axis_, &StepAxis::cursorChanged, this, qOverload<>(&QWidget::update));
  connect(axis_, &StepAxis::hoverChanged, this, qOverload<>(&QWidget::update));
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
  const QString text = isEmpty() ? headline_ + QLatin1Char(' ') + sentence_ : summary();
  if (text != accessibleDescription()) setAccessibleDescription(text);
}

QRectF Plot::plotArea() const {
  const double top = headerVisible_ ? kHeader + kEditRow : kEditRow;
  return {leftMargin(), top, std::max(8.0, width() - leftMargin() - rightMargin()),
          std::max(8.0, height() - top - kFoot)};
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
  const double height = area.height() - (hasStrip() ? kStrip : 0);
  return area.top() + (range.high - value) / range.span() * height;
}

double Plot::yToValue(double y) const {
  const QRectF area = plotArea();
  const Range range = valueRange();
  const double height = area.height() - (hasStrip() ? kStrip : 0);
  return range.high - (y - area.top()) / height * range.span();
}

double Plot::stripY() const {
  return plotArea().bottom() - kStrip / 2;
}

std::vector<std::pair<QPointF, MarkGroup>> Plot::markPositions() const {
  std::vector<std::pair<QPointF, MarkGroup>> result;
  const auto toX = [this](double step) { return stepToX(step); };
  const auto add = [&](MarkKind kind, double y) {
    for (const MarkGroup& group : mergeMarks(marks_, kind, toX)) result.emplace_back(QPointF(group.x, y), group);
  };
  if (hasStrip()) add(MarkKind::kSkipped, stripY());
  add(MarkKind::kPolicyEdit, plotArea().top() - kEditRow);
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
    const double flag = group.kind == MarkKind::kPolicyEdit ? 4 : 0;
    const double distance = std::hypot(position.x() - x - flag, position.y() - at.y() - flag);
    if (distance < nearest) {
      nearest = distance;
      best = group;
    }
  }
  return best;
}

std::int64_t Plot::markedStep(const MarkGroup& group, std::int64_t step) const {
  std::int64_t best = group.first;
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
  return out.open(QIODevice::WriteOnly) && toImage(scale).save(&out, "PNG") && out.commit();
}

bool Plot::saveSvg(const QString& file) {
  QSaveFile out(file);
  if (!out.open(QIODevice::WriteOnly)) return false;
  QSvgGenerator generator;
  generator.setOutputDevice(&out);
  generator.setSize(size());
  generator.setViewBox(rect());
  generator.setTitle(title_);
  QPainter painter(&generator);
  painter.fillRect(rect(), colors().panel);
  paintAll(painter, false);
  painter.end();
  return out.commit();
}

bool Plot::saveCsv(const QString& file) const {
  QSaveFile out(file);
  if (!out.open(QIODevice::WriteOnly)) return false;
  const QByteArray text = csv().toUtf8();
  return out.write(text) == text.size() && out.commit();
}

QSize Plot::sizeHint() const {
  return {640, 240};
}
QSize Plot::minimumSizeHint() const {
  return {220, 140};
}

}  // namespace binade::views
