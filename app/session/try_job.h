// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/session/engine_process.h"
#include "engine/policy/policy.h"
#include "engine/wire/trial.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <optional>

namespace binade::app {

/// What to try; the arguments of `binade-engine try`.
struct TryOrder {
  QString run;   ///< a run file, a checkpoint or a run description
  QString from;  ///< checkpoint; empty: `run` itself, the newest one of a run file, or the start of the run
  policy::Policy before;
  policy::Policy after;
  QString name{};  ///< of the change; empty: made from the policies
  qint64 steps = 100;
  qint64 seeds = 1;
  QString record{};  ///< run file that the result is appended to; empty: it is not recorded
};

/// The end of a Try.
struct TryResult {
  std::optional<wire::Trial> trial;  ///< what was learnt, incomplete if it ended early; nullopt: nothing was
  std::optional<Problem> problem;    ///< why it ended early
};

/// Returns why this engine cannot try policies for the window: it runs on another computer. Empty if it can.
QString whyNoTry(const EngineCommand& engine);

/// Runs `binade-engine try` as a separate process, beside an engine that trains, and reads its output. One at a time.
class TryJob : public QObject {
  Q_OBJECT

 public:
  explicit TryJob(EngineCommand engine, QObject* parent = nullptr);
  /// Ends a Try in progress; the engine gets a moment to record what was learnt.
  ~TryJob() override;

  bool isRunning() const { return process_.isRunning(); }
  /// The engine of the Tries that are started from now on.
  void setEngine(EngineCommand engine) { process_.setEngine(std::move(engine)); }
  /// Starts a Try; finished() follows. Does nothing if one is running.
  void start(const TryOrder& order);
  /// Ends the Try after the step in progress. What was learnt is kept; finished() follows. A second call ends the
  /// process at once.
  void cancel();

 Q_SIGNALS:
  /// Steps made and to make, over all trainings.
  void progress(qint64 done, qint64 of);
  /// The Try so far, after each seed.
  void learnt(const binade::wire::Trial& trial);
  void finished(const binade::app::TryResult& result);

 private:
  void take(const QByteArray& line);
  void end(bool well, const QString& said);
  void fail(const Problem& problem);

  EngineProcess process_;
  TryResult result_;
  bool done_ = false;  ///< the engine has reported the final result
  bool cancelled_ = false;
};

}  // namespace binade::app
