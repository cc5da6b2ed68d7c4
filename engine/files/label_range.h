// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace binade::files {

/// The label that losses over classes ignore.
constexpr std::int64_t kIgnoredLabel = -100;

/// The range of an integer target, without kIgnoredLabel, and the first row of the data with each bound.
struct LabelRange {
  std::int64_t lowest = 0;
  std::int64_t lowest_row = 0;
  std::int64_t highest = 0;
  std::int64_t highest_row = 0;
  friend bool operator==(const LabelRange&, const LabelRange&) = default;
};

/// Extends a range, empty at first, by a label and its row. Rows may come in any order.
inline void extend_range(std::optional<LabelRange>& range, std::int64_t label, std::int64_t row) {
  if (!range) range = {label, row, label, row};
  if (label < range->lowest || (label == range->lowest && row < range->lowest_row)) {
    range->lowest = label;
    range->lowest_row = row;
  }
  if (label > range->highest || (label == range->highest && row < range->highest_row)) {
    range->highest = label;
    range->highest_row = row;
  }
}

}  // namespace binade::files
