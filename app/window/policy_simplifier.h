// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/simplify_job.h"

#include <QObject>

namespace binade::app {

class Session;

/// Replaces the rules of the policy by fewer ones with the same effect on the shown run's model: one undoable edit.
class PolicySimplifier : public QObject {
  Q_OBJECT

 public:
  /// `session` must outlive the object.
  explicit PolicySimplifier(Session* session, QObject* parent = nullptr);

  /// Does nothing without a run or while it is at work. Otherwise done() or problem() follows.
  void start(Simplify how);

 Q_SIGNALS:
  /// The policy is as before.
  void problem(const binade::app::Problem& problem);
  /// How many rules there are now.
  void done(const QString& message, const QString& hint);

 private:
  void take(const Simplified& result);

  Session* session_;
  SimplifyJob job_;
};

}  // namespace binade::app
