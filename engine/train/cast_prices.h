// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"
#include "engine/wire/casts.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace binade::train {

/// What the edits that would remove casts cost or save, measured: each is tried in forwards on a copy of the next
/// batch, which change nothing of the training. Under one policy. One thread.
class CastPrices {
 public:
  explicit CastPrices(Training& training) : training_(training) {}

  /// Another policy is in force: what was tried is dropped.
  void reset();
  /// Writes what is known into the lines.
  void fill(wire::CastLedger& casts) const;
  /// Tries the first line's edit that was not tried yet; false where there is none. An edit under which the model fails
  /// counts as tried, and has no price: take_failures() has the reason.
  bool try_next(const wire::CastLedger& casts);

  /// Sentences about edits whose price could not be measured since the last call.
  std::vector<std::string> take_failures() { return std::exchange(failures_, {}); }

  /// Seconds spent since the last reset(), and what one more try takes by experience.
  double seconds() const { return seconds_; }
  double seconds_of_next() const;

 private:
  struct Forward {
    double bytes = 0;    ///< written by its casts
    double seconds = 0;  ///< of the better of two
  };
  struct Price {
    std::optional<double> bytes;
    std::optional<double> seconds;
  };
  Forward forward(const std::shared_ptr<const policy::Resolved>& policy);

  Training& training_;
  std::optional<Forward> present_;
  std::map<std::string, Price> prices_;  ///< by CastLine::edit
  std::vector<std::string> failures_;
  double seconds_ = 0;
};

}  // namespace binade::train
