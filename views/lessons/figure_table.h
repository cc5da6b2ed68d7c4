// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/figure_data.h"
#include "views/lessons/figure_panel.h"

#include <QPainter>

#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace binade::views {

/// Cells of a table, as row and column.
using TableCells = std::set<std::pair<std::size_t, std::size_t>>;

/// Cells whose texts differ between two tables of the same shape; none if the shapes differ.
TableCells changedCells(const lessons::Table& before, const lessons::Table& after);

/// The table of a figure, laid out in a rectangle. In a narrow one, columns of words and heads wrap, and the text is
/// smaller, so that numbers stay whole. Refers to the table, which must outlive it.
class FigureTable {
 public:
  FigureTable(const lessons::Table& table, const QRectF& rect);

  static double height(const lessons::Table& table, double width);
  double height() const;

  /// Paints the table, its marked cells, and some cells highlighted.
  void paint(QPainter& painter, const TableCells& highlighted) const;
  std::optional<FigureHit> hitAt(QPointF position) const;

 private:
  QRectF cell(std::size_t row, std::size_t column) const;
  QString text(std::size_t row, std::size_t column) const;

  void layOut(double width);

  const lessons::Table& table_;
  QPointF corner_;
  int pixels_ = 12;             ///< size of the text
  double gap_ = 14;             ///< between columns
  std::vector<double> lefts_;   ///< of columns, and the right end; from the corner
  std::vector<double> tops_;    ///< of rows, and the foot; from the corner
  std::vector<bool> to_right_;  ///< columns of numbers
};

}  // namespace binade::views
