// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/model/run_model.h"
#include "app/session/run_file_loader.h"

#include <QObject>
#include <QString>

#include <string>

namespace binade::app {

/// A run file that is compared with the run of the window: drawn in the same charts, and shown at the step that the
/// first one is shown at. It stays when another run of the same model takes the place of the first. GUI thread; files
/// are read on another.
class SecondRun : public QObject {
  Q_OBJECT

 public:
  /// `first` must outlive this.
  explicit SecondRun(RunModel* first, QObject* parent = nullptr);

  /// Whether there is only one run.
  bool isEmpty() const { return run_.isEmpty(); }
  /// The second run, at commonStep(); empty if there is none.
  const RunModel& run() const { return run_; }
  /// Its file, and that without folder and ending, for legends.
  const QString& file() const { return file_; }
  QString name() const;
  /// The newest step that both runs have, up to the shown one; -1: they have none in common.
  std::int64_t commonStep() const;

 public Q_SLOTS:
  /// Reads a run file; changed() or failed() follows, unless it is cancelled. One that is being read is dropped.
  void load(const QString& file);
  /// Stops reading; the present second run stays.
  void cancel();
  /// Goes back to one run.
  void remove();

 Q_SIGNALS:
  /// The share of 0 to 1 of a file read so far.
  void loading(const QString& file, double share);
  /// No file is being read any more.
  void loadingEnded();
  void failed(const binade::app::Problem& problem);
  /// There is another second run, or none.
  void changed();

 private:
  void show(LoadedRun& loaded);
  void follow();
  void leaveOtherModel();

  RunModel* first_;
  RunModel run_;
  QString file_;
  std::string beside_;  ///< the model of the run that it was chosen for
  RunFileLoader loader_;
};

}  // namespace binade::app
