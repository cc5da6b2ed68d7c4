// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QMenu;
class QSettings;

namespace binade::app {

/// What the person chose; the system's is found out at start.
enum class ThemeChoice { kSystem, kLight, kDark };

ThemeChoice themeChoice(const QSettings& settings);
/// Applies a choice to the whole program. Must be called once before `systemIsDark()` can no longer be told from the
/// palette, which applying a theme replaces.
void applyThemeChoice(ThemeChoice choice);
/// A menu with the three choices; a change is applied at once and kept.
void fillThemeMenu(QMenu* menu, QSettings* settings);

}  // namespace binade::app
