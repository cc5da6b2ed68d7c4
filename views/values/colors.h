// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <QColor>
#include <QString>

#include <array>

namespace binade::views {

enum class Theme { kLight, kDark, kHighContrast };

/// The colours of all roles for one theme. Controls are neutral; colour is reserved for data: crimson means not finite
/// or lost, indigo means edited or selected by the user. Read it at paint time; do not store it.
struct Colors {
  Theme theme = Theme::kLight;
  QColor window, panel, bar, otherRow;  ///< backgrounds: gaps, docks, bars and headers, alternate rows
  QColor line, softLine, grid;
  QColor text, secondText, thirdText;
  QColor dataLine, faintDataLine;  ///< the main line, and the noisy one behind it
  QColor headroom, headroomGround;
  QColor band, bandEdge;  ///< safe scale band
  QColor indigo, selectedRow;
  QColor crimson, crimsonGround;
  QColor running, paused, idle;  ///< status dots
  std::array<QColor, 5> heat;    ///< few to many, at the positions of `heatStops()`
};

const Colors& colors(Theme theme);
/// Colours of the theme chosen last; light before that.
const Colors& colors();
/// Makes colors() return those of `theme`. applyTheme() calls it.
void chooseColors(Theme theme);

/// Positions of the five heat colours between 0 and 1.
const std::array<double, 5>& heatStops();
/// Heat colour for a share of 0 to 1.
QColor heatColor(double share, const Colors& from = colors());

/// Whether a theme is light text on a dark ground.
bool isDark(Theme theme);

/// Number of different colours of seriesColor().
inline constexpr int kSeriesColors = 8;
/// Colour of the series with this index in a chart with several; repeats after kSeriesColors. People with deuteranopia
/// or protanopia can tell these colours apart, too.
QColor seriesColor(int index, Theme theme = colors().theme);

/// A format's colour, the same everywhere and in both themes. For squares, bars and stripes, not for text.
QColor formatColor(const formats::Format& format);
/// As above, by name (`float16`); the purple of custom formats for unknown names.
QColor formatColor(const QString& name);
/// The pale shade of a format's colour, for op calls that follow their arguments. On a light ground it is transparent.
/// On a dark ground it is opaque and greyer, with a contrast of at least 3 : 1 to the ground.
QColor paleColor(const QColor& color, Theme theme = colors().theme);

}  // namespace binade::views
