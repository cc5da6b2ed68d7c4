// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QPainter>
#include <QRectF>

namespace binade::views {

/// Fills columns one device pixel wide. On a raster device, the columns of a whole chart become one image: filling
/// 50,000 rectangles by QPainter takes longer than a frame. On other devices, such as an SVG file, each is a rectangle.
class TraceCanvas {
 public:
  /// `painter` must outlive the canvas; nothing else may use it before flush(). `area`: what can be drawn on.
  TraceCanvas(QPainter& painter, const QRectF& area);
  ~TraceCanvas() { flush(); }
  TraceCanvas(const TraceCanvas&) = delete;
  TraceCanvas& operator=(const TraceCanvas&) = delete;

  int columns() const { return columns_; }
  /// Width of a column in px.
  double width() const { return 1 / ratio_; }
  /// Left edge of a column in px.
  double x(int column) const { return area_.left() + column / ratio_; }
  /// Fills a column from `top` to `bottom`, in px, with an opaque colour. Both edges are smoothed.
  void fill(int column, double top, double bottom, QRgb color);
  /// Draws what was filled, so that more can be painted over it.
  QPainter& flush();

 private:
  QPainter& painter_;
  QRectF area_;
  double ratio_;  ///< device pixels per px
  int columns_;
  int rows_;
  bool image_;     ///< columns are collected in an image
  int first_ = 0;  ///< rows with ink: first_ <= row < end_
  int end_ = 0;
};

}  // namespace binade::views
