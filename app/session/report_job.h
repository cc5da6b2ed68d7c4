// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/session/worker.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <optional>

namespace binade::app {

/// The result of writing a report.
struct ReportResult {
  QString file;
  qint64 bytes = 0;
  std::size_t damaged = 0;         ///< parts of the run file that could not be read
  std::optional<Problem> problem;  ///< set if nothing was written
};

/// Writes a report of a run file on another thread, one at a time. All functions are called on the GUI thread.
class ReportJob : public QObject {
  Q_OBJECT

 public:
  explicit ReportJob(QObject* parent = nullptr) : QObject(parent) {}

  bool isRunning() const { return running_; }
  /// Starts a report of `runFile` in `file`, which it replaces once the report is complete; finished() follows. Does
  /// nothing if one is running.
  void start(const QString& runFile, const QString& file);

 Q_SIGNALS:
  /// The number of steps read so far; emitted a few times during long files.
  void progress(qint64 steps);
  void finished(const binade::app::ReportResult& result);

 private:
  bool running_ = false;
  Worker worker_;
};

}  // namespace binade::app
