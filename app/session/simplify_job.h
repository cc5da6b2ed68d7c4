// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/session/assigned_run.h"
#include "app/session/worker.h"

#include <QObject>

#include <memory>
#include <optional>

namespace binade::app {

/// What is to become of a policy's rules; the table of the model stays equal.
enum class Simplify { kMinimise, kGeneralise };

/// A policy with fewer rules.
struct Simplified {
  Simplify how = Simplify::kMinimise;
  policy::Policy before;
  policy::Policy after;  ///< as `before` if there is a problem
  int dropped = 0;       ///< rules and op changes that were left out
  int replaced = 0;      ///< rules in whose place there are patterns
  int patterns = 0;      ///< that replace them
  std::optional<Problem> problem;
};

/// Simplifies the policy of an AssignedRun, on another thread. One at a time. The explorer does not know which op calls
/// protect arguments, so a rule that repeats the base list stays.
class SimplifyJob : public QObject {
  Q_OBJECT

 public:
  explicit SimplifyJob(QObject* parent = nullptr) : QObject(parent) {}

  bool isRunning() const { return running_; }
  /// Starts; finished() follows. Does nothing if one is running.
  void start(Simplify how, std::shared_ptr<const AssignedRun> model);

 Q_SIGNALS:
  void finished(const binade::app::Simplified& result);

 private:
  bool running_ = false;
  Worker worker_;  ///< last: its thread ends first
};

}  // namespace binade::app
