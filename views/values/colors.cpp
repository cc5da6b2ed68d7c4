// SPDX-License-Identifier: Apache-2.0
#include "views/values/colors.h"

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

Theme chosen = Theme::kLight;

Colors makeLight() {
  Colors c;
  c.theme = Theme::kLight;
  c.window = 0xECEEF1, c.panel = 0xFFFFFF, c.bar = 0xF3F4F7, c.otherRow = 0xF7F8FA;
  c.line = 0xCFD4DB, c.softLine = 0xE7EAEE, c.grid = 0xEDF0F3;
  c.text = 0x1A1E24, c.secondText = 0x525C68, c.thirdText = 0x656F7B;
  c.dataLine = 0x1F242B, c.faintDataLine = 0xA3A9B1;
  c.headroom = 0x656F7B, c.headroomGround = 0xE7EAEE;
  c.band = 0xDDE7EE, c.bandEdge = 0x9FB3C2;
  c.indigo = 0x5457CD, c.selectedRow = 0xE6E6FB;
  c.crimson = 0xB5123E, c.crimsonGround = 0xFCEBEF;
  c.running = 0x2E9E5B, c.paused = 0xC98A00, c.idle = 0x8A94A0;
  c.heat = {0xFFFFFF, 0xC9D6E2, 0x7E97B0, 0x44607F, 0x1B2F4A};
  return c;
}

Colors makeDark() {
  Colors c;
  c.theme = Theme::kDark;
  c.window = 0x101317, c.panel = 0x191D23, c.bar = 0x20252C, c.otherRow = 0x1D2229;
  c.line = 0x343B45, c.softLine = 0x2A3038, c.grid = 0x242A32;
  c.text = 0xE8EBEF, c.secondText = 0xAEB7C2, c.thirdText = 0x8792A0;
  c.dataLine = 0xE8EBEF, c.faintDataLine = 0x5C6672;
  c.headroom = 0x8792A0, c.headroomGround = 0x2A3038;
  c.band = 0x26333E, c.bandEdge = 0x5B7487;
  c.indigo = 0x9A9CF5, c.selectedRow = 0x2E3058;
  c.crimson = 0xFF6D8B, c.crimsonGround = 0x3A1C26;
  c.running = 0x4CC07C, c.paused = 0xC98A00, c.idle = 0x8A94A0;
  c.heat = {0x191D23, 0x243448, 0x45688C, 0x86AFD4, 0xDCEBF8};
  return c;
}

// Text and lines against black with at least 7 : 1, and a line around everything that others tell apart by ground only.
Colors makeHighContrast() {
  Colors c;
  c.theme = Theme::kHighContrast;
  c.window = c.panel = c.bar = QColor(Qt::black), c.otherRow = 0x141414;
  c.line = 0xC8C8C8, c.softLine = 0x8C8C8C, c.grid = 0x4A4A4A;
  c.text = 0xFFFFFF, c.secondText = 0xFFFFFF, c.thirdText = 0xD6D6D6;
  c.dataLine = 0xFFFFFF, c.faintDataLine = 0x9A9A9A;
  c.headroom = 0xFFFFFF, c.headroomGround = 0x3C3C3C;
  c.band = 0x1E3A4C, c.bandEdge = 0xA8DCFF;
  c.indigo = 0xC8C8FF, c.selectedRow = 0x14144E;
  c.crimson = 0xFF9AB0, c.crimsonGround = 0x4A0016;
  c.running = 0x7CF0A8, c.paused = 0xFFC84A, c.idle = 0xD6D6D6;
  c.heat = {QColor(Qt::black), 0x24456E, 0x5C94CC, 0xB4DCFF, 0xFFFFFF};
  return c;
}

}  // namespace

const Colors& colors(Theme theme) {
  static const Colors light = makeLight();
  static const Colors dark = makeDark();
  static const Colors contrast = makeHighContrast();
  return theme == Theme::kLight ? light : theme == Theme::kDark ? dark : contrast;
}

bool isDark(Theme theme) {
  return theme != Theme::kLight;
}

// Found by a search for colours with a contrast of 3 : 1 to the ground whose smallest pairwise distance in CIELAB is
// largest in three kinds of sight; tests/views/tst_palettes.cpp computes the distances.
QColor seriesColor(int index, Theme theme) {
  static constexpr std::array<QRgb, kSeriesColors> kLight{0x1F242B, 0x0000F0, 0xC87800, 0x28A0C8,
                                                          0x00A078, 0x782800, 0x2878F0, 0x000078};
  static constexpr std::array<QRgb, kSeriesColors> kDark{0xE8EBEF, 0xA0A000, 0x78A0F0, 0xA05078,
                                                         0xF0F000, 0x5050F0, 0xA07850, 0xF0F0A0};
  const auto at = static_cast<std::size_t>(std::max(index, 0) % kSeriesColors);
  return QColor(isDark(theme) ? kDark[at] : kLight[at]);
}

const Colors& colors() {
  return colors(chosen);
}

void chooseColors(Theme theme) {
  chosen = theme;
}

const std::array<double, 5>& heatStops() {
  static constexpr std::array<double, 5> stops{0, .25, .55, .8, 1};
  return stops;
}

QColor heatColor(double share, const Colors& from) {
  const auto& stops = heatStops();
  const double at = std::clamp(share, 0.0, 1.0);
  std::size_t i = 1;
  while (i + 1 < stops.size() && stops[i] < at) ++i;
  const double part = (at - stops[i - 1]) / (stops[i] - stops[i - 1]);
  const QColor& a = from.heat[i - 1];
  const QColor& b = from.heat[i];
  const auto mix = [part](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * part)); };
  return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

QColor formatColor(const formats::Format& format) {
  if (format == formats::kFloat32) return 0x0072B2;
  if (format == formats::kTFloat32) return 0x56B4E9;
  if (format == formats::kBFloat16) return 0x009E73;
  if (format == formats::kFloat16) return 0xE69F00;
  if (format == formats::kFloat8E4M3fn || format == formats::kFloat8E5M2) return 0xD55E00;
  return 0xCC79A7;
}

QColor formatColor(const QString& name) {
  const auto format = formats::parse(name.toStdString());
  return formatColor(format.value_or(formats::Format{2, 1}));
}

QColor paleColor(const QColor& color, Theme theme) {
  if (!isDark(theme)) {
    QColor pale = color;
    pale.setAlpha(105);
    return pale;
  }
  // A transparent colour would be too dark on a dark ground, so it is mixed with grey.
  constexpr double kOwn = 0.35;
  const QColor& grey = colors(Theme::kDark).thirdText;
  const auto mix = [](int own, int other) { return static_cast<int>(std::lround(other + (own - other) * kOwn)); };
  return {mix(color.red(), grey.red()), mix(color.green(), grey.green()), mix(color.blue(), grey.blue())};
}

}  // namespace binade::views
