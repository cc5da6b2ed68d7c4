// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/formats/error.h"
#include "engine/host/commands/commands.h"
#include "engine/host/commands/launch_arguments.h"
#include "engine/host/commands/rank_errors.h"
#include "engine/host/input/read_run.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/process/exit_code.h"
#include "engine/host/process/interrupt.h"
#include "engine/host/process/log.h"
#include "engine/host/process/rank_processes.h"
#include "engine/ranks/absence.h"
#include "engine/ranks/place.h"
#include "engine/ranks/store.h"
#include "engine/train/check_ranks.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace binade::host {

namespace {

using checkpoint::CheckpointFolder;

using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

constexpr const char* kAddress = "127.0.0.1";

std::vector<std::string> variables_of_rank(ranks::Place place, int rank) {
  place.rank = place.local_rank = rank;
  std::vector<std::string> all = ranks::variables_of(place);
  // Each rank would use all processors.
  if (std::getenv("OMP_NUM_THREADS") == nullptr) {
    const int processors = static_cast<int>(std::thread::hardware_concurrency());
    all.push_back("OMP_NUM_THREADS=" + std::to_string(std::max(processors / place.ranks, 1)));
  }
  return all;
}

/// Removes the progress bar of rank 0 from the terminal's line.
void clear_line() {
  if (::isatty(STDERR_FILENO) != 0) std::fputs("\r\033[K", stderr);
}

/// One start of all ranks, up to the end of the last.
class Attempt {
 public:
  /// `store` is that of the ranks.
  Attempt(const LaunchOptions& options, const ranks::Place& place, const ranks::Store& store)
      : store_(store.of_restart(place.restart)), errors_(store_, options.train.json) {
    for (int rank = 0; rank < place.ranks; ++rank) {
      processes_.start(rank_arguments(options), variables_of_rank(place, rank));
    }
  }

  /// Waits for all ranks. `signals`: how often the user has asked to stop.
  void wait(const std::atomic<int>& signals) {
    int passed_on = 0;
    while (processes_.running() > 0) {
      if (signals > passed_on) {
        // Rank 0 stops the others with it, at the same step. A second request ends each at once.
        if (passed_on++ == 0 && processes_.runs(0)) {
          processes_.send(0, SIGTERM);
        } else {
          processes_.send_all(SIGTERM);
        }
      }
      constexpr std::chrono::milliseconds kPatience{100};
      if (const auto end = processes_.wait(kPatience)) {
        note(*end);
        if (end->signal != 0 && !killed_ && signals == 0) announce(*end);
      }
      if (failed_at_) kill_if_due();
      errors_.report_if_due();
    }
    errors_.report();
  }

  /// How the first rank failed, as `Rank 1 (process 4711) was killed by signal 9 (Killed)`; empty: none did.
  std::string failure() const {
    if (!failure_) return {};
    if (stopped_.process != 0) return name_of(stopped_) + " was stopped by a signal";
    return name_of(*failure_) + " " + failure_->text();
  }
  /// Whether the system may have killed the rank that failed first, because memory ran out.
  bool may_lack_memory() const { return failure_ && failure_->signal == SIGKILL && stopped_.process == 0; }
  bool is_cancelled() const { return cancelled_; }
  /// Whether a rank refused what it was given, which it reported itself. Another start would end in the same way.
  bool is_refused() const { return failure_ && failure_->signal == 0 && (code() == kWrongUsage || code() == kRefused); }
  /// Exit code of the rank that failed first. Requires a failure.
  int code() const { return failure_->code; }

 private:
  static std::string name_of(const RankProcesses::End& end) {
    return "Rank " + std::to_string(end.rank) + " (process " + std::to_string(end.process) + ")";
  }

  /// Reports at once that a rank was killed, to the user and to the other ranks, which need not find out by time-outs.
  void announce(const RankProcesses::End& end) {
    errors_.cause_is_known();
    clear_line();
    log("error", name_of(end) + " " + end.text() + ". The other ranks end now.");
    if (store_.get(ranks::kFailedRank)) return;
    store_.set("failed/" + std::to_string(end.rank), "it " + end.text());
    store_.set(ranks::kFailedRank, std::to_string(end.rank));
  }

  void note(const RankProcesses::End& end) {
    const bool own = end.signal != 0 ? !killed_ : end.is_failure() && errors_.ended(end.rank);
    if (end.rank == 0) rank_0_ended_at_ = Clock::now();
    if (end.signal == 0 && end.code == kCancelled) cancelled_ = true;
    if (!end.is_failure() || (end.signal == 0 && end.code == kCancelled)) return;
    if (!failed_at_) failed_at_ = Clock::now();
    // A rank that was killed, or has an error of its own, is the cause of those that end because of it.
    const bool killed = end.signal != 0 && !killed_;
    if (!failure_ || (own && !failure_is_own_) || (failure_->signal == 0 && killed)) {
      failure_ = end;
      failure_is_own_ = own;
    }
  }

