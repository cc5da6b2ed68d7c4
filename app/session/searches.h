// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "app/session/search_job.h"
#include "app/session/tries.h"

#include <QList>
#include <QObject>
#include <QSet>
#include <QString>

#include <optional>
#include <variant>

namespace binade::app {

class Session;

/// The search in the window: the present one, or the last one with what it found. It trains in a process of its own, so
/// the run goes on: a live run only saves a checkpoint between two steps.
class Searches : public QObject {
  Q_OBJECT

 public:
  /// `session` owns it.
  explicit Searches(Session* session);

  bool isRunning() const { return preparing_ || job_.isRunning(); }
  /// Returns why nothing can be searched now: there is no state to train from, or a Try trains. nullopt: it can.
  std::optional<Problem> whyNot() const;
  /// Starts a search from the state that the run is in now, in place of the last one. A search that repairs starts from
  /// before the losses that are not finite, if the newest ones are. `order.run` and
  /// `order.checkpoint` are set here.
  void start(const SearchOrder& order);
  /// Goes on with the last search, with this budget. Does nothing without one, or while one is running.
  void resume(qint64 minutes, qint64 tries);
  /// Ends the search after its step. The front is kept.
  void cancel();

  /// The order of the search that runs or ran last; nullopt: there was none.
  const std::optional<SearchOrder>& order() const { return order_; }
  /// Every policy that was tried, in order.
  const QList<SearchPoint>& points() const { return points_; }
  /// The numbers of the tries that no other beats in both cost and loss gap.
  const QSet<qint64>& front() const { return front_; }
  /// The point with this number; null if there is none.
  const SearchPoint* point(qint64 attempt) const;
  /// What the search does, or why it ended.
  const QString& sentence() const { return sentence_; }
  qint64 tries() const { return tries_; }
  double seconds() const { return seconds_; }
  /// How it ended; nullopt: it runs, or there was none.
  const std::optional<SearchResult>& result() const { return result_; }

 Q_SIGNALS:
  /// A search starts or goes on: isRunning().
  void started();
  /// Anything of the above has changed.
  void changed();
  void finished(const binade::app::SearchResult& result);

 private:
  void startAt(const std::variant<RunPoint, Problem>& point);
  void begin();
  void add(const SearchPoint& point);
  void take(const SearchResult& result);
  void forget();

  Session* session_;
  SearchJob job_;
  std::optional<SearchOrder> order_;
  QList<SearchPoint> points_;
  QSet<qint64> front_;
  QString sentence_;
  qint64 tries_ = 0;
  double seconds_ = 0;
  std::optional<SearchResult> result_;
  RunIdentity run_;         ///< the run that is searched
  bool preparing_ = false;  ///< waits for a checkpoint
};

}  // namespace binade::app
