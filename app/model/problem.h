// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/error.h"

#include <QChar>
#include <QString>

namespace binade::app {

/// An error for the user: what went wrong and where, then the next step (may be empty). `field` is the path of the
/// wrong field of a run description, `optimizer.learning_rate`; empty if there is none. The explorer's error value: no
/// exception crosses a slot.
struct Problem {
  QString message;
  QString hint{};
  QString field{};

  /// Message and hint as one text, with `between` between them.
  QString text(QChar between = u' ') const { return hint.isEmpty() ? message : message + between + hint; }

  friend bool operator==(const Problem&, const Problem&) = default;
};

inline Problem problemOf(const Error& error) {
  return {QString::fromUtf8(error.what()), QString::fromStdString(error.hint), QString::fromStdString(error.field)};
}

}  // namespace binade::app
