// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/figure_data.h"
#include "views/lessons/figure_panel.h"
#include "views/lessons/figure_table.h"

#include <QImage>
#include <QRectF>

#include <optional>
#include <vector>

namespace binade::views {

/// A figure laid out in a rectangle: its panels from top to bottom and its table below them. For widgets, saved
/// pictures and exports. Refers to the data, which must outlive it.
class FigurePicture {
 public:
  /// If `rect` is lower than leastHeight(), the picture extends below it.
  FigurePicture(const lessons::FigureData& data, const QRectF& rect);

  static double leastHeight(const lessons::FigureData& data, double width);

  /// Paints in the colours of the present theme. `highlighted` cells of the table have another ground.
  void paint(QPainter& painter, const TableCells& highlighted = {}) const;
  /// What is shown at a position, and the number there.
  std::optional<FigureHit> hitAt(QPointF position) const;
  const std::vector<FigurePanel>& panels() const { return panels_; }

 private:
  std::vector<FigurePanel> panels_;
  std::optional<FigureTable> table_;
};

/// Paints a figure, with its title above and its source below, on the theme's panel colour. `width` in px; the height
/// follows from the figure. `scale`: device pixels for each px.
QImage figureImage(const lessons::FigureData& data, int width, qreal scale = 2);

/// The figure's table as CSV (RFC 4180), in the C locale; without a table, the points of its curves.
QString figureCsv(const lessons::FigureData& data);

/// The figure in words: title, paragraph, table and source, as plain text.
QString figureWords(const lessons::FigureData& data);

}  // namespace binade::views
