// SPDX-License-Identifier: Apache-2.0
#pragma once

class QAction;
class QWidget;

namespace binade::app {

class Banner;

/// Makes the key of a disabled action show why it is disabled, in the banner; without this the key does nothing and
/// says nothing. The connections exist as long as `action`. `window` and `banner` must outlive it.
void explainRefusedKey(QAction* action, QWidget* window, Banner* banner);

}  // namespace binade::app
