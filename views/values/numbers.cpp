// SPDX-License-Identifier: Apache-2.0
#include "views/values/numbers.h"

#include "views/values/elide.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace binade::views {

namespace {

constexpr std::array<char16_t, 10> kRaised{u'⁰', u'¹', u'²', u'³', u'⁴', u'⁵', u'⁶', u'⁷', u'⁸', u'⁹'};
constexpr char16_t kRaisedMinus = u'⁻';
constexpr QChar kMinus(u'−');
constexpr QChar kDash(u'–');

QString raised(int value) {
  QString text;
  for (const QChar c : QString::number(value)) {
    text += c == QLatin1Char('-') ? QChar(kRaisedMinus) : QChar(kRaised[static_cast<std::size_t>(c.digitValue())]);
  }
  return text;
}

/// Returns the plain character for a superscript; null for any other.
QChar lowered(QChar c) {
  if (c.unicode() == kRaisedMinus) return kMinus;
  for (std::size_t i = 0; i < kRaised.size(); ++i) {
    if (c.unicode() == kRaised[i]) return QChar(static_cast<char16_t>(u'0' + i));
  }
  return {};
}

QString trueMinus(QString text) {
  return text.replace(QLatin1Char('-'), kMinus);
}

struct Piece {
  QString text;
  bool raised = false;
};

std::vector<Piece> pieces(const QString& text) {
  std::vector<Piece> result;
  for (const QChar c : text) {
    const QChar low = lowered(c);
    const bool up = !low.isNull();
    if (result.empty() || result.back().raised != up) result.push_back({{}, up});
    result.back().text += up ? low : c;
  }
  return result;
}

QFont raisedFont(const QFont& font) {
  QFont small = font;
  if (font.pixelSize() > 0) {
    small.setPixelSize(std::max(6, static_cast<int>(std::lround(font.pixelSize() * 0.75))));
  } else {
    small.setPointSizeF(font.pointSizeF() * 0.75);
  }
  return small;
}

bool plain(const QString& text) {
  return std::none_of(text.begin(), text.end(), [](QChar c) { return !lowered(c).isNull(); });
}

}  // namespace

QString powerOfTwo(int exponent) {
  return QLatin1Char('2') + raised(exponent);
}

QString scaleText(double scale) {
  int exponent = 0;
  if (std::isfinite(scale) && scale > 0 && std::frexp(scale, &exponent) == 0.5) return powerOfTwo(exponent - 1);
  return figure(scale);
}

QString grouped(std::int64_t value) {
  return trueMinus(QLocale().toString(static_cast<qlonglong>(value)));
}

QString share(double part) {
  if (std::isnan(part)) return kDash;
  if (part == 0) return QStringLiteral("0");
  if (part == 1) return QStringLiteral("100 %");
  if (part < 0.0001) return QStringLiteral("< %1 %").arg(decimals(0.01, 2));
  // Less than all must not round to 100 %.
  return QStringLiteral("%1 %").arg(decimals(std::min(part * 100, 99.99), 2));
}

QString figure(double value, int figures) {
  if (std::isnan(value)) return QStringLiteral("NaN");
  if (std::isinf(value)) return value > 0 ? QStringLiteral("inf") : QString(kMinus) + QStringLiteral("inf");
  if (value == 0) return QStringLiteral("0");
  int power = static_cast<int>(std::floor(std::log10(std::fabs(value))));
  // 9.996 rounds up to one more digit: 10.0, not 10.00.
  if (std::round(std::fabs(value) * std::pow(10.0, figures - 1 - power)) >= std::pow(10.0, figures)) ++power;
  if (power >= -4 && power < 6) return decimals(value, std::clamp(figures - 1 - power, 0, 12));
  const double mantissa = value / std::pow(10.0, power);
  return QStringLiteral("%1 × 10%2").arg(decimals(mantissa, figures - 1), raised(power));
}

QString plainNumber(double value) {
  return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

QString decimals(double value, int count) {
  return trueMinus(QLocale().toString(value, 'f', count));
}

std::optional<double> typedNumber(const QString& text) {
  QString plain = text.trimmed();
  plain.replace(kMinus, QLatin1Char('-'));
  QLocale files = QLocale::c();
  files.setNumberOptions(QLocale::RejectGroupSeparator);  // else `0,001` would be 1
  bool ok = false;
  double value = files.toDouble(plain, &ok);
  if (!ok) {
    value = QLocale().toDouble(plain, &ok);
    // `0,001` of a reader of German, in an English window: not 1.
    const QString zero = QLatin1Char('0') + QLocale().groupSeparator();
    if (plain.startsWith(zero) || plain.startsWith(QLatin1Char('-') + zero)) ok = false;
  }
  if (!ok || !std::isfinite(value)) return std::nullopt;
  return value;
}

QString percent(double value) {
  return decimals(value, 1) + QStringLiteral(" %");
}

QString duration(double seconds) {
  if (!std::isfinite(seconds)) return kDash;
  const double size = std::fabs(seconds);
  if (size < 0.9995e-3) return figure(seconds * 1e6) + QStringLiteral(" µs");
  if (size < 0.9995) return figure(seconds * 1e3) + QStringLiteral(" ms");
  return figure(seconds) + QStringLiteral(" s");
}

QString sizeText(std::int64_t bytes) {
  return QLocale().formattedDataSize(bytes, 1, QLocale::DataSizeSIFormat);
}

QString doublings(double value) {
  if (std::isnan(value)) return kDash;
  if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : QString(kMinus) + QStringLiteral("∞");
  const double rounded = std::round(value * 10) / 10;
  return decimals(rounded == 0 ? 0 : rounded, 1);
}

double textWidth(const QFont& font, const QString& text) {
  if (plain(text)) return QFontMetricsF(font).horizontalAdvance(text);
  const QFontMetricsF full(font);
  const QFontMetricsF small(raisedFont(font));
  double width = 0;
  for (const Piece& piece : pieces(text)) width += (piece.raised ? small : full).horizontalAdvance(piece.text);
  return width;
}

void drawText(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QString& text) {
  const QFont font = painter.font();
  const QFontMetricsF metrics(font);
  const QString shown = elidedRight(text, font, rect.width());
  if (plain(shown)) {
    painter.drawText(rect, static_cast<int>(alignment) | Qt::TextSingleLine, shown);
    return;
  }
  const double width = textWidth(font, shown);
  double x = rect.left();
  if (alignment & Qt::AlignRight) x = rect.right() - width;
  if (alignment & Qt::AlignHCenter) x = rect.center().x() - width / 2;
  double baseline = rect.top() + metrics.ascent();
  if (alignment & Qt::AlignBottom) baseline = rect.bottom() - metrics.descent();
  if (alignment & Qt::AlignVCenter) baseline = rect.center().y() + (metrics.ascent() - metrics.descent()) / 2;
  const QFont small = raisedFont(font);
  for (const Piece& piece : pieces(shown)) {
    painter.setFont(piece.raised ? small : font);
    painter.drawText(QPointF(x, piece.raised ? baseline - metrics.capHeight() / 2.2 : baseline), piece.text);
    x += QFontMetricsF(painter.font()).horizontalAdvance(piece.text);
  }
  painter.setFont(font);
}

}  // namespace binade::views
