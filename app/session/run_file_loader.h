// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/model/run_data.h"
#include "app/session/worker.h"
#include "engine/record/damage.h"

#include <QObject>
#include <QString>

#include <functional>
#include <optional>

namespace binade::app {

/// A run file that was read, to be shown as a whole.
struct LoadedRun {
  QString file;
  RunData run;
  record::Damage damage;
  std::optional<Problem> problem;  ///< set if nothing can be shown
  bool whole_follows = false;      ///< statistics are still being read
};

/// Reads run files on another thread, one at a time.
class RunFileLoader : public QObject {
  Q_OBJECT

 public:
  using Done = std::function<void(LoadedRun& loaded)>;
  using Whole = std::function<void(LoadedRun& loaded)>;

  /// The file that is being read; empty: none.
  const QString& file() const { return file_; }
  /// Whether the statistics of a file that was shown are still being read.
  bool wholeFollows() const { return whole_follows_; }
  /// Reads a file, then calls `done` on the GUI thread. If a file is being read, call cancel() first. If the
  /// file has many statistics, `done` receives only those of the newest step, with `whole_follows` set. Once the rest
  /// is read, `whole` is called with all of the run.
  void load(const QString& file, Done done, Whole whole);
  /// Stops reading; `done` is not called. Returns the file that was being read; empty: none. Statistics that follow a
  /// file that was shown are still read: only load() drops them.
  QString cancel();

 Q_SIGNALS:
  /// The share of 0 to 1 of the file read so far.
  void progress(const QString& file, double share);

 private:
  QString file_;
  bool whole_follows_ = false;
  Worker worker_;
};

}  // namespace binade::app
