// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/engine_command.h"
#include "app/window/theme_setting.h"

#include <QString>

class QSettings;

namespace binade::app {

/// How numbers are written in the window. Files always have a decimal point and no groups.
enum class NumberStyle { kSystem, kPointAndComma, kCommaAndPoint, kCommaAndSpace };

/// What happens with an engine whose system cannot confine it.
enum class Unconfined { kAsk, kStart, kDoNotStart };

/// What the settings dialog changes.
struct Preferences {
  ThemeChoice theme = ThemeChoice::kSystem;
  NumberStyle numbers = NumberStyle::kSystem;
  int text_percent = 100;  ///< size of all text
  bool hints = true;       ///< a hint in each arrangement
  QString engine;          ///< what to start as the engine, as for engineCommand(); empty: the one of this computer

  Unconfined unconfined = Unconfined::kAsk;

  friend bool operator==(const Preferences&, const Preferences&) = default;
};

Preferences preferences(const QSettings& settings);
void storePreferences(QSettings& settings, const Preferences& wanted);

/// The engine, with the confinement that the user demands of it.
EngineCommand confinedAsWanted(EngineCommand engine, const Preferences& wanted);

/// Makes the whole program look as wanted: theme, numbers, size of text. Also as a preview: nothing is stored.
void applyLooks(const Preferences& wanted);

}  // namespace binade::app
