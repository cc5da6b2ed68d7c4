// SPDX-License-Identifier: Apache-2.0
#include "views/table/cast_delegates.h"

#include "views/theme.h"
#include "views/values/format_name.h"
#include "views/values/numbers.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace binade::views {

namespace {

constexpr double kCastSquare = 10;
constexpr int kLowerFont = 11;  // px, font of the second line

/// How the two formats of a cast are drawn: the widest way that fits.
struct CastWay {
  bool brief;
  double gap;  ///< px between a square and its format's name
  QString arrow;
  double around;  ///< px on each side of the arrow
};

constexpr double kCastGap = 6;
constexpr double kTightGap = 3;
constexpr double kTightArrow = 2;

const std::array<CastWay, 4>& castWays() {
  static const std::array<CastWay, 4> ways{
      CastWay{false, kCastGap, QStringLiteral(" → "), 0}, CastWay{false, kTightGap, QStringLiteral("→"), kTightArrow},
      CastWay{true, kCastGap, QStringLiteral(" → "), 0}, CastWay{true, kTightGap, QStringLiteral("→"), kTightArrow}};
  return ways;
}

QRectF upperLine(const QRectF& rect) {
  return {rect.left(), rect.top() + 2, rect.width(), 19};
}

QRectF lowerLine(const QRectF& rect) {
  return {rect.left(), rect.top() + 20, rect.width(), 17};
}

/// Draws a format with its square at the left of `rect`. Returns the x at which it ends.
double drawFormat(QPainter& painter, const QRectF& rect, const QString& format, const QString& name, double gap) {
  const QRectF square(rect.left(), std::floor(rect.center().y() - kCastSquare / 2) + 1, kCastSquare, kCastSquare);
  drawFormatSquare(painter, square, format, CellExecution::kNative);
  const QRectF words = rect.adjusted(kCastSquare + gap, 0, 0, 0);
  drawText(painter, words, Qt::AlignLeft | Qt::AlignVCenter, name);
  return words.left() + textWidth(painter.font(), name);
}

double formatWidth(const QString& name, int size, double gap = kCastGap) {
  return kCastSquare + gap + textWidth(textFont(size), name);
}

QString nameIn(const CastWay& way, const QString& format) {
  return way.brief ? briefFormatName(format) : format;
}

double castWidth(const CastWay& way, const QStringList& formats) {
  return formatWidth(nameIn(way, formats[0]), 12, way.gap) + textWidth(textFont(12), way.arrow) + 2 * way.around +
         formatWidth(nameIn(way, formats[1]), 12, way.gap);
}

const CastWay& wayThatFits(const QStringList& formats, double width) {
  const auto& ways = castWays();
  const auto found =
      std::find_if(ways.begin(), ways.end(), [&](const CastWay& way) { return castWidth(way, formats) <= width; });
  return found == ways.end() ? ways.back() : *found;
}

/// The word before the format of an edit, with its space.
QString wordIn() {
  return EditDelegate::tr("in") + u' ';
}

constexpr double kAfterWord = 2;

QString argumentOf(const QModelIndex& index) {
  const QString argument = index.data(FootRole).toString();
  return argument.isEmpty() ? QString() : QStringLiteral(", ") + argument;
}

}  // namespace

QStringList CastDelegate::shownFormats(const QModelIndex& index, double width) {
  const QStringList formats = index.data(FormatsRole).toStringList();
  if (formats.size() != 2) return {};
  const CastWay& way = wayThatFits(formats, width);
  return {nameIn(way, formats[0]), nameIn(way, formats[1])};
}

double CastDelegate::callRoom(const QModelIndex& index, double width) {
  // At least half of the line is the op call's: a long argument is elided.
  return std::max(width - textWidth(textFont(kLowerFont), argumentOf(index)), width / 2);
}

void CastDelegate::paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                                const QModelIndex& index) const {
  const QStringList formats = index.data(FormatsRole).toStringList();
  painter.setFont(textFont(12));
  painter.setPen(penOf(option, index, false));
  if (formats.size() == 2) {
    const CastWay& way = wayThatFits(formats, rect.width());
    QRectF line = upperLine(rect);
    line.setLeft(drawFormat(painter, line, formats[0], nameIn(way, formats[0]), way.gap) + way.around);
    drawText(painter, line, Qt::AlignLeft | Qt::AlignVCenter, way.arrow);
    line.setLeft(line.left() + textWidth(painter.font(), way.arrow) + way.around);
    drawFormat(painter, line, formats[1], nameIn(way, formats[1]), way.gap);
  }
  painter.setFont(textFont(kLowerFont));
  painter.setPen(colors().secondText);
  drawText(painter, lowerLine(rect), Qt::AlignLeft | Qt::AlignVCenter,
           shownCall(index, callRoom(index, rect.width())) + argumentOf(index));
}

double CastDelegate::contentWidth(const QModelIndex& index) const {
  const QStringList formats = index.data(FormatsRole).toStringList();
  const double above = formats.size() == 2 ? castWidth(castWays().front(), formats) : 0;
  return std::max(above, CallDelegate::contentWidth(index) + textWidth(textFont(kLowerFont), argumentOf(index)));
}

void EditDelegate::paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                                const QModelIndex& index) const {
  const QString format = index.data(FormatRole).toString();
  if (format.isEmpty()) return CellDelegate::paintContent(painter, rect, option, index);
  painter.setFont(textFont(12));
  painter.setPen(penOf(option, index, false));
  drawText(painter, upperLine(rect), Qt::AlignLeft | Qt::AlignVCenter, shownCall(index, rect.width()));
  painter.setFont(textFont(kLowerFont));
  painter.setPen(colors().secondText);
  QRectF line = lowerLine(rect);
  drawText(painter, line, Qt::AlignLeft | Qt::AlignVCenter, wordIn());
  line.setLeft(line.left() + textWidth(painter.font(), wordIn()) + kAfterWord);
  drawFormat(painter, line, format, shownFormat(index, rect.width()), kCastGap);
}

QString EditDelegate::shownFormat(const QModelIndex& index, double width) {
  const QString format = index.data(FormatRole).toString();
  const double room = width - textWidth(textFont(kLowerFont), wordIn()) - kAfterWord;
  return formatWidth(format, kLowerFont) <= room ? format : briefFormatName(format);
}

double EditDelegate::contentWidth(const QModelIndex& index) const {
  const QString format = index.data(FormatRole).toString();
  if (format.isEmpty()) return CellDelegate::contentWidth(index);
  return std::max(textWidth(textFont(12), index.data(CallRole).toString()),
                  textWidth(textFont(kLowerFont), wordIn()) + kAfterWord + formatWidth(format, kLowerFont));
}

}  // namespace binade::views
