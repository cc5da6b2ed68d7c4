// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace binade::app {

/// Something that went wrong, as a person reads it: what and where, then the next step (may be empty).
/// The explorer's error value: no exception crosses a slot.
struct Problem {
  QString message;
  QString hint;

  friend bool operator==(const Problem&, const Problem&) = default;
};

}  // namespace binade::app
