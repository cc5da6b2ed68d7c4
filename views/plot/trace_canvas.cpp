// SPDX-License-Identifier: Apache-2.0
#include "views/plot/trace_canvas.h"

#include <QImage>
#include <QPaintDevice>
#include <QPaintEngine>

#include <algorithm>
#include <cmath>
#include <vector>

namespace binade::views {

namespace {

/// Pixels of the chart that is painted now: column by column, so that filling a column writes consecutive memory, and
/// row by row. Kept between frames, since getting the memory anew costs as much as filling it. Between two canvases,
/// `byColumn` is transparent.
struct Pixels {
  std::vector<QRgb> byColumn;
  std::vector<QRgb> byRow;
};

Pixels& canvasPixels() {
  thread_local Pixels shared;
  return shared;
}

/// Each channel times `part` / 255.
QRgb scaled(QRgb color, unsigned part) {
  unsigned low = (color & 0xff00ffU) * part;
  low = ((low + ((low >> 8) & 0xff00ffU) + 0x800080U) >> 8) & 0xff00ffU;
  unsigned high = ((color >> 8) & 0xff00ffU) * part;
  high = (high + ((high >> 8) & 0xff00ffU) + 0x800080U) & 0xff00ff00U;
  return low | high;
}

/// Puts an opaque colour over part of a pixel.
void blend(QRgb& pixel, QRgb color, double coverage) {
  const auto part = static_cast<unsigned>(std::lround(coverage * 255));
  const QRgb ink = scaled(color, part);
  pixel = pixel == 0 ? ink : ink + scaled(pixel, 255U - part);
}

}  // namespace

TraceCanvas::TraceCanvas(QPainter& painter, const QRectF& area)
    : painter_(painter),
      area_(area),
      ratio_(painter.device() ? painter.device()->devicePixelRatioF() : 1),
      columns_(static_cast<int>(std::ceil(area.width() * ratio_))),
      rows_(static_cast<int>(std::ceil(area.height() * ratio_))),
      image_(painter.paintEngine() && painter.paintEngine()->type() == QPaintEngine::Raster &&
             painter.worldTransform().type() <= QTransform::TxTranslate && columns_ > 0 && rows_ > 0),
      first_(rows_) {
  if (!image_) return;
  const std::size_t size = static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_);
  if (canvasPixels().byColumn.size() < size) canvasPixels().byColumn.resize(size, 0);
}

void TraceCanvas::fill(int column, double top, double bottom, QRgb color) {
  if (column < 0 || column >= columns_) return;
  if (!image_) {
    painter_.setRenderHint(QPainter::Antialiasing);
    painter_.fillRect(QRectF(x(column), top, width(), bottom - top), QColor(color));
    return;
  }
  const double from = std::max((top - area_.top()) * ratio_, 0.0);
  const double until = std::min((bottom - area_.top()) * ratio_, static_cast<double>(rows_));
  if (!(until > from)) return;
  const int first = static_cast<int>(from);
  const int last = std::min(static_cast<int>(until), rows_ - 1);
  QRgb* pixel = canvasPixels().byColumn.data() + static_cast<std::ptrdiff_t>(column) * rows_;
  first_ = std::min(first_, first);
  end_ = std::max(end_, last + 1);
  if (first == last) return blend(pixel[first], color, until - from);
  blend(pixel[first], color, first + 1 - from);
  std::fill(pixel + first + 1, pixel + last, color);
  blend(pixel[last], color, until - last);
}

QPainter& TraceCanvas::flush() {
  if (!image_ || end_ <= first_) return painter_;
  // Transposed in blocks that fit the cache.
  constexpr int kBlock = 32;
  const int high = end_ - first_;
  auto& byRow = canvasPixels().byRow;
  const std::size_t size = static_cast<std::size_t>(columns_) * static_cast<std::size_t>(high);
  if (byRow.size() < size) byRow.resize(size);
  QRgb* source = canvasPixels().byColumn.data();
  for (int left = 0; left < columns_; left += kBlock) {
    const int right = std::min(left + kBlock, columns_);
    for (int top = 0; top < high; top += kBlock) {
      const int bottom = std::min(top + kBlock, high);
      for (int column = left; column < right; ++column) {
        QRgb* from = source + static_cast<std::ptrdiff_t>(column) * rows_ + first_;
        for (int row = top; row < bottom; ++row) {
          byRow[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column)] =
              from[row];
        }
        std::fill(from + top, from + bottom, QRgb{0});
      }
    }
  }
  QImage image(reinterpret_cast<const uchar*>(byRow.data()), columns_, high, qsizetype{columns_} * 4,
               QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(ratio_);
  painter_.drawImage(QPointF(area_.left(), area_.top() + first_ / ratio_), image);
  first_ = rows_;
  end_ = 0;
  return painter_;
}

}  // namespace binade::views
