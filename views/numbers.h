// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFontMetricsF>
#include <QPainter>
#include <QString>

#include <cstdint>

namespace binade::views {

// Numbers as people read them: the locale's grouping, a true minus, raised exponents. Files never use these.

/// `2¹⁹`, `2⁻²⁴`.
QString powerOfTwo(int exponent);
/// `2¹⁹` where the value is a power of two, else three figures. NaN and infinity by name.
QString scaleText(double scale);
/// `524,288`: grouped by the locale, true minus.
QString grouped(std::int64_t value);
/// A share of one as percent, two decimals: `0.16 %`; `< 0.01 %` below that, `100 %` and `0` only for exactly all and
/// none.
QString share(double part);
/// Seconds with three figures: `21.0 µs`, `1.42 ms`, `2.10 s`. `–` for NaN.
QString duration(double seconds);
/// Doublings left, one decimal: `0.5`, `−2.0`; `∞` for a tensor of zeros, `–` for NaN.
QString doublings(double value);
/// `figures` significant figures without an exponent where that is short, else `1.23 × 10⁻⁵`. `NaN`, `inf`, `−inf`.
QString figure(double value, int figures = 3);

/// Paints text in which raised figures (`¹⁹`, `⁻²⁴`) stand as ordinary figures at 75 % size, raised by a third.
/// Where it does not fit it is cut as elidedRight() cuts. Uses the painter's font and pen.
void drawText(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QString& text);
/// Width that `drawText` needs.
double textWidth(const QFont& font, const QString& text);

}  // namespace binade::views
