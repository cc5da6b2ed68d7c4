// SPDX-License-Identifier: Apache-2.0
#include "tests/support/suite.h"
#include "views/values/colors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace binade::views {

namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

// Machado, Oliveira and Fernandes, 2009, severity 1, for linear RGB.
constexpr Matrix kNormal{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix kProtanopia{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeuteranopia{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};

double linear(double v) {
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

Vector linearOf(const QColor& color) {
  return {linear(color.redF()), linear(color.greenF()), linear(color.blueF())};
}

/// CIELAB of a colour as seen with this kind of sight.
Vector labOf(const QColor& color, const Matrix& sight) {
  const Vector rgb = linearOf(color);
  Vector seen{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) seen[i] += sight[i][j] * rgb[j];
    seen[i] = std::clamp(seen[i], 0.0, 1.0);
  }
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  const double x = f((0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.9505);
  const double y = f(0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]);
  const double z = f((0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.089);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

/// The smallest distance of two of the colours in any of these kinds of sight.
double leastDistance(const std::vector<QColor>& palette,
                     const std::vector<const Matrix*>& sights = {&kNormal, &kProtanopia, &kDeuteranopia}) {
  double least = std::numeric_limits<double>::infinity();
  for (const Matrix* sight : sights) {
    for (std::size_t i = 0; i < palette.size(); ++i) {
      for (std::size_t j = i + 1; j < palette.size(); ++j) {
        const Vector a = labOf(palette[i], *sight);
        const Vector b = labOf(palette[j], *sight);
        least = std::min(least, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
      }
    }
  }
  return least;
}

double luminance(const QColor& color) {
  const Vector rgb = linearOf(color);
  return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
}

double contrast(const QColor& a, const QColor& b) {
  const double x = luminance(a) + 0.05;
  const double y = luminance(b) + 0.05;
  return std::max(x, y) / std::min(x, y);
}

/// How colourful a colour is: its distance from the grey of the same lightness.
double chroma(const QColor& color) {
  const Vector lab = labOf(color, kNormal);
  return std::hypot(lab[1], lab[2]);
}

/// A colour as painted on a ground.
QColor over(const QColor& color, const QColor& ground) {
  const auto mix = [&color](double own, double below) {
    return static_cast<float>(below + (own - below) * color.alphaF());
  };
  return QColor::fromRgbF(mix(color.redF(), ground.redF()), mix(color.greenF(), ground.greenF()),
                          mix(color.blueF(), ground.blueF()));
}

std::vector<QColor> seriesColors(Theme theme) {
  std::vector<QColor> all;
  for (int i = 0; i < kSeriesColors; ++i) all.push_back(seriesColor(i, theme));
  return all;
}

}  // namespace

class Palettes : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  // A distance of 2.3 in CIELAB is just noticeable side by side; thin lines far apart need about ten times that.
  void seriesAreToldApartInEveryKindOfSight_data() { themes(); }
  void seriesAreToldApartInEveryKindOfSight() {
    QFETCH(int, theme);
    const auto palette = seriesColors(static_cast<Theme>(theme));
    const double least = leastDistance(palette);
    QVERIFY2(least >= 25, qPrintable(QString::number(least)));
    for (const QColor& color : palette) {
      const double against = contrast(color, colors(static_cast<Theme>(theme)).panel);
      QVERIFY2(against >= 3, qPrintable(color.name() + QString::number(against)));
    }
    QCOMPARE(seriesColor(kSeriesColors, static_cast<Theme>(theme)), palette.front());
  }

  void formatsAreToldApartInEveryKindOfSight() {
    std::vector<QColor> palette;
    for (const char* name : {"float32", "tfloat32", "bfloat16", "float16", "float8_e5m2", "e5m6"}) {
      palette.push_back(formatColor(QString::fromLatin1(name)));
    }
    const double least = leastDistance(palette);
    QVERIFY2(least >= 15, qPrintable(QString::number(least)));
  }

  // On a light ground not even the full colours have 3 : 1, so there the shade only differs from both.
  void thePaleShadeOfAFormatIsSeen_data() { themes(); }
  void thePaleShadeOfAFormatIsSeen() {
    QFETCH(int, theme);
    const auto which = static_cast<Theme>(theme);
    const Colors& c = colors(which);
    for (const QColor& ground : {c.panel, c.bar, c.selectedRow}) {
      for (const char* name : {"float32", "tfloat32", "bfloat16", "float16", "float8_e4m3fn", "float8_e5m2", "e5m6"}) {
        const QColor full = formatColor(QString::fromLatin1(name));
        const QColor seen = over(paleColor(full, which), ground);
        const double against = contrast(seen, ground);
        const QByteArray at = QByteArray(name) + ' ' + seen.name().toLatin1() + ' ' + QByteArray::number(against);
        QVERIFY2(against >= (isDark(which) ? 3 : 1.2), at);
        QVERIFY2(leastDistance({seen, full}, {&kNormal}) >= 15, at);
        QVERIFY2(chroma(seen) <= 0.8 * chroma(full), at);
      }
    }
  }

  // The simulation itself: red and green of equal lightness are far apart, and close with deuteranopia.
  void theSimulationConfusesRedAndGreen() {
    const QColor red(200, 80, 40);
    const QColor green(115, 130, 40);
    const auto distance = [&](const Matrix& sight) {
      const Vector a = labOf(red, sight);
      const Vector b = labOf(green, sight);
      return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    };
    QVERIFY(distance(kNormal) > 50);
    QVERIFY2(distance(kDeuteranopia) < 20, qPrintable(QString::number(distance(kDeuteranopia))));
  }

  void highContrastHasSevenToOneForWordsAndThreeToOneForLines() {
    const Colors& c = colors(Theme::kHighContrast);
    for (const QColor& ground : {c.window, c.panel, c.bar, c.otherRow, c.selectedRow, c.crimsonGround}) {
      for (const QColor& text : {c.text, c.secondText, c.thirdText, c.crimson, c.indigo}) {
        QVERIFY2(contrast(text, ground) >= 7, qPrintable(text.name() + ground.name()));
      }
    }
    for (const QColor& line : {c.line, c.softLine, c.dataLine, c.faintDataLine, c.bandEdge, c.running, c.paused}) {
      QVERIFY2(contrast(line, c.panel) >= 3, qPrintable(line.name()));
    }
  }

 private:
  static void themes() {
    QTest::addColumn<int>("theme");
    QTest::newRow("light") << static_cast<int>(Theme::kLight);
    QTest::newRow("dark") << static_cast<int>(Theme::kDark);
    QTest::newRow("high contrast") << static_cast<int>(Theme::kHighContrast);
  }
};

BINADE_SUITE(Palettes);

}  // namespace binade::views

#include "tst_palettes.moc"
