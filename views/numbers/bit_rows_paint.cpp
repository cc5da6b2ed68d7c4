// SPDX-License-Identifier: Apache-2.0
#include "views/numbers/bit_rows.h"
#include "views/table/delegates.h"
#include "views/theme.h"
#include "views/values/format_name.h"
#include "views/values/numbers.h"

#include <QPainter>

#include <cmath>

namespace binade::views {

namespace {

constexpr double kFormatSquare = 10;

/// Ground of a group of bits. The fraction has the format's own colour, so that the length of its bars is seen at once.
QColor groupGround(BitGroup group, const formats::Format& format) {
  const Colors& c = colors();
  if (group == BitGroup::kSign) return c.headroomGround;
  if (group == BitGroup::kExponent) return c.band;
  QColor ground = formatColor(format);
  ground.setAlpha(isDark(c.theme) ? 70 : 60);
  return ground;
}

}  // namespace

void BitRows::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), colors().panel);
  const BitRowColumns at = BitRowColumns::in(width());
  paintHead(painter, at);
  for (int row = 0; row < rows(); ++row) paintRow(painter, at, row);
}

void BitRows::paintHead(QPainter& painter, const BitRowColumns& at) const {
  const Colors& c = colors();
  painter.fillRect(QRectF(0, 0, width(), at.headerHigh), c.bar);
  painter.setPen(QPen(c.softLine, 0));
  painter.drawLine(QPointF(0, at.headerHigh - 1), QPointF(width(), at.headerHigh - 1));
  painter.setFont(textFont(11, QFont::DemiBold));
  painter.setPen(c.secondText);
  const auto head = [&](double left, double wide, const QString& text, Qt::Alignment side = Qt::AlignLeft) {
    drawText(painter, {left, 0, wide, at.headerHigh}, side | Qt::AlignVCenter, text);
  };
  const double left = at.cells.left();
  // The sign's single column is narrower than its caption, which reaches into the gap beside it.
  head(left - 4, at.bits.left(1) + at.bits.cell + 4, tr("sign"));
  head(left + at.bits.left(1), 8 * at.bits.cell, tr("exponent"), Qt::AlignRight);
  head(left + at.bits.left(9), 23 * at.bits.cell, tr("fraction"));
  if (!at.wide) return;
  head(at.name.left(), at.name.width(), tr("Format"));
  head(at.value.left(), at.value.width(), tr("Value"));
  head(at.kind.left(), at.kind.width(), tr("Class"));
  head(at.error.left(), at.error.width() - 8, tr("Error"), Qt::AlignRight);
  head(at.ulp.left(), at.ulp.width() - 8, tr("ulp"), Qt::AlignRight);
  head(at.binade.left(), at.binade.width(), tr("Binade"), Qt::AlignRight);
}

void BitRows::paintBits(QPainter& painter, const BitRowColumns& at, int row) const {
  const Colors& c = colors();
  const formats::Format& format = formatAt(row);
  const numbers::Number number = numberAt(row);
  const int bits = numbers::width(format);
  const QFont zero = figureFont(12);
  const QFont one = figureFont(12, QFont::DemiBold);
  for (int bit = 0; bit < bits; ++bit) {
    const QRectF box = bitBox(row, bit);
    painter.fillRect(box.adjusted(0, 0, at.bits.cell > 10 ? -1 : 0, 0),
                     groupGround(BitLayout::groupOf(format, bit), format));
    const bool set = bitOf(number, bit);
    painter.setFont(set ? one : zero);
    painter.setPen(set ? c.text : c.secondText);
    painter.drawText(box, Qt::AlignCenter, set ? QStringLiteral("1") : QStringLiteral("0"));
  }
  if (row != row_ || !hasFocus()) return;
  painter.setPen(QPen(c.indigo, 0));
  const QRectF cursor = bitBox(row, cursorBit());
  painter.drawRect(cursor.adjusted(-1, -1, 0, 0));
  painter.drawRect(cursor.adjusted(-2, -2, 1, 1));
}

void BitRows::paintRow(QPainter& painter, const BitRowColumns& at, int row) const {
  const Colors& c = colors();
  const double top = rowTop(row);
  const bool selected = row == row_;
  if (selected) painter.fillRect(QRectF(0, top, width(), at.rowHigh - 1), c.selectedRow);
  painter.setPen(QPen(c.softLine, 0));
  painter.drawLine(QPointF(0, top + at.rowHigh - 1), QPointF(width(), top + at.rowHigh - 1));
  const formats::Format& format = formatAt(row);
  const NumberWords words = numberWords(shown_, format);
  const auto text = [&](QRectF box, const QString& shown, Qt::Alignment side = Qt::AlignLeft) {
    drawText(painter, box.translated(0, top), side | Qt::AlignVCenter, shown);
  };
  const QRectF name = at.name.translated(0, top);
  drawFormatSquare(painter, QRectF(name.left(), name.center().y() - kFormatSquare / 2, kFormatSquare, kFormatSquare),
                   formatName(format), CellExecution::kNative);
  painter.setFont(textFont(12, selected ? QFont::DemiBold : QFont::Normal));
  painter.setPen(c.text);
  text(at.name.adjusted(kFormatSquare + 6, 0, 0, 0), formatName(format));
  paintBits(painter, at, row);

  painter.setFont(figureFont(12));
  painter.setPen(c.text);
  text(at.value, shownValue(row));
  // Infinity and NaN that a person typed are no loss; those that rounding made are.
  painter.setFont(textFont(12));
  painter.setPen(words.effect.isEmpty() ? c.secondText : c.crimson);
  text(at.kind, words.effect.isEmpty() ? words.kind : words.effect, at.wide ? Qt::AlignLeft : Qt::AlignRight);
  painter.setPen(c.secondText);
  if (!at.wide) {
    painter.setFont(figureFont(11));
    text(at.error, tr("error %1 · ulp %2 · binade %3").arg(words.error, words.ulp, words.binade));
    return;
  }
  painter.setFont(figureFont(12));
  text(at.error.adjusted(0, 0, -8, 0), words.error, Qt::AlignRight);
  text(at.ulp.adjusted(0, 0, -8, 0), words.ulp, Qt::AlignRight);
  text(at.binade, words.binade, Qt::AlignRight);
}

}  // namespace binade::views
