// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/lesson.h"

#include <QString>
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace binade::views {

/// State of an experiment, as its card shows it.
struct RunState {
  enum class Phase {
    kReady,
    kRunning,
    kDone,
    kFailed,
    kNoEngine,  ///< there is no engine to run it on
  };
  Phase phase = Phase::kReady;
  double progress = -1;  ///< 0 to 1; negative: unknown
  QString text = {};     ///< running: what runs; done: the result; else why it does not run and what to do
  bool figure = false;   ///< the experiment has a figure beside the text
};

/// An experiment of a lesson: what is run, *Run on the engine*, the progress with *Cancel*, *Show figure*, and its
/// result or why there is none. GUI thread.
class RunCard : public QWidget {
  Q_OBJECT

 public:
  explicit RunCard(const lessons::Experiment& experiment, QWidget* parent = nullptr);

  void setState(const RunState& state);
  /// Notes that the experiment was run to its end at an earlier time.
  void setRanBefore();
  const lessons::Experiment& experiment() const { return experiment_; }
  QPushButton* runButton() const { return run_; }
  QPushButton* cancelButton() const { return cancel_; }
  QPushButton* figureButton() const { return figure_; }
  QString text() const;

 Q_SIGNALS:
  void runRequested();
  void cancelRequested();
  void figureRequested();

 private:
  lessons::Experiment experiment_;
  QLabel* text_;
  QProgressBar* progress_;
  QPushButton* run_;
  QPushButton* cancel_;
  QPushButton* figure_;
};

/// An experiment as a sentence: `Trains mlp for 60 steps, once with each of all-float32 and cuda-amp.`
QString experimentText(const lessons::Experiment& experiment);

}  // namespace binade::views
