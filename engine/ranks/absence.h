// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/error.h"
#include "engine/ranks/heartbeat.h"
#include "engine/ranks/place.h"
#include "engine/ranks/store.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace binade::ranks {

/// Key of the store for the number of the rank that has failed last; `failed/1` has its reason.
inline constexpr const char* kFailedRank = "failed";

/// Key of the store for the number of the last rank that has failed before its training had begun: another start with
/// the same input would fail in the same way. `refused/1` is set if rank 1 is one of them. Set before kFailedRank.
inline constexpr const char* kRefusedRank = "refused";
/// Key of the store for a rank that ends because of another one.
std::string left_key(int rank);

/// `Rank 1 (host b)`; without the host if it is not known yet.
std::string name_of(int rank, const std::vector<std::string>& hosts);
/// The name of a rank within a sentence: `rank 1 (host b)`.
std::string within_sentence(const std::string& name);

/// Finds out why the ranks cannot go on, for one wait. Use it on the thread that waits.
class Absence {
 public:
  Absence(Store& store, const Place& place, const std::vector<std::string>& hosts, std::chrono::milliseconds timeout,
          std::chrono::milliseconds interval);

  /// Called from time to time while operation number `position` is waited for. Throws Error{kBadRun}: a rank has failed
  /// and said why, its beats have stopped for the time-out, it lives and has not reached the operation within the
  /// time-out although it told of no longer work, or its diagnosis takes ten times the time-out.
  void check(std::chrono::milliseconds waited, std::uint64_t position);

  /// Returns the error of the rank that has ended, which breaks connections; nullopt: every rank lives. Takes up to
  /// some beats.
  std::optional<Error> of_ended();
  /// The error for a connection that broke although every rank lives.
  static Error while_all_live(const std::string& why);
  /// The error for NCCL, which failed although every rank lives.
  static Error of_failed_nccl(const std::string& why);
  /// Returns the error for a connection that broke: of_ended(), or while_all_live().
  Error of_broken(const std::string& why);

  /// Returns the error for ranks that have not set their `key` within the time-out; `what`: "started".
  Error of_missing(const std::string& key, const std::string& what);

  /// The time-out: `0.5 s`.
  std::string seconds() const;

 private:
  /// Throws if a rank has said why it ends.
  void check_failed();
  std::vector<int> silent_for(std::chrono::milliseconds least);
  Error gone(const std::vector<int>& ranks) const;
  std::string names(const std::vector<int>& ranks) const;

  Store& store_;
  const Place& place_;
  const std::vector<std::string>& hosts_;
  const std::chrono::milliseconds timeout_;
  const std::chrono::milliseconds interval_;
  BeatWatch watch_;
};

}  // namespace binade::ranks
