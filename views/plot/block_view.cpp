// SPDX-License-Identifier: Apache-2.0
#include "views/plot/block_view.h"

#include "views/theme.h"
#include "views/values/colors.h"
#include "views/values/numbers.h"

#include <QFocusEvent>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QLineF>
#include <QList>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

namespace binade::views {

namespace {

constexpr double kSide = 14;       // margin left and right, for labels at the ends
constexpr double kHead = 22;       // height of the line of text
constexpr double kRulerHigh = 26;  // height of the ruler with its labels
constexpr double kClosest = 3;     // px between two marks of the ruler
constexpr double kDot = 2.5;       // largest radius
constexpr double kCircleLane = 3;  // px of height from which a value has circles

/// Every number of an element that is not negative, ascending.
std::vector<double> numbersOf(scaled::Element element) {
  std::vector<double> numbers;
  const int codes = 1 << (scaled::layout(element).bits() - 1);
  for (int code = 0; code < codes; ++code) {
    const double number = scaled::decode(static_cast<std::uint8_t>(code), element);
    if (std::isfinite(number) && number <= scaled::layout(element).largest) numbers.push_back(number);
  }
  return numbers;
}

bool isLost(float value, float quantized) {
  return value != 0 && quantized == 0;
}

double reachOf(const BlockView::Block& block) {
  double most = 0;
  for (std::size_t i = 0; i < block.values.size(); ++i) {
    most = std::max(
        {most, std::abs(static_cast<double>(block.values[i])), std::abs(static_cast<double>(block.quantized[i]))});
  }
  return most > 0 ? most : block.scale;
}

}  // namespace

BlockView::BlockView(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("One block"));
  describe();
}

void BlockView::setBlocks(std::vector<Block> blocks, scaled::Element element) {
  blocks_ = std::move(blocks);
  element_ = element;
  setCurrent(blocks_.empty() ? -1 : 0);
}

void BlockView::choose(int index) {
  if (blocks_.empty()) return;
  const int chosen = std::clamp(index, 0, static_cast<int>(blocks_.size()) - 1);
  if (chosen != current_) setCurrent(chosen);
}

void BlockView::setCurrent(int index) {
  current_ = index;
  reach_ = shown() == nullptr ? 1 : reachOf(*shown());
  describe();
  update();
  Q_EMIT currentChanged(current_);
}

const BlockView::Block* BlockView::shown() const {
  return current_ < 0 ? nullptr : &blocks_[static_cast<std::size_t>(current_)];
}

QString BlockView::description() const {
  const Block* block = shown();
  if (block == nullptr) return tr("No block.");
  const QString scale = std::exp2(std::round(std::log2(block->scale))) == block->scale
                            ? powerOfTwo(static_cast<int>(std::lround(std::log2(block->scale))))
                            : figure(block->scale, 4);
  const QString noise = std::isinf(block->snr_db) ? tr("exact") : tr("%1 dB").arg(decimals(block->snr_db, 1));
  std::ptrdiff_t lost = 0;
  for (std::size_t i = 0; i < block->values.size(); ++i) lost += isLost(block->values[i], block->quantized[i]) ? 1 : 0;
  return tr("Block %1 of %2, %3: %4 values, scale %5, signal to noise %6, %7 became 0")
      .arg(grouped(current_ + 1), grouped(std::ssize(blocks_)), block->place, grouped(std::ssize(block->values)), scale,
           noise, grouped(lost));
}

void BlockView::describe() {
  setAccessibleDescription(description());
  setToolTip(blocks_.empty() ? QString() : tr("The arrow keys choose the block, the worst first."));
}

std::vector<double> BlockView::ruler() const {
  const Block* block = shown();
  if (block == nullptr) return {};
  std::vector<double> all;
  const std::vector<double> numbers = numbersOf(element_);
  for (auto number = numbers.rbegin(); number != numbers.rend(); ++number) {
    if (*number > 0) all.push_back(-*number * block->scale);
  }
  for (const double number : numbers) all.push_back(number * block->scale);
  return all;
}

QRectF BlockView::plotArea() const {
  return QRectF(rect()).adjusted(kSide, kHead, -kSide, -kRulerHigh);
}

double BlockView::placeOf(double number) const {
  const QRectF area = plotArea();
  return area.center().x() + number / reach_ * area.width() / 2;
}

