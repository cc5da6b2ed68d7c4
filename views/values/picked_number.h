// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <optional>

namespace binade::views {

/// A number that a person picked in the window, to look at it in the number formats. May be infinite or NaN.
struct PickedNumber {
  double value = 0;
  std::optional<formats::Format> format = {};  ///< holds the number; nullopt: unknown, or no format does

  friend bool operator==(const PickedNumber&, const PickedNumber&) = default;
};

}  // namespace binade::views
