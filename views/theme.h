// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <QApplication>
#include <QColor>
#include <QFont>
#include <QObject>

#include <array>

namespace binade::views {

enum class Theme { kLight, kDark };

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
/// Colours of the theme applied last; light before that.
const Colors& colors();

/// Positions of the five heat colours between 0 and 1.
const std::array<double, 5>& heatStops();
/// Heat colour for a share of 0 to 1.
QColor heatColor(double share, const Colors& from = colors());

/// A format's colour, the same everywhere and in both themes. For squares, bars and stripes, not for text.
QColor formatColor(const formats::Format& format);
/// As above, by name (`float16`); the purple of custom formats for unknown names.
QColor formatColor(const QString& name);

/// Applies Fusion, palette, fonts and the style sheet. GUI thread. May be called at any time to switch themes; all
/// widgets repaint and themeEvents() emits themeChanged().
void applyTheme(QApplication& app, Theme theme);

/// Announces a change of theme, after palette and style sheet have been set.
class ThemeEvents : public QObject {
  Q_OBJECT

 Q_SIGNALS:
  void themeChanged(binade::views::Theme theme);
};
ThemeEvents* themeEvents();

/// Interface font: Inter if installed, else DejaVu Sans. Size in px.
QFont textFont(int pixels = 12, QFont::Weight weight = QFont::Normal);
/// The interface font with digits of equal width, for tables and axes.
QFont figureFont(int pixels = 12, QFont::Weight weight = QFont::Normal);

}  // namespace binade::views
