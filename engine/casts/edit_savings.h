// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/casts/tried_forward.h"
#include "engine/train/training.h"
#include "engine/wire/casts.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace binade::casts {

/// Measures what edits that would remove casts save or cost under the current policy. Each edit is tried in forwards on
/// a copy of the next batch, without changing the training. Not thread-safe.
class EditSavings {
 public:
  explicit EditSavings(train::Training& training) : training_(training) {}

  /// Discards all results, because another policy is in force.
  void reset();
  /// Writes the known savings into the lines. Takes the edit back from a line whose cast the edit was seen not to
  /// remove.
  void fill(wire::CastLedger& casts) const;
  /// Tries the first edit that has not been tried. Returns false if there is none. An edit with which the
  /// model fails counts as tried and has no savings; take_failures() has the reason.
  bool try_next(const wire::CastLedger& casts);

  /// Returns sentences about edits whose savings could not be measured since the last call.
  std::vector<std::string> take_failures() { return std::exchange(failures_, {}); }

  /// Seconds spent since reset(), and the estimated duration of the next try; 0 before the first.
  double seconds() const { return seconds_; }
  double seconds_of_next() const;

 private:
  struct Saving {
    std::optional<double> bytes;
    std::optional<double> seconds;
    std::set<std::pair<int, int>> left;  ///< TriedForward::cast_arguments with the edit
  };
  bool is_left(const wire::CastLine& line, const Saving& saving) const;

  train::Training& training_;
  std::optional<TriedForward> present_;
  std::map<std::string, Saving> savings_;  ///< by words::cast_edit()
  std::vector<std::string> failures_;
  double seconds_ = 0;
};

}  // namespace binade::casts
