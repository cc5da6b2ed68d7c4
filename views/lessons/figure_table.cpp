// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/figure_table.h"

#include "engine/numbers/parse_number.h"
#include "views/theme.h"
#include "views/values/elide.h"
#include "views/values/numbers.h"
#include "views/values/typography.h"

#include <QFontInfo>
#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace binade::views {

namespace {

constexpr double kTableLine = 1.3;  // of the text's size
constexpr double kTablePad = 3.5;   // px above and below a row's text
constexpr double kWidestTable = 900;
constexpr int kWrappedCell = Qt::AlignVCenter | Qt::TextWordWrap;

/// The number that a cell states, also with a unit behind it: `0.0244 %`.
std::optional<double> numberOf(const std::string& text) {
  const auto real = numbers::parse_real(std::string_view(text).substr(0, text.find(' ')));
  const auto* number = std::get_if<numbers::Real>(&real);
  return number != nullptr ? std::optional(number->nearest) : std::nullopt;
}

/// Whether a cell belongs to a column of numbers: a number, also with a sign of comparison before it, or a dash.
bool isFigure(const std::string& text) {
  std::string_view rest = text;
  for (const std::string_view sign : {"<", ">", "≤", "≥", "≈", "~"}) {
    if (rest.starts_with(sign)) rest.remove_prefix(sign.size());
  }
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  return rest.empty() || rest == "–" || rest == "-" || rest == "—" || numberOf(std::string(rest));
}

QFont tableHeadFont(int pixels) {
  return textFont(std::max(pixels - 1, 9), QFont::DemiBold);
}

double widestWord(const QFont& font, const QString& text) {
  double widest = 0;
  for (const QString& word : text.split(QLatin1Char(' '))) widest = std::max(widest, textWidth(font, word) + 2);
  return widest;
}

/// Number of lines of a text in this width.
double linesOf(const QFont& font, const QString& text, double width) {
  if (text.isEmpty() || textWidth(font, text) <= width) return 1;
  const QFontMetricsF metrics(font);
  return std::ceil(metrics.boundingRect({0, 0, width, 1000}, kWrappedCell, text).height() / metrics.height() - 0.1);
}

double sumOf(const std::vector<double>& widths) {
  return std::accumulate(widths.begin(), widths.end(), 0.0);
}

/// Widths of a column without its gap: the least, with words wrapped, and the wanted.
struct ColumnWidths {
  std::vector<double> least;
  std::vector<double> wanted;
};

ColumnWidths columnWidths(const lessons::Table& table, const std::vector<bool>& numbers, int pixels) {
  constexpr double kWantedHead = 110;
  ColumnWidths widths;
  for (std::size_t column = 0; column < table.heads.size(); ++column) {
    const QFont font = figureFont(pixels);
    const QString head = typesetFigures(table.heads[column]);
    double least = widestWord(tableHeadFont(pixels), head);
    double wanted = std::max(least, std::min(textWidth(tableHeadFont(pixels), head) + 2, kWantedHead));
    for (const auto& row : table.rows) {
      if (column >= row.size()) continue;
      const QString text = typesetNumber(row[column]);
      const double whole = textWidth(font, text) + 2;
      wanted = std::max(wanted, whole);
      least = std::max(least, numbers[column] ? whole : widestWord(font, text));
    }
    widths.least.push_back(least);
    widths.wanted.push_back(wanted);
  }
  return widths;
}

}  // namespace

TableCells changedCells(const lessons::Table& before, const lessons::Table& after) {
  TableCells changed;
  if (before.heads.size() != after.heads.size() || before.rows.size() != after.rows.size()) return changed;
  for (std::size_t row = 0; row < after.rows.size(); ++row) {
    if (before.rows[row].size() != after.rows[row].size()) return {};
    for (std::size_t column = 0; column < after.rows[row].size(); ++column) {
      if (before.rows[row][column] != after.rows[row][column]) changed.insert({row, column});
    }
  }
  return changed;
}

FigureTable::FigureTable(const lessons::Table& table, const QRectF& rect) : table_(table), corner_(rect.topLeft()) {
  for (std::size_t column = 0; column < table.heads.size(); ++column) {
    to_right_.push_back(std::all_of(table.rows.begin(), table.rows.end(),
                                    [&](const auto& row) { return column >= row.size() || isFigure(row[column]); }));
  }
  layOut(std::min(rect.width(), kWidestTable));
}

