// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/session/worker.h"

#include <QObject>
#include <QString>

#include <cstdint>

namespace binade::app {

class RunModel;

/// Writes the user's notes: into the shown run, and into its run file, which another process may be recording. The file
/// is written on a thread of its own. A run without a file keeps its notes until it is closed.
class Notes : public QObject {
  Q_OBJECT

 public:
  /// `run` must outlive the object. The destructor waits until the file has all notes.
  explicit Notes(RunModel* run, QObject* parent = nullptr);
  ~Notes() override;

  /// The note of a step; empty: none.
  QString textAt(std::int64_t step) const;
  /// Sets the note of a step; an empty text removes it. saved() or problem() follows if the run has a file.
  void write(std::int64_t step, const QString& text);

 Q_SIGNALS:
  void saved();
  /// The file could not be written; the note remains in the shown run.
  void problem(const binade::app::Problem& problem);

 private:
  RunModel* run_;
  Worker worker_;
};

}  // namespace binade::app
