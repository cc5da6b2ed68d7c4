// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/error.h"
#include "engine/ranks/place.h"
#include "engine/ranks/store.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace binade::host {

/// Gives the error of a rank to `launch`, which reports it. Returns false if another program started the ranks, or if
/// `launch` does not answer: the rank then reports the error itself.
bool give_to_launch(const ranks::Place& place, const Error& error);

/// The errors of ranks that `launch` started. It reports an error that several ranks have once, and leaves out those of
/// ranks that ended because of another one. Not thread-safe.
class RankErrors {
 public:
  /// `store`: of the ranks. `json`: also prints objects.
  RankErrors(const ranks::Store& store, bool json);

  /// Reads the error of a rank that has ended. Returns whether it has one, and did not end because of another rank.
  bool ended(int rank);
  /// A rank was killed, which was reported: the errors of those that end because of it add nothing.
  void cause_is_known() { cause_is_known_ = true; }
  /// Reports the errors if the first one is so old that ranks with the same error have ended too.
  void report_if_due();
  /// Reports the rest, after all ranks have ended.
  void report();

 private:
  using Clock = std::chrono::steady_clock;

  /// An error, and the ranks that have it.
  struct Shared {
    std::string text;  ///< as given
    std::vector<int> ranks;
    bool because_of_another = false;
    bool reported = false;
  };
  void report(bool because_of_another);

  ranks::Store store_;
  bool json_;
  std::vector<Shared> errors_;
  std::optional<Clock::time_point> first_;
  bool cause_is_known_ = false;
};

/// `Rank 2`, `Ranks 0 and 2`, `Ranks 0 to 3`, `Ranks 0, 2 and 5`. `ranks` is in order.
std::string named_ranks(const std::vector<int>& ranks);

}  // namespace binade::host