  /// After a failure the others end themselves, and rank 0 saves a checkpoint before. Kills those that cannot.
  void kill_if_due() {
    constexpr seconds kForRank0{60};
    constexpr seconds kForOthers{5};
    const auto now = Clock::now();
    const bool rank_0_alone = processes_.runs(0) && processes_.running() == 1;
    const bool late = rank_0_ended_at_ ? now - std::max(*rank_0_ended_at_, *failed_at_) >= kForOthers
                                       : now - *failed_at_ >= kForRank0 || (rank_0_alone && processes_.is_stopped(0));
    if (!late || killed_) return;
    killed_ = true;
    for (int rank = 0; rank < processes_.size(); ++rank) {
      if (processes_.is_stopped(rank)) stopped_ = {rank, processes_.process(rank), 0, 0};
    }
    processes_.send_all(SIGKILL);
  }

  RankProcesses processes_;
  ranks::Store store_;
  RankErrors errors_;
  std::optional<RankProcesses::End> failure_;
  bool failure_is_own_ = false;  ///< and not that of a rank that ended because of another
  RankProcesses::End stopped_;   ///< a rank that a signal had stopped, and that had to be killed
  std::optional<Clock::time_point> failed_at_;
  std::optional<Clock::time_point> rank_0_ended_at_;
  bool cancelled_ = false;
  bool killed_ = false;
};

/// What to do after a rank has failed and the ranks are not started again. `checkpoint`: to resume from; may be empty.
std::string next_step(const LaunchOptions& options, const std::string& checkpoint, const std::string& command,
                      const Attempt& attempt) {
  std::string text;
  if (attempt.may_lack_memory()) {
    text = "The system kills a process like this if memory runs out; its log (dmesg) then says so.\n  ";
  }
  if (checkpoint.empty()) {
    return text +
           "There is no checkpoint: correct the cause, and start the run again. With checkpoint.folder and "
           "checkpoint.every in the run description, --keep-going starts the ranks again from the last checkpoint.";
  }
  text += "Resume from the last checkpoint, " + checkpoint + ":\n    " + command;
  return options.keep_going ? text : text + "\n  With --keep-going, launch does so itself.";
}

}  // namespace

int launch(const LaunchOptions& options) {
  // Here once, and not once by every rank.
  const wire::RunConfig run = read_run(options.train.run, options.train.policy);
  check_model_file(run, options.train.run);
  if (options.ranks == 1) return train(options.train);
  train::check_ranks(run, run.name.empty() ? options.train.run : run.name, static_cast<int>(options.ranks));
  std::atomic<int> signals = 0;
  InterruptWords words;
  words.silent = true;  // rank 0 answers, which knows whether the run is still being set up
  const Interrupt interrupt([&] { ++signals; }, [] { return false; }, words);
  ranks::Store store = ranks::Store::host(kAddress, options.port);
  ranks::Place place;
  place.ranks = static_cast<int>(options.ranks);
  place.address = kAddress;
  place.port = store.port();
  place.hosted = true;
  place.launcher = "launch";
  constexpr int kFruitless = 3;
  int fruitless = 0;
  for (;; ++place.restart) {
    const std::string before = CheckpointFolder::newest_in(run.checkpoint.folder);
    Attempt attempt(options, place, store);
    attempt.wait(signals);
    const std::string what = attempt.failure();
    if (what.empty()) return attempt.is_cancelled() ? kCancelled : kDone;
    // The first start had nothing but the input. A later one may fail for what the one before has left behind.
    const bool refused = place.restart == 0 && store.get(ranks::kRefusedRank).has_value();
    if (refused || attempt.is_refused()) return attempt.code();  // the errors of the ranks state why
    const std::string newest = CheckpointFolder::newest_in(run.checkpoint.folder);
    fruitless = newest == before ? fruitless + 1 : 0;
    if (!options.keep_going || signals > 0 || fruitless >= kFruitless) {
      const std::string command = newest.empty() ? std::string() : resume_command(options, run, newest);
      if (options.train.json && !newest.empty()) {
        print_json({{"event", "resumable"}, {"checkpoint", newest}, {"command", command}});
      }
      const std::string next = next_step(options, newest, command, attempt);
      throw Error(ErrorCode::kBadRun, what + ", and the other ranks were ended",
                  fruitless < kFruitless
                      ? next
                      : "The last " + std::to_string(kFruitless) +
                            " starts saved no checkpoint, so the ranks were not started again.\n  " + next);
    }
    log("warning", what + ". All ranks are started again " +
                       (newest.empty() ? "from the start, since there is no checkpoint." : "from " + newest + "."));
  }
}

}  // namespace binade::host
