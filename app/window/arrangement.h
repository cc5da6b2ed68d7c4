// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

#include <array>

class QMainWindow;

namespace binade::app {

class Dock;

/// Named arrangements of the docks, one per task.
enum class Arrangement { kExplore, kTune, kDiagnose, kProfile, kLearn };

/// All arrangements, in the order of the tool bar.
inline constexpr std::array kArrangements{Arrangement::kExplore, Arrangement::kTune, Arrangement::kDiagnose,
                                          Arrangement::kProfile, Arrangement::kLearn};

/// Name for settings: `explore`, `tune`, ...
QString arrangementName(Arrangement which);

/// Applies an arrangement. Docks that are not part of it are hidden, and appear next to related docks when the user
/// opens them. Docks are identified by object name. Each arrangement keeps its own layout. The suite app.Looks checks
/// that every arrangement fits 1280 x 800 in both themes.
void arrange(QMainWindow* window, const QList<Dock*>& docks, Arrangement which);

}  // namespace binade::app
