// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>

class QSettings;

namespace binade::app {

class Dock;

/// Gives every chart of the docks the axis that the user chose for it before, and stores each later choice.
/// `settings` must outlive the docks.
void rememberCharts(const QList<Dock*>& docks, QSettings* settings);

}  // namespace binade::app
