// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <QCoreApplication>

namespace binade::app {

/// The translation of a text that no QObject shows: free functions that word rows, titles and sentences.
inline QString tr(const char* text) {
  return QCoreApplication::translate("Binade", text);
}

}  // namespace binade::app
