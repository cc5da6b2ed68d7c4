// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

class QWidget;

namespace binade::app {

/// Calls `then` once, from the event loop, after `widget` was painted for the first time; after half a second where it
/// never is (a window that opens minimised).
void afterFirstPaint(QWidget* widget, std::function<void()> then);

}  // namespace binade::app
