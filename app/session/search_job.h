// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/present/search_point.h"
#include "app/session/engine_process.h"
#include "engine/policy/policy.h"

#include <QList>
#include <QObject>
#include <QString>
#include <QStringList>

#include <optional>

class QJsonObject;

namespace binade::app {

/// What to search for; the arguments of `binade-engine search`.
struct SearchOrder {
  QString run;          ///< a run description, a run file or a checkpoint
  QString checkpoint;   ///< the state to start from; empty: the newest of a run file, else the start
  policy::Policy base;  ///< the policy to start from
  SearchGoal goal = SearchGoal::kTime;
  qint64 minutes = 30;                 ///< the search may take; 0: no limit. One of the two limits is needed
  qint64 tries = 0;                    ///< number of tries; 0: no limit
  qint64 steps = 100;                  ///< of each training of a try
  qint64 seeds = 1;                    ///< number of trainings that prove a try
  QStringList fixed;                   ///< op calls, or patterns of them, that must not change
  QStringList formats;                 ///< allowed; empty: those of the base list and float32
  std::optional<double> evaluation{};  ///< the largest loss on the test data that a policy may reach
};

/// The end of a search.
struct SearchResult {
  QList<SearchPoint> front;     ///< cheapest first
  bool nothing_better = false;  ///< no policy was found that is better than the one that the search started from
  bool cancelled = false;
  QString sentence;  ///< why it ended
  std::optional<Problem> problem;
};

/// Returns why this engine cannot search for the window: it runs on another computer. Empty if it can.
QString whyNoSearch(const EngineCommand& engine);

/// The folder in which a search with this order keeps its state, next to `order.run`. Equal orders have the same one,
/// so that a search which was ended goes on; a larger budget is no other order.
QString searchFolder(const SearchOrder& order);

/// Runs `binade-engine search` as a separate process and reads its output. Its tries are on disk, so the same
/// order can be started again after a cancellation, or after the end of the window.
class SearchJob : public QObject {
  Q_OBJECT

 public:
  /// Its destruction is like abandon().
  explicit SearchJob(EngineCommand engine, QObject* parent = nullptr);

  bool isRunning() const { return process_.isRunning(); }
  /// The engine of the searches that are started from now on.
  void setEngine(EngineCommand engine) { process_.setEngine(std::move(engine)); }
  /// Starts a search, or resumes an earlier one of the same order; finished() follows. Does nothing if one is running.
  void start(const SearchOrder& order);
  /// Ends the search after its current step; finished() follows, with the front so far.
  void cancel();
  /// Ends the process at once, without finished(). Its tries stay on disk.
  void abandon() { process_.abandon(0); }

 Q_SIGNALS:
  /// The number of tries and the seconds used so far, also by the earlier parts of a resumed search, and what it does.
  void searching(qint64 tries, double seconds, const QString& sentence);
  /// A try has ended.
  void proven(const binade::app::SearchPoint& point);
  void finished(const binade::app::SearchResult& result);

 private:
  void take(const QJsonObject& line);
  void end(const QString& said);
  void fail(const Problem& problem);

  EngineProcess process_;
  SearchResult result_;
  bool has_front_ = false;
};

}  // namespace binade::app
