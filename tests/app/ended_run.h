// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/engine_command.h"
#include "app/session/session.h"

#include <QSettings>

namespace binade::test {

/// A session with settings of its own, for docks that train beside a run. It starts no engine by itself.
class EndedRun {
 public:
  /// `engine`: its commands `try` and `search` are started.
  explicit EndedRun(const app::EngineCommand& engine);

  /// Shows a recorded run that has ended, so that no engine answers for it. Its run file exists, and its policy is the
  /// document's.
  void feed();
  /// Waits for the end of a Try or a search; false: it took too long.
  bool finish();
  app::Session& session() { return session_; }
  QSettings& settings() { return settings_; }

 private:
  QSettings settings_;
  app::Session session_;
};

}  // namespace binade::test
