// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/window/translations.h"
#include "tests/support/places.h"

#include <QCoreApplication>

namespace binade::test {

/// The program's German texts, shown as long as the object lives.
class InGerman {
 public:
  InGerman() : shown_(texts_.load(QStringLiteral(BINADE_BIN_DIR "/../share/binade/translations/binade_de.qm"))) {
    if (shown_) QCoreApplication::installTranslator(&texts_);
  }
  /// False if the build made no translations, for want of lrelease.
  bool isShown() const { return shown_; }

 private:
  app::TextTranslator texts_;
  bool shown_;
};

}  // namespace binade::test
