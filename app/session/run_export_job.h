// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/session/worker.h"
#include "engine/interchange/export_run.h"

#include <QObject>
#include <QString>

#include <atomic>
#include <optional>

namespace binade::app {

/// The result of writing a run for another tool.
struct RunExportResult {
  QString path;
  interchange::RunExport written;
  std::optional<Problem> problem;  ///< set if nothing was written
};

/// Writes a run file for another tool, on another thread. One at a time.
class RunExportJob : public QObject {
  Q_OBJECT

 public:
  explicit RunExportJob(QObject* parent = nullptr);

  bool isRunning() const { return running_; }
  /// Starts an export to the new file or folder `path`; finished() follows. Does nothing if one is running.
  void start(const QString& run_file, interchange::RunTarget target, const QString& path);
  /// Asks the export to end and to leave nothing behind. finished() follows: with a problem, unless it was complete.
  void cancel();

 Q_SIGNALS:
  /// The share of 0 to 1 of the run written so far.
  void progress(double share);
  void finished(const binade::app::RunExportResult& result);

 private:
  bool running_ = false;
  std::atomic<bool> cancelled_ = false;  ///< read on the worker's thread
  Worker worker_;                        ///< last: its thread ends first
};

}  // namespace binade::app
