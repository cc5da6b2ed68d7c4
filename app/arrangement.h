// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

class QMainWindow;

namespace binade::app {

class Dock;

/// Named arrangements of the docks, each for what a person came for.
enum class Arrangement { kExplore, kTune, kDiagnose, kProfile };

/// For settings: `explore`, `tune`, ...
QString arrangementName(Arrangement which);

/// Puts the docks where this arrangement has them; those that it does not show are hidden, and come up beside their
/// kin when a person asks for them. Docks are known by their object names.
void arrange(QMainWindow* window, const QList<Dock*>& docks, Arrangement which);

}  // namespace binade::app
