// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/session/worker.h"
#include "engine/interchange/export_run.h"

#include <QObject>
#include <QString>

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
  /// Ends the export, which leaves nothing behind. finished() follows, with a problem.
  void cancel();

 Q_SIGNALS:
  /// The share of 0 to 1 of the run written so far.
  void progress(double share);
  void finished(const binade::app::RunExportResult& result);

 private:
  void end(const RunExportResult& result);

  bool running_ = false;
  QString path_;
  Worker worker_;
};

}  // namespace binade::app
