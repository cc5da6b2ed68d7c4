// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QMenu;
class QSettings;

namespace binade::app {

/// The user's choice of theme; kSystem is resolved at start.
enum class ThemeChoice { kSystem, kLight, kDark, kHighContrast };

ThemeChoice themeChoice(const QSettings& settings);
void storeThemeChoice(QSettings& settings, ThemeChoice choice);
/// Applies a choice to the whole program. The first call must precede any other change of the palette, from which the
/// system's theme is determined.
void applyThemeChoice(ThemeChoice choice);
/// Fills a menu with the choices; a change is applied and stored at once.
void fillThemeMenu(QMenu* menu, QSettings* settings);

}  // namespace binade::app
