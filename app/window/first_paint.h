// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

class QWidget;

namespace binade::app {

/// Calls `then` once, from the event loop, after the first paint of `widget`, or after half a second if it is not
/// painted (window opened minimised).
void afterFirstPaint(QWidget* widget, std::function<void()> then);

}  // namespace binade::app
