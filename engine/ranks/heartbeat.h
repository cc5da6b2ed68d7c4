// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/ranks/store.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace binade::ranks {

/// The only longer work that others wait for with a limit, ten times the time-out: it is computation, and may hang.
inline constexpr const char* kDiagnosisWork = "diagnosis";

/// What a rank last told about itself.
struct Beat {
  std::uint64_t count = 0;     ///< grows while the process lives and is not stopped
  std::uint64_t position = 0;  ///< number of collective operations that it has reached
  std::string work;  ///< what it does between them that takes as long as it takes, `evaluation`; empty: a step
};

/// Tells the other ranks, from a thread of its own, that this one lives, where it is and what it does.
class Heartbeat {
 public:
  /// `interval`: time between two beats. The first has been told when the constructor returns.
  Heartbeat(Store store, int rank, std::chrono::milliseconds interval);
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

  /// The calling rank has reached the next collective operation. Returns its number. Training thread.
  std::uint64_t reached() { return ++position_; }
  std::uint64_t position() const { return position_; }
  /// Sets the work that others wait for without limit; empty: none. Told with the next beat.
  void set_work(std::string work);
  std::string work() const;

 private:
  void beat();
  /// The text of a beat. `mutex_` is held.
  std::string text(std::uint64_t count) const;

  Store store_;
  const std::string key_;
  const std::chrono::milliseconds interval_;
  std::atomic<std::uint64_t> position_ = 0;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::string work_;
  bool stopping_ = false;
  std::thread thread_;
};

/// Sees which ranks have fallen silent. Every rank must have a Heartbeat by then. Use it from one thread at a time.
class BeatWatch {
 public:
  BeatWatch(Store& store, int ranks);

  /// Reads the beats of all ranks.
  void look();
  /// The last beat of a rank.
  const Beat& last(int rank) const { return seen_[static_cast<std::size_t>(rank)].beat; }
  /// Time since a rank's beat last changed, as far as this watch has looked.
  std::chrono::milliseconds silence(int rank) const;

 private:
  struct Seen {
    Beat beat;
    std::chrono::steady_clock::time_point changed = std::chrono::steady_clock::now();
  };
  Store& store_;
  std::vector<std::string> keys_;  ///< by rank
  std::vector<Seen> seen_;
};

}  // namespace binade::ranks
