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

/// The colour of every role, for one theme. Chrome is neutral; colour belongs to data: crimson means not finite or
/// lost, indigo means what the person did or selected. Read by painters at paint time, never kept.
struct Colors {
  Theme theme = Theme::kLight;
  QColor window, panel, bar, otherRow;  ///< grounds: gaps, docks, bars and headers, every other row
  QColor line, softLine, grid;
  QColor text, secondText, thirdText;
  QColor dataLine, faintDataLine;  ///< the line that is read, and the noisy one behind it
  QColor headroom, headroomGround;
  QColor band, bandEdge;  ///< safe scale band
  QColor indigo, selectedRow;
  QColor crimson, crimsonGround;
  QColor running, paused, idle;  ///< status dots
  std::array<QColor, 5> heat;    ///< few to many, at the stops of `heatStops()`
};

const Colors& colors(Theme theme);
/// The theme that was applied last; light before that.
const Colors& colors();

/// Where the five heat colours lie between no and all.
const std::array<double, 5>& heatStops();
/// Heat colour at 0..1.
QColor heatColor(double share, const Colors& from = colors());

/// The one colour a format has everywhere, in both themes. For squares, bars and stripes; never for text.
QColor formatColor(const formats::Format& format);
/// The same by name (`float16`); custom's purple for anything unknown.
QColor formatColor(const QString& name);

/// The program's style (`views/style/style.h`), palette and fonts. GUI thread. May be called again at any time to
/// switch; every widget repaints, and `themeEvents()` tells those who keep something.
void applyTheme(QApplication& app, Theme theme);

/// Announces a change of theme, after the palette is in place.
class ThemeEvents : public QObject {
  Q_OBJECT

 Q_SIGNALS:
  void themeChanged(binade::views::Theme theme);
};
ThemeEvents* themeEvents();

/// Interface font: Inter where installed, else DejaVu Sans. Size in px.
QFont textFont(int pixels = 12, QFont::Weight weight = QFont::Normal);
/// The same with figures of equal width, for tables and axes.
QFont figureFont(int pixels = 12, QFont::Weight weight = QFont::Normal);

}  // namespace binade::views
