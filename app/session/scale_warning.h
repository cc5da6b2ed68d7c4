// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"

#include <QObject>

#include <optional>

namespace binade::app {

class RunModel;

/// Warns once when the loss scale of a live run falls below 1, and reports the recovery after an edit.
class ScaleWarning : public QObject {
  Q_OBJECT

 public:
  /// `run` must outlive the object.
  explicit ScaleWarning(const RunModel* run);

 Q_SIGNALS:
  void raised(const binade::app::Problem& problem);
  /// The problem is over; the message replaces it.
  void over(const binade::app::Problem& was, const QString& message, const QString& hint);

 private:
  void check();

  const RunModel* run_;
  std::optional<Problem> raised_;  ///< until it is over
};

}  // namespace binade::app
