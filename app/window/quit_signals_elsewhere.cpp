// SPDX-License-Identifier: Apache-2.0
#include "app/window/quit_signals.h"

#include <QSocketNotifier>

namespace binade::app {

QuitSignals::QuitSignals() = default;
QuitSignals::~QuitSignals() = default;

}  // namespace binade::app