void FigureTable::layOut(double width) {
  struct Size {
    int pixels;
    double gap;
  };
  constexpr Size kSizes[] = {{12, 14}, {11, 12}, {10, 8}, {9, 6}};
  const auto columns = static_cast<double>(table_.heads.size());
  ColumnWidths widths;
  for (const Size& size : kSizes) {
    pixels_ = size.pixels;
    gap_ = size.gap;
    widths = columnWidths(table_, to_right_, pixels_);
    if (sumOf(widths.least) + columns * gap_ <= width) break;
  }
  const double room = width - columns * gap_;
  const double least = sumOf(widths.least);
  const double wanted = sumOf(widths.wanted);
  std::vector<double> shown = widths.wanted;
  if (wanted > room) {
    const double part = wanted > least ? std::clamp((room - least) / (wanted - least), 0.0, 1.0) : 0;
    const double scale = std::min(1.0, room / std::max(least, 1.0));
    for (std::size_t i = 0; i < shown.size(); ++i) {
      shown[i] = (widths.least[i] + part * (widths.wanted[i] - widths.least[i])) * (part > 0 ? 1 : scale);
    }
  }
  // A table that needs less is spread a little, so that its rows are lines to the eye.
  const double spread = std::clamp(width / std::max(sumOf(shown) + columns * gap_, 1.0), 1.0, 1.4);
  double left = 0;
  lefts_ = {0};
  for (const double wide : shown) lefts_.push_back(left += (wide + gap_) * spread);

  const auto rowHigh = [&](const QFont& font, const auto& textOf) {
    double lines = 1;
    for (std::size_t column = 0; column < shown.size(); ++column) {
      lines = std::max(lines, linesOf(font, textOf(column), lefts_[column + 1] - lefts_[column] - gap_));
    }
    return std::round(lines * kTableLine * QFontInfo(font).pixelSize() + 2 * kTablePad);
  };
  double top =
      rowHigh(tableHeadFont(pixels_), [&](std::size_t column) { return typesetFigures(table_.heads[column]); });
  tops_ = {top};
  for (std::size_t row = 0; row < table_.rows.size(); ++row) {
    tops_.push_back(top += rowHigh(figureFont(pixels_), [&](std::size_t column) { return text(row, column); }));
  }
}

double FigureTable::height(const lessons::Table& table, double width) {
  return table.heads.empty() ? 0 : FigureTable(table, {0, 0, width, 0}).height();
}

double FigureTable::height() const {
  return tops_.back() + 1;
}

QRectF FigureTable::cell(std::size_t row, std::size_t column) const {
  return QRectF(QPointF(lefts_[column], tops_[row]), QPointF(lefts_[column + 1], tops_[row + 1])).translated(corner_);
}

QString FigureTable::text(std::size_t row, std::size_t column) const {
  return column < table_.rows[row].size() ? typesetNumber(table_.rows[row][column]) : QString();
}

void FigureTable::paint(QPainter& painter, const TableCells& highlighted) const {
  const Colors& c = colors();
  const auto draw = [&](const QRectF& cell, std::size_t column, const QString& text) {
    const QRectF place = cell.adjusted(gap_ / 2, 0, -gap_ / 2, 0);
    const Qt::Alignment side = to_right_[column] ? Qt::AlignRight : Qt::AlignLeft;
    if (textWidth(painter.font(), text) <= place.width()) {
      drawText(painter, place, side | Qt::AlignVCenter, text);
    } else if (text.contains(QLatin1Char(' '))) {
      painter.drawText(place, static_cast<int>(side) | kWrappedCell, text);
    } else {
      drawText(painter, place, side | Qt::AlignVCenter, elidedRight(text, painter.font(), place.width()));
    }
  };
  painter.fillRect(QRectF(corner_, QSizeF(lefts_.back(), tops_.front())), c.bar);
  painter.setFont(tableHeadFont(pixels_));
  painter.setPen(c.secondText);
  for (std::size_t column = 0; column + 1 < lefts_.size(); ++column) {
    const QRectF head(lefts_[column], 0, lefts_[column + 1] - lefts_[column], tops_.front());
    draw(head.translated(corner_), column, typesetFigures(table_.heads[column]));
  }
  for (const lessons::CellMark& mark : table_.marks) {
    painter.fillRect(cell(mark.row, mark.column).adjusted(0, 1, 0, 0), c.selectedRow);
  }
  painter.setFont(figureFont(pixels_));
  for (std::size_t row = 0; row < table_.rows.size(); ++row) {
    for (std::size_t column = 0; column + 1 < lefts_.size(); ++column) {
      const QRectF place = cell(row, column);
      if (highlighted.contains({row, column})) painter.fillRect(place.adjusted(0, 1, 0, 0), c.selectedRow);
      painter.setPen(c.text);
      draw(place, column, text(row, column));
    }
    painter.setPen(QPen(c.softLine, 0));
    const double foot = corner_.y() + tops_[row + 1];
    painter.drawLine(QPointF(corner_.x(), foot), QPointF(corner_.x() + lefts_.back(), foot));
  }
  // Frames need no more room than the cells have; bold numbers would.
  painter.setPen(QPen(c.indigo, 0));
  painter.setBrush(Qt::NoBrush);
  for (const lessons::CellMark& mark : table_.marks) {
    if (mark.strong) painter.drawRect(cell(mark.row, mark.column).adjusted(0.5, 1.5, -1.5, -0.5));
  }
}

std::optional<FigureHit> FigureTable::hitAt(QPointF position) const {
  for (std::size_t row = 0; row < table_.rows.size(); ++row) {
    for (std::size_t column = 0; column + 1 < lefts_.size(); ++column) {
      if (!cell(row, column).contains(position) || column >= table_.rows[row].size()) continue;
      FigureHit hit{QStringLiteral("%1: %2").arg(typesetFigures(table_.heads[column]), text(row, column))};
      if (const auto number = numberOf(table_.rows[row][column])) {
        // The row or the column may be named after the format that holds the number.
        auto format = formats::parse(table_.heads[column]);
        if (!format) format = formats::parse(table_.rows[row].front());
        hit.number = PickedNumber{*number, format};
      }
      return hit;
    }
  }
  return std::nullopt;
}

}  // namespace binade::views
