// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"

#include <QObject>

#include <cstddef>

namespace binade::views {
class Plot;
}

namespace binade::app {

/// Marks the run's skipped steps and edits in a chart, and follows the run. Edits have no text here; the chart of the
/// loss scale has it.
class StepMarks : public QObject {
  Q_OBJECT

 public:
  /// `run` and `plot` must outlive the marks.
  StepMarks(RunModel* run, views::Plot* plot, QObject* parent);

  /// Replaces the chart's marks by those of the run. Call it after the chart was cleared.
  void rebuild();

 private:
  void append();
  void markPolicy(int index);
  void markScaler(int index);

  RunModel* run_;
  views::Plot* plot_;
  std::size_t processed_ = 0;  ///< of the run's markedSteps()
};

}  // namespace binade::app
