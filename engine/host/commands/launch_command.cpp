// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/formats/error.h"
#include "engine/host/commands/commands.h"
#include "engine/host/input/read_run.h"
#include "engine/host/process/exit_code.h"
#include "engine/host/process/interrupt.h"
#include "engine/host/process/log.h"
#include "engine/host/process/rank_processes.h"
#include "engine/ranks/absence.h"
#include "engine/ranks/place.h"
#include "engine/ranks/store.h"
#include "engine/train/check_ranks.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace binade::host {

namespace {

using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

constexpr const char* kAddress = "127.0.0.1";

std::vector<std::string> arguments_of(const LaunchOptions& options) {
  const TrainOptions& train = options.train;
  std::vector<std::string> all{"binade-engine", "train", train.run};
  const auto add = [&all](const char* name, const std::string& value) {
    if (!value.empty()) all.insert(all.end(), {name, value});
  };
  add("--run-file", train.run_file);
  add("--policy", train.policy);
  add("--resume", train.resume);
  add("--save", train.save);
  add("--profile", train.profile);
  if (train.steps > 0) add("--steps", std::to_string(train.steps));
  if (train.seed >= 0) add("--seed", std::to_string(train.seed));
  add("--rank-timeout", std::to_string(train.rank_timeout));
  add("--gradients-over", train.gradients_over);
  if (options.trust) all.emplace_back("--trust");
  if (train.json) all.emplace_back("--json");
  if (!train.attach) all.emplace_back("--no-attach");
  return all;
}

std::vector<std::string> variables_of_rank(ranks::Place place, int rank) {
  place.rank = place.local_rank = rank;
  std::vector<std::string> all = ranks::variables_of(place);
  // Each rank would use all processors.
  if (std::getenv("OMP_NUM_THREADS") == nullptr) {
    const int processors = static_cast<int>(std::thread::hardware_concurrency());
    all.push_back("OMP_NUM_THREADS=" + std::to_string(std::max(processors / place.ranks, 1)));
  }
  // c10d logs each attempt to connect. Failures are reported by Binade.
  if (std::getenv("TORCH_CPP_LOG_LEVEL") == nullptr) all.emplace_back("TORCH_CPP_LOG_LEVEL=ERROR");
  return all;
}

/// One start of all ranks, up to the end of the last.
class Attempt {
 public:
  Attempt(const LaunchOptions& options, const ranks::Place& place) {
    for (int rank = 0; rank < place.ranks; ++rank) {
      processes_.start(arguments_of(options), variables_of_rank(place, rank));
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
      if (const auto end = processes_.wait(kPatience)) note(*end);
      if (failed_at_) kill_if_due();
    }
  }

  /// How the first rank failed, as `Rank 1 (process 4711) was killed by signal 9 (Killed)`; empty: none did.
  std::string failure() const {
    if (!failure_) return {};
    const bool stopped = stopped_.process != 0;
    const RankProcesses::End& end = stopped ? stopped_ : *failure_;
    return "Rank " + std::to_string(end.rank) + " (process " + std::to_string(end.process) + ") " +
           (stopped ? "was stopped by a signal" : end.text());
  }
  bool is_cancelled() const { return cancelled_; }
  /// Whether a rank refused what it was given, which it reported itself. Another start would end in the same way.
  bool is_refused() const { return failure_ && failure_->signal == 0 && (code() == kWrongUsage || code() == kRefused); }
  /// Exit code of the rank that failed first. Requires a failure.
  int code() const { return failure_->code; }

 private:
  void note(const RankProcesses::End& end) {
    if (end.rank == 0) rank_0_ended_at_ = Clock::now();
    if (end.signal == 0 && end.code == kCancelled) cancelled_ = true;
    if (!end.is_failure() || (end.signal == 0 && end.code == kCancelled)) return;
    if (!failed_at_) failed_at_ = Clock::now();
    // A rank that was killed is the cause of those that end because of it.
    if (!failure_ || (failure_->signal == 0 && end.signal != 0 && !killed_)) failure_ = end;
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
  std::optional<RankProcesses::End> failure_;
  RankProcesses::End stopped_;  ///< a rank that a signal had stopped, and that had to be killed
  std::optional<Clock::time_point> failed_at_;
  std::optional<Clock::time_point> rank_0_ended_at_;
  bool cancelled_ = false;
  bool killed_ = false;
};

/// Empty: there is none.
std::string newest_checkpoint(const wire::RunConfig& run) {
  if (run.checkpoint.folder.empty()) return {};
  const auto files = checkpoint::CheckpointFolder::files_in(run.checkpoint.folder);
  return files.empty() ? std::string() : files.back();
}

/// What to do after a rank has failed, without --keep-going.
std::string next_step(const wire::RunConfig& run) {
  const std::string first = newest_checkpoint(run).empty()
                                ? "There is no checkpoint: correct what the rank reported, and start the run again."
                                : "Resume from the last checkpoint.";
  return first + " With --keep-going, ranks are started again.";
}

}  // namespace

int launch(const LaunchOptions& options) {
  // Here once, and not once by every rank.
  const wire::RunConfig run = read_run(options.train.run, options.train.policy);
  if (options.ranks == 1) return train(options.train);
  train::check_ranks(run, run.name.empty() ? options.train.run : run.name, static_cast<int>(options.ranks));
  std::atomic<int> signals = 0;
  const Interrupt interrupt([&] { ++signals; }, [] { return false; });
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
    const std::string before = newest_checkpoint(run);
    Attempt attempt(options, place);
    attempt.wait(signals);
    const std::string what = attempt.failure();
    if (what.empty()) return attempt.is_cancelled() ? kCancelled : kDone;
    // The first start had nothing but the input. A later one may fail for what the one before has left behind.
    const bool refused = place.restart == 0 && store.get(ranks::kRefusedRank).has_value();
    if (refused || attempt.is_refused()) return attempt.code();  // the rank has reported why
    fruitless = newest_checkpoint(run) == before ? fruitless + 1 : 0;
    if (!options.keep_going || signals > 0 || fruitless >= kFruitless) {
      throw Error(ErrorCode::kBadRun, what + ", and the other ranks were ended",
                  options.keep_going ? "The last " + std::to_string(kFruitless) +
                                           " starts saved no checkpoint, so the ranks were not started again."
                                     : next_step(run));
    }
    log("warning", what + ". All ranks are started again from the newest checkpoint.");
  }
}

}  // namespace binade::host