// Marks that would touch become one grey span: the ruler is dense there.
void BlockView::paintRuler(QPainter& painter, const QRectF& area) const {
  const Colors& c = colors();
  const std::vector<double> marks = ruler();
  painter.setPen(QPen(c.line, 0));
  painter.drawLine(area.bottomLeft(), area.bottomRight());
  double last = -1e9;
  double label_end = -1e9;
  painter.setFont(figureFont(10));
  for (const double mark : marks) {
    const double x = placeOf(mark);
    if (x < area.left() - 0.5 || x > area.right() + 0.5) continue;
    const bool dense = x - last < kClosest;
    if (dense) {
      painter.fillRect(QRectF(last, area.bottom(), x - last, 5), c.line);
    } else {
      painter.setPen(QPen(c.grid, 0));
      painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
      painter.setPen(QPen(c.secondText, 0));
      painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + 5));
    }
    last = x;
    const QString text = figure(mark, 3);
    const double wide = textWidth(painter.font(), text);
    if (dense || x - wide / 2 < label_end + 8) continue;
    if (x - wide / 2 < rect().left() || x + wide / 2 > rect().right()) continue;
    painter.setPen(c.secondText);
    drawText(painter, QRectF(x - wide / 2, area.bottom() + 7, wide, 14), Qt::AlignCenter, text);
    label_end = x + wide / 2;
  }
}

void BlockView::paintValues(QPainter& painter, const QRectF& area) const {
  const Colors& c = colors();
  const Block& block = *shown();
  const double lane = area.height() / static_cast<double>(block.values.size());
  if (lane < kCircleLane) return paintManyValues(painter, area);
  const double radius = std::clamp(lane / 2 - 0.5, 0.5, kDot);
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t i = 0; i < block.values.size(); ++i) {
    const double y = area.top() + (static_cast<double>(i) + 0.5) * lane;
    const double from = placeOf(block.values[i]);
    const double to = placeOf(block.quantized[i]);
    const QColor color = isLost(block.values[i], block.quantized[i]) ? c.crimson : c.dataLine;
    painter.setPen(QPen(color, 0));
    painter.drawLine(QPointF(from, y), QPointF(to, y));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(QPointF(from, y), radius, radius);
    painter.setBrush(color);
    painter.drawEllipse(QPointF(to, y), radius, radius);
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
}

// Antialiased circles of a block of 128 x 128 would hold up the window.
void BlockView::paintManyValues(QPainter& painter, const QRectF& area) const {
  const Colors& c = colors();
  const Block& block = *shown();
  const double lane = area.height() / static_cast<double>(block.values.size());
  QList<QLineF> ways, kept, lost;
  for (std::size_t i = 0; i < block.values.size(); ++i) {
    const double y = area.top() + (static_cast<double>(i) + 0.5) * lane;
    const double from = placeOf(block.values[i]);
    const double to = placeOf(block.quantized[i]);
    const bool is_lost = isLost(block.values[i], block.quantized[i]);
    ways.append(QLineF(from, y, to, y));
    (is_lost ? lost : kept).append(QLineF(to - 1, y, to + 1, y));
  }
  // What became 0 comes last, so that nothing covers it.
  for (const auto& [lines, color] :
       {std::pair(&ways, c.faintDataLine), std::pair(&kept, c.dataLine), std::pair(&lost, c.crimson)}) {
    painter.setPen(QPen(color, 0));
    painter.drawLines(*lines);
  }
}

void BlockView::paintEvent(QPaintEvent*) {
  const Colors& c = colors();
  QPainter painter(this);
  painter.fillRect(rect(), c.panel);
  painter.setFont(textFont(11));
  painter.setPen(c.secondText);
  const QRectF head(kSide, 0, width() - 2 * kSide, kHead);
  const QString text = QFontMetricsF(painter.font()).elidedText(description(), Qt::ElideRight, head.width());
  drawText(painter, head, Qt::AlignLeft | Qt::AlignVCenter, text);
  if (shown() != nullptr) {
    paintRuler(painter, plotArea());
    paintValues(painter, plotArea());
  }
  if (hasFocus()) {
    painter.setPen(QPen(c.indigo, 0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

void BlockView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Down:
      return choose(current_ + 1);
    case Qt::Key_Left:
    case Qt::Key_Up:
      return choose(current_ - 1);
    case Qt::Key_Home:
      return choose(0);
    case Qt::Key_End:
      return choose(static_cast<int>(blocks_.size()) - 1);
    default:
      QWidget::keyPressEvent(event);
  }
}

void BlockView::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  update();
}

void BlockView::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  update();
}

}  // namespace binade::views
