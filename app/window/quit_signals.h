// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

class QSocketNotifier;

namespace binade::app {

/// Ends the event loop when the system or a terminal asks the program to end (SIGTERM, SIGINT, SIGHUP), so that the
/// engine ends and temporary files are removed. Asks nothing: unsaved edits are offered by the next start. A second
/// signal ends the program at once. One at a time, on the GUI thread, after QApplication. Nothing changes where the
/// system has no such signals or refuses a pipe.
class QuitSignals {
 public:
  QuitSignals();
  ~QuitSignals();
  QuitSignals(const QuitSignals&) = delete;
  QuitSignals& operator=(const QuitSignals&) = delete;

 private:
  std::unique_ptr<QSocketNotifier> notifier_;
};

}  // namespace binade::app
