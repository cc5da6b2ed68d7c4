// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>

class QAction;
class QStatusBar;
class QWidget;

namespace binade::app {

/// Makes the key of each action, while it is disabled, show in the status bar why it is disabled; without this the key
/// does nothing and says nothing. The connections exist as long as the actions. `window` and `status` must outlive
/// them.
void explainRefusedKeys(const QList<QAction*>& actions, QWidget* window, QStatusBar* status);

}  // namespace binade::app
