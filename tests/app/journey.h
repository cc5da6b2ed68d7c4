// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/places.h"

#include <QtCore/QString>

namespace binade::test {

/// How long a journey waits for the engine, in milliseconds. A loaded machine needs it; nothing here waits that long
/// otherwise.
inline constexpr int kPatience = 60000;

/// The engine that the window starts: the built one, or what BINADE_ENGINE names.
inline QString enginePath() {
  const QString named = qEnvironmentVariable("BINADE_ENGINE");
  return named.isEmpty() ? QStringLiteral(BINADE_BIN_DIR "/binade-engine") : named;
}

}  // namespace binade::test
