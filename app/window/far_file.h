// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace binade::app {

/// Asks for the name of a file on another computer, whose folders this program cannot list. `chosen` is called with a
/// name that is not empty, unless the user cancels.
void askFarFile(QWidget* window, const QString& title, const QString& label, const QString& proposal,
                std::function<void(const QString&)> chosen);

}  // namespace binade::app
