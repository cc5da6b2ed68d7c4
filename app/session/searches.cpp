// SPDX-License-Identifier: Apache-2.0
#include "app/session/searches.h"

#include "app/present/search_rows.h"
#include "app/session/point_before_failure.h"
#include "app/session/session.h"

#include <algorithm>
#include <utility>

namespace binade::app {

Searches::Searches(Session* session) : QObject(session), session_(session), job_(session->engine().command()) {
  connect(&job_, &SearchJob::searching, this, [this](qint64 tries, double seconds, const QString& sentence) {
    tries_ = tries;
    seconds_ = seconds;
    sentence_ = sentence;
    Q_EMIT changed();
  });
  connect(&job_, &SearchJob::proven, this, &Searches::add);
  connect(&job_, &SearchJob::finished, this, &Searches::take);
  // What was found belongs to the run that was searched. After a rewind it is still the same run.
  connect(&session_->run(), &RunModel::reset, this, [this] {
    if (!order_ || session_->run().identity() == run_) return;
    preparing_ = false;
    job_.abandon();
    forget();
  });
}

std::optional<Problem> Searches::whyNot() const {
  if (const QString why = whyNoSearch(session_->engine().command()); !why.isEmpty()) return Problem{why};
  if (session_->tries().isRunning()) {
    return Problem{tr("A Try is in progress. A search beside it would slow down both, and make their times wrong."),
                   tr("Cancel the Try, or wait for its end.")};
  }
  return session_->tries().whyNoPoint();
}

void Searches::forget() {
  order_.reset();
  result_.reset();
  points_.clear();
  front_.clear();
  sentence_.clear();
  tries_ = 0;
  seconds_ = 0;
  Q_EMIT changed();
}

void Searches::start(const SearchOrder& order) {
  if (isRunning()) return;
  forget();
  order_ = order;
  run_ = session_->run().identity();
  preparing_ = true;
  Q_EMIT started();
  if (const auto why = whyNot()) return startAt(*why);
  Q_EMIT changed();
  if (order.goal == SearchGoal::kRepair) {
    if (const auto point = pointBeforeFailure(session_->run())) return startAt(*point);
  }
  session_->tries().findPoint([this](const std::variant<RunPoint, Problem>& point) { startAt(point); });
}

void Searches::startAt(const std::variant<RunPoint, Problem>& point) {
  if (!std::exchange(preparing_, false)) return;  // cancelled meanwhile
  if (const auto* problem = std::get_if<Problem>(&point)) {
    SearchResult none;
    none.problem = *problem;
    return take(none);
  }
  order_->run = std::get<RunPoint>(point).run;
  order_->checkpoint = std::get<RunPoint>(point).from;
  begin();
}

void Searches::resume(qint64 minutes, qint64 tries) {
  if (isRunning() || !order_ || order_->run.isEmpty()) return;
  order_->minutes = minutes;
  order_->tries = tries;
  if (const auto why = whyNot()) {
    SearchResult none;
    none.problem = *why;
    return take(none);
  }
  begin();
  Q_EMIT started();
}

void Searches::begin() {
  result_.reset();
  sentence_ = tr("Loading the state of the run, and measuring a step");
  job_.setEngine(session_->engine().command());
  job_.start(*order_);
  Q_EMIT changed();
}

void Searches::cancel() {
  if (std::exchange(preparing_, false)) {
    SearchResult none;
    none.cancelled = true;
    none.sentence = tr("The search was cancelled before it had begun.");
    return take(none);
  }
  job_.cancel();
}

// A resumed search reports again what it knows.
void Searches::add(const SearchPoint& point) {
  const auto known = std::find_if(points_.begin(), points_.end(),
                                  [&point](const SearchPoint& each) { return each.attempt == point.attempt; });
  if (known != points_.end()) {
    *known = point;
  } else {
    points_ << point;
  }
  front_ = frontOf(points_);
  Q_EMIT changed();
}

void Searches::take(const SearchResult& result) {
  result_ = result;
  sentence_ = result.sentence;
  const bool tried = !points_.isEmpty() || !result.front.isEmpty();
  if (result.cancelled && !tried && order_ && !order_->run.isEmpty())
    sentence_ = tr("The search was cancelled before it had tried a policy.");
  for (const SearchPoint& each : result.front) add(each);
  // The engine also leaves out those that cost more than the policy before. An end without a front keeps what is known.
  if (!result.front.isEmpty() || result.nothing_better) {
    front_.clear();
    for (const SearchPoint& each : result.front) front_.insert(each.attempt);
  }
  Q_EMIT changed();
  Q_EMIT finished(result);
}

const SearchPoint* Searches::point(qint64 attempt) const {
  const auto found = std::find_if(points_.begin(), points_.end(),
                                  [attempt](const SearchPoint& each) { return each.attempt == attempt; });
  return found == points_.end() ? nullptr : &*found;
}

}  // namespace binade::app
