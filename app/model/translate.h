// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <QCoreApplication>

namespace binade::app {

/// Translates a text outside of QObjects, for free functions that create rows, titles and sentences.
inline QString tr(const char* text) {
  return QCoreApplication::translate("Binade", text);
}

}  // namespace binade::app
