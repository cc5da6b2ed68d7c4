// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/figure_table.h"

#include "engine/numbers/parse_number.h"
#include "views/theme.h"
#include "views/values/elide.h"
#include "views/values/numbers.h"
#include "views/values/typography.h"

#include <QFontMetricsF>

#include <algorithm>
#include <numeric>

namespace binade::views {

namespace {

constexpr double kTableRow = 22;
constexpr double kTableHeadLine = 15;
constexpr double kTableGap = 14;  // between columns
constexpr double kWidestTable = 760;

/// The number that a cell states, also with a unit behind it: `0.0244 %`.
std::optional<double> numberOf(const std::string& text) {
  const auto real = numbers::parse_real(std::string_view(text).substr(0, text.find(' ')));
  const auto* number = std::get_if<numbers::Real>(&real);
  return number != nullptr ? std::optional(number->nearest) : std::nullopt;
}

QFont tableHeadFont() {
  return textFont(11, QFont::DemiBold);
}

double widestWord(const QString& text) {
  double widest = 0;
  for (const QString& word : text.split(QLatin1Char(' '))) {
    widest = std::max(widest, textWidth(tableHeadFont(), word) + 1);
  }
  return widest;
}

/// Widths of columns, with the gaps, that fill at most `width`.
std::vector<double> columnWidths(const lessons::Table& table, double width) {
  std::vector<double> least;
  std::vector<double> wanted;
  for (std::size_t column = 0; column < table.heads.size(); ++column) {
    const QString head = typeset(table.heads[column]);
    double cells = 0;
    for (const auto& row : table.rows) {
      if (column < row.size()) cells = std::max(cells, textWidth(figureFont(12), typeset(row[column])) + 1);
    }
    const double word = widestWord(head);
    least.push_back(std::max(word, std::min(cells, 60.0)) + kTableGap);
    wanted.push_back(std::max({cells, word, std::min(textWidth(tableHeadFont(), head) + 1, 110.0)}) + kTableGap);
  }
  const double all = std::accumulate(wanted.begin(), wanted.end(), 0.0);
  const double few = std::accumulate(least.begin(), least.end(), 0.0);
  if (all <= width || all <= few) return wanted;
  // What is missing is taken from the columns by the space that they have.
  const double part = std::clamp((width - few) / (all - few), 0.0, 1.0);
  for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = least[i] + part * (wanted[i] - least[i]);
  const double sum = std::accumulate(wanted.begin(), wanted.end(), 0.0);
  if (sum <= width) return wanted;
  for (double& each : wanted) each *= width / sum;
  return wanted;
}

double headHigh(const lessons::Table& table, const std::vector<double>& widths) {
  bool two = false;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    two = two || textWidth(tableHeadFont(), typeset(table.heads[i])) > widths[i] - kTableGap;
  }
  return (two ? 2 : 1) * kTableHeadLine + 8;
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

FigureTable::FigureTable(const lessons::Table& table, const QRectF& rect) : table_(table), rect_(rect) {
  rect_.setWidth(std::min(rect.width(), kWidestTable));
  const auto widths = columnWidths(table, rect_.width());
  const double sum = std::accumulate(widths.begin(), widths.end(), 0.0);
  // A table that needs less is spread a little, so that its rows are lines to the eye.
  const double spread = sum > 0 ? std::clamp(rect_.width() / sum, 1.0, 1.4) : 1;
  double left = rect_.left();
  lefts_.push_back(left);
  for (const double wide : widths) lefts_.push_back(left += wide * spread);
  head_ = headHigh(table, widths);
  for (std::size_t column = 0; column < widths.size(); ++column) {
    to_right_.push_back(std::all_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
      return column >= row.size() || row[column].empty() || numberOf(row[column]);
    }));
  }
}

double FigureTable::height(const lessons::Table& table, double width) {
  if (table.heads.empty()) return 0;
  return headHigh(table, columnWidths(table, std::min(width, kWidestTable))) +
         kTableRow * static_cast<double>(table.rows.size()) + 1;
}

QRectF FigureTable::cell(std::size_t row, std::size_t column) const {
  return {lefts_[column], rect_.top() + head_ + kTableRow * static_cast<double>(row),
          lefts_[column + 1] - lefts_[column], kTableRow};
}

QString FigureTable::text(std::size_t row, std::size_t column) const {
  return column < table_.rows[row].size() ? typeset(table_.rows[row][column]) : QString();
}

void FigureTable::paint(QPainter& painter, const TableCells& highlighted) const {
  const Colors& c = colors();
  const double right = lefts_.back();
  const auto within = [](const QRectF& cell) { return cell.adjusted(kTableGap / 2, 0, -kTableGap / 2, 0); };
  painter.fillRect(QRectF(rect_.left(), rect_.top(), right - rect_.left(), head_), c.bar);
  painter.setFont(tableHeadFont());
  painter.setPen(c.secondText);
  for (std::size_t column = 0; column + 1 < lefts_.size(); ++column) {
    const QRectF place = within({lefts_[column], rect_.top(), lefts_[column + 1] - lefts_[column], head_});
    const QString head = typeset(table_.heads[column]);
    const int side = to_right_[column] ? Qt::AlignRight : Qt::AlignLeft;
    if (textWidth(painter.font(), head) <= place.width()) {
      drawText(painter, place, Qt::Alignment(side) | Qt::AlignVCenter, head);
    } else {
      painter.drawText(place, side | Qt::AlignVCenter | Qt::TextWordWrap, head);
    }
  }
  painter.setFont(figureFont(12));
  for (std::size_t row = 0; row < table_.rows.size(); ++row) {
    for (std::size_t column = 0; column + 1 < lefts_.size(); ++column) {
      const QRectF place = cell(row, column);
      if (highlighted.count({row, column}) != 0) painter.fillRect(place.adjusted(0, 1, 0, 0), c.selectedRow);
      painter.setPen(c.text);
      const Qt::Alignment side = to_right_[column] ? Qt::AlignRight : Qt::AlignLeft;
      const QRectF inner = within(place);
      drawText(painter, inner, side | Qt::AlignVCenter, elidedRight(text(row, column), painter.font(), inner.width()));
    }
    painter.setPen(QPen(c.softLine, 0));
    const double foot = cell(row, 0).bottom();
    painter.drawLine(QPointF(rect_.left(), foot), QPointF(right, foot));
  }
}

std::optional<FigureHit> FigureTable::hitAt(QPointF position) const {
  for (std::size_t row = 0; row < table_.rows.size(); ++row) {
    for (std::size_t column = 0; column + 1 < lefts_.size(); ++column) {
      if (!cell(row, column).contains(position) || column >= table_.rows[row].size()) continue;
      FigureHit hit{QStringLiteral("%1: %2").arg(typeset(table_.heads[column]), text(row, column))};
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
