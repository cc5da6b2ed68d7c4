// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace binade::app {

/// An error for the user: what went wrong and where, then the next step (may be empty). The explorer's error value: no
/// exception crosses a slot.
struct Problem {
  QString message;
  QString hint;

  friend bool operator==(const Problem&, const Problem&) = default;
};

}  // namespace binade::app
