// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/error.h"

#include <QChar>
#include <QList>
#include <QString>

namespace binade::app {

/// A place in a model's code that the engine refuses.
struct UnsafeLine {
  QString place;  ///< `code/__torch__.py:12`; empty: unknown
  QString code{};
  QString why{};

  friend bool operator==(const UnsafeLine&, const UnsafeLine&) = default;
};

/// An error for the user: what went wrong and where, then the next step (may be empty). `field` is the path of the
/// wrong field of a run description, `optimizer.learning_rate`; empty if there is none. The explorer's error value: no
/// exception crosses a slot.
struct Problem {
  QString message;
  QString hint{};
  QString field{};
  QList<UnsafeLine> unsafe{};  ///< of a model that is refused because of its code
  QString sha256{};            ///< of that model's file; empty for other problems

  /// Message and hint as one text, with `between` between them.
  QString text(QChar between = u' ') const { return hint.isEmpty() ? message : message + between + hint; }

  friend bool operator==(const Problem&, const Problem&) = default;
};

inline Problem problemOf(const Error& error) {
  return {QString::fromUtf8(error.what()), QString::fromStdString(error.hint), QString::fromStdString(error.field)};
}

}  // namespace binade::app
