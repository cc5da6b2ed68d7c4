// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace binade::host {

/// Gives this process the name by which `ps` and `top` show it: `binade-engine-1`, without the rank if that is too long
/// for the system. Copies of this program are `exe` elsewhere. Call it on the main thread.
void name_process_of_rank(int rank);

/// Copies of this program that run one training together, one per rank. They are outside of the terminal's group of
/// processes, so that Ctrl-C reaches only the program that started them. They end if that one is killed.
class RankProcesses {
 public:
  RankProcesses() = default;
  /// Kills the ranks that still run.
  ~RankProcesses();
  RankProcesses(const RankProcesses&) = delete;
  RankProcesses& operator=(const RankProcesses&) = delete;

  /// Starts the next rank with these arguments, and with `variables` (`NAME=VALUE`) added to the environment. The first
  /// argument is the name of the program, to which the rank is added: `ps` shows `binade-engine: rank 1 train`. Call it
  /// on the thread that outlives the ranks. Throws Error{kBadRun} if no process can be started.
  void start(const std::vector<std::string>& arguments, const std::vector<std::string>& variables);

  /// How a rank ended.
  struct End {
    int rank = 0;
    pid_t process = 0;
    int code = 0;    ///< exit code; of no meaning after a signal
    int signal = 0;  ///< that killed it; 0: none
    bool is_failure() const;
    /// `was killed by signal 9 (Killed)`, `ended with exit code 1`.
    std::string text() const;
  };
  /// Returns a rank that has ended since the last call; waits up to `patience` for one.
  std::optional<End> wait(std::chrono::milliseconds patience);

  /// Sends a signal to a rank, if it still runs.
  void send(int rank, int signal);
  void send_all(int signal);
  /// Whether a rank runs, and whether it is stopped by a signal.
  bool runs(int rank) const { return process(rank) != 0; }
  bool is_stopped(int rank) const;
  int running() const;
  /// The process of a rank; 0: it has ended.
  pid_t process(int rank) const { return processes_[static_cast<std::size_t>(rank)]; }
  int size() const { return static_cast<int>(processes_.size()); }

 private:
  std::vector<pid_t> processes_;  ///< by rank; 0: it has ended
};

}  // namespace binade::host
