// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFontMetricsF>
#include <QPainter>
#include <QString>

#include <concepts>
#include <cstdint>
#include <optional>

namespace binade::views {

// Numbers for display: the locale's grouping and decimal sign, a true minus sign, superscript exponents. Sentences and
// lesson files have forms of their own in ASCII, which are the same everywhere: engine/words/numbers.h,
// engine/lessons/figure_parts.h.

/// `2¹⁹`, `2⁻²⁴`.
QString powerOfTwo(int exponent);
/// `2¹⁹` for a power of two, else three significant figures. NaN and infinity by name.
QString scaleText(double scale);
/// `524,288`: grouped by the locale, true minus sign.
QString grouped(std::int64_t value);
/// The same for other integer types, such as the size of a container.
template <std::integral T>
QString grouped(T value) {
  return grouped(static_cast<std::int64_t>(value));
}
/// A fraction as percent with two decimals: `0.16 %`; `< 0.01 %` below that. `100 %` and `0` only for exactly 1 and 0.
QString share(double part);
/// A value in percent, with one decimal: `41.5 %`.
QString percent(double value);
/// Seconds with three significant figures: `21.0 µs`, `1.42 ms`, `2.10 s`. `–` for NaN.
QString duration(double seconds);
/// `9.6 MB`.
QString sizeText(std::int64_t bytes);
/// Doublings left, one decimal: `0.5`, `−2.0`; `∞` for a tensor of zeros, `–` for NaN.
QString doublings(double value);
/// `figures` significant figures, without an exponent if that is short, else `1.23 × 10⁻⁵`. `NaN`, `inf`, `−inf`.
QString figure(double value, int figures = 3);
/// The shortest text that reads back as the same number, for files, fields and the clipboard: the C locale and ASCII,
/// `0.001`, `6.103515625e-05`, `nan`, `-inf`.
QString plainNumber(double value);
/// The value with exactly `count` decimals, by the locale, true minus sign.
QString decimals(double value, int count);
/// Reads a number as people type it: like plainNumber() (`0.001`, `1e-5`), else by the locale (`0,001`, `1.024,5`). A
/// single point is a decimal point in every locale, since fields show plainNumber(). NaN, infinity and text: nullopt.
std::optional<double> typedNumber(const QString& text);

/// Paints text whose superscript digits (`¹⁹`, `⁻²⁴`) are drawn as ordinary digits at 75 % size, raised by a third.
/// Elides like elidedRight() if it does not fit. Uses the painter's font and pen.
void drawText(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QString& text);
/// Width that drawText() needs.
double textWidth(const QFont& font, const QString& text);

}  // namespace binade::views
