// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace binade::app {

/// The file of this program, known before a QApplication is made; empty if the system cannot name it.
QString programFile();

}  // namespace binade::app
