// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/lessons/live_tail.h"
#include "app/lessons/run_losses.h"
#include "app/model/problem.h"
#include "engine/lessons/trainings.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace binade::app {

class Session;

/// Runs the experiment of a lesson in the session's engine: its trainings one after the other, each with an equal part
/// of the experiment's time limit and a run file of its own. The time starts when the training does. An experiment of
/// the kind `diagnose` ends with the diagnosis of the first step that is not finite.
class LessonRun : public QObject {
  Q_OBJECT

 public:
  enum class State {
    kIdle,      ///< none has been started
    kLoading,   ///< the engine loads the model
    kTraining,  ///< steps are reported
    kEnded,     ///< complete, or stopped by time limit, problem or user
  };

  /// `session` must outlive the run.
  explicit LessonRun(Session* session, QObject* parent = nullptr);

  /// Starts an experiment whose sample is known. A run that is in progress is stopped without a question. `lesson`
  /// becomes the name of the run.
  void start(const lessons::Experiment& experiment, const QString& lesson);
  /// Ends the experiment: at once if it is loading, else when the engine has stopped the training, which stays shown.
  /// No effect if it is not active.
  void cancel();

  State state() const { return state_; }
  bool isActive() const { return state_ == State::kLoading || state_ == State::kTraining; }
  /// Whether the experiment has ended by itself or by its time limit.
  bool isComplete() const { return complete_; }
  /// Whether a problem ended it: text() says which, and what to do.
  bool hasFailed() const { return state_ == State::kEnded && !problem_.message.isEmpty(); }
  /// Whether there is no engine: none could be started, or it has ended.
  bool lacksEngine() const;
  /// Share of the steps that are done, 0 to 1.
  double progress() const;
  /// Whether the session shows a training of this experiment.
  bool isShown() const { return shown_; }
  const lessons::Experiment& experiment() const { return experiment_; }
  /// Progress or result as a sentence; for a failed experiment what went wrong and the next step.
  QString text() const;
  /// Whether the experiment has a figure of its own: one that compares, or that shows a gradient's scaled tail.
  bool hasFigure() const;
  /// The losses of all trainings so far, for an experiment that compares.
  lessons::FigureData figure() const { return lossFigure(trainings_, experiment_.steps); }
  /// The gradients of an experiment that shows a scaled tail.
  const LiveTail& tail() const { return tail_; }
  /// Moves the slider of its figure to a scale of 2^exponent.
  void setTailExponent(double exponent) { tail_.setExponent(exponent); }

 Q_SIGNALS:
  /// State, text or losses changed, a few times per second at most.
  void changed();
  /// The experiment has ended; isComplete() and text() say how.
  void ended();

 private:
  void launch();
  void request();
  void forsake();
  void onStartAbandoned();
  void onReset();
  void onFrame();
  void onStateChanged();
  void onLimit();
  void readSteps();
  void lookForDiagnosis();
  void endTraining();
  void end(bool complete);
  void stopTraining();
  QString resultText() const;

  Session* session_;
  lessons::Experiment experiment_;
  QString lesson_;
  State state_ = State::kIdle;
  bool complete_ = false;
  bool shown_ = false;
  bool cancelled_ = false;
  bool out_of_time_ = false;    ///< the current training
  bool limited_ = false;        ///< any training
  std::size_t read_steps_ = 0;  ///< of the shown training
  std::string name_;            ///< of the training that was requested last
  bool requested_ = false;      ///< the newest training is requested and has not started
  std::string forsaken_;        ///< name of a training that was cancelled while the engine loads it; or empty
  QString caption_;             ///< says if its data are random
  std::vector<lessons::Training> planned_;  ///< all trainings of the experiment
  std::vector<TrainingLosses> trainings_;   ///< those that were started
  std::optional<std::int64_t> bad_step_;    ///< of a diagnosis: the first step that is not finite
  LiveTail tail_;
  Problem problem_;
  QTimer limit_;
};

}  // namespace binade::app
