// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/values/colors.h"

#include <QApplication>
#include <QFont>
#include <QObject>

namespace binade::views {

/// Applies the program's style (`views/style/style.h`), palette and fonts. GUI thread. May be called at any time to
/// switch themes; all widgets repaint and themeEvents() emits themeChanged().
void applyTheme(QApplication& app, Theme theme);

/// Announces a change of theme, after the palette has been set.
class ThemeEvents : public QObject {
  Q_OBJECT

 Q_SIGNALS:
  void themeChanged(binade::views::Theme theme);
};
ThemeEvents* themeEvents();

/// Sets the size of all text, as a factor of the design's sizes. Shown widgets follow. GUI thread.
void setTextScale(QApplication& app, double scale);
double textScale();

/// Interface font: Inter if installed, else DejaVu Sans. Size in px, before textScale().
QFont textFont(int pixels = 12, QFont::Weight weight = QFont::Normal);
/// The interface font with digits of equal width, for tables and axes.
QFont figureFont(int pixels = 12, QFont::Weight weight = QFont::Normal);

}  // namespace binade::views
