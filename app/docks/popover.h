// SPDX-License-Identifier: Apache-2.0
#pragma once

class QRect;
class QWidget;

namespace binade::app {

/// Shows a window of type Qt::Popup below a rectangle of the screen, or above it if there is no room below, within the
/// screen.
void showPopover(QWidget* popover, const QRect& place);

}  // namespace binade::app
