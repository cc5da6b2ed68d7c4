// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <memory>

class QSettings;

namespace binade::app {

/// Version of what the settings mean. Raised when an older program would misread what a newer one wrote.
inline constexpr int kSettingsVersion = 1;

/// Whether settings were written by a newer program.
bool areNewer(const QSettings& settings);

/// Returns settings that this program may write: the stored ones, or for those of a newer program a copy in the file
/// `copy`, without the layout of the window, so that the stored ones stay as they are. areNewer() is true for the copy.
std::unique_ptr<QSettings> usableSettings(std::unique_ptr<QSettings> stored, const QString& copy);

}  // namespace binade::app
