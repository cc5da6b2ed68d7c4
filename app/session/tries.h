// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "app/session/try_job.h"

#include <QObject>

#include <functional>
#include <optional>
#include <variant>

namespace binade::app {

class Session;

/// Two policies to compare by training.
struct TryWish {
  policy::Policy before;
  policy::Policy after;
  QString name{};  ///< of the change; empty: made from the policies
  qint64 steps = 100;
  qint64 seeds = 1;
};

/// A state of a run for commands of the engine that train from it beside the run.
struct RunPoint {
  QString run;   ///< file for the argument RUN: a run file or a checkpoint
  QString from;  ///< checkpoint for `--from`; empty: none is needed
};

/// The newest edit of a run's policy: the document's policy, and the one that it replaced. nullopt: there is none.
std::optional<TryWish> tryOfNewestEdit(const RunModel& run, const policy::Policy& edited);

/// The Tries of the shown run. Each trains in a process of its own, so the run goes on: a live run only saves a
/// checkpoint between two steps, unless the one from before the newest edit will do. Results become part of the run
/// model, and the engine appends them to the run file.
class Tries : public QObject {
  Q_OBJECT

 public:
  /// `session` owns it.
  explicit Tries(Session* session);

  bool isRunning() const { return preparing_ || job_.isRunning(); }
  /// The Try in progress, or the last one.
  const TryWish& wish() const { return wish_; }
  /// Whether it is a Try of the run that is shown. It goes on while another one is shown.
  bool isOfShownRun() const;
  /// Returns why no state of the run can be trained from now; nullopt: it can.
  std::optional<Problem> whyNoPoint() const;
  /// Returns why nothing can be tried now: there is no state to train from, or a search trains. nullopt: it can.
  std::optional<Problem> whyNot() const;
  /// Starts a Try; started() and finished() follow. Does nothing while one is running.
  void start(const TryWish& wish);
  /// Ends the Try; what was learnt is kept. finished() follows. A second call does not wait for the step in progress.
  void cancel();

  /// The state that the run is in now, or ended in. A live run saves a checkpoint for it. `done` is called once.
  void findPoint(const std::function<void(const std::variant<RunPoint, Problem>&)>& done);

 Q_SIGNALS:
  void started();
  /// Steps made and to make, over all trainings.
  void progress(qint64 done, qint64 of);
  /// What is known after a seed; not in the run model yet.
  void learnt(const binade::wire::Trial& trial);
  /// The run model has the result already, at this index of its trials(); -1: it has none.
  void finished(const binade::app::TryResult& result, int trial);

 private:
  std::optional<RunPoint> pointAtEdit() const;
  void startAt(const std::variant<RunPoint, Problem>& point);
  void take(const TryResult& result);

  Session* session_;
  TryJob job_;
  TryWish wish_;
  RunIdentity run_;         ///< the run that is tried
  bool preparing_ = false;  ///< waits for a checkpoint
};

}  // namespace binade::app
