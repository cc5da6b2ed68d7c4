// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/session/worker.h"
#include "engine/interchange/event_bundle.h"

#include <QObject>
#include <QString>

#include <optional>

namespace binade::app {

/// The result of writing an event as a folder.
struct BundleResult {
  QString folder;
  interchange::EventBundle written;
  std::optional<Problem> problem;  ///< set if nothing was written
};

/// Writes the events of a step as a folder that reproduces them, on another thread. One at a time.
class BundleJob : public QObject {
  Q_OBJECT

 public:
  explicit BundleJob(QObject* parent = nullptr) : QObject(parent) {}

  bool isRunning() const { return running_; }
  /// Writes the new folder, with the files of data if asked for; finished() follows. Does nothing if one is being
  /// written.
  void start(const QString& run_file, qint64 step, const QString& folder, bool data);

 Q_SIGNALS:
  void finished(const binade::app::BundleResult& result);

 private:
  bool running_ = false;
  Worker worker_;  ///< last: its thread ends first
};

}  // namespace binade::app
