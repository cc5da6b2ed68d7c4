// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/host/commands/commands.h"
#include "engine/host/input/named_policy.h"
#include "engine/host/input/run_state.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/print/reported_progress.h"
#include "engine/host/print/still_working.h"
#include "engine/host/print/trial_report.h"
#include "engine/host/process/exit_code.h"
#include "engine/host/process/interrupt.h"
#include "engine/host/process/log.h"
#include "engine/policy/runs_alike.h"
#include "engine/record/append.h"
#include "engine/trial/trials.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace binade::host {

namespace {

constexpr const char* kTryUsage = "try RUN --policy POLICY";

bool has_result(const wire::Trial& trial) {
  if (trial.seeds.empty()) return false;
  const wire::TrialArm& first = trial.seeds.front().before;
  return !first.losses.empty() || !first.failure.empty();
}

/// Keeps a Try in a run file, the newest state in place of the one before. A failure, such as a full disk, leaves the
/// state before and does not end the Try: every later state is recorded if it can be.
class TryRecorder {
 public:
  /// `file` may be empty. Throws if nothing can be added to it: a Try of an hour would end with this.
  explicit TryRecorder(std::string file) : file_(std::move(file)) {
    if (file_.empty()) return;
    try {
      record::check_appendable(file_);
    } catch (const Error& error) {
      throw Error(error.code, std::string("Not started: the Try could not be recorded. ") + error.what(),
                  "With --no-record it is only printed." + (error.hint.empty() ? "" : " " + error.hint));
    }
  }

  void keep(const wire::Trial& trial) {
    if (file_.empty() || !has_result(trial)) return;
    try {
      position_ = record::append(file_, trial, position_);
      if (failure_) log("note", "The Try is recorded in " + file_ + " again.");
      failure_.reset();
    } catch (const Error& error) {
      if (!failure_) {
        log("warning", std::string("The Try could not be recorded. It goes on, and its next state is recorded if "
                                   "possible. ") +
                           error.what() + (error.hint.empty() ? "" : ". " + error.hint));
      }
      failure_ = error;
    }
  }

  const std::string& file() const { return file_; }
  bool has_kept() const { return position_ != 0 && !failure_; }

  /// Throws the failure, if the newest state is not recorded.
  void check() const {
    if (!failure_) return;
    throw Error(failure_->code, std::string("The Try ended, but it was not recorded in full. ") + failure_->what(),
                failure_->hint);
  }

 private:
  std::string file_;
  std::int64_t position_ = 0;
  std::optional<Error> failure_;
};

/// Reports the steps made: as JSON or, on a terminal, as a line that is drawn again. Reports any step that takes long.
class TryProgress {
 public:
  explicit TryProgress(bool json) : json_(json), terminal_(!json && ::isatty(STDERR_FILENO) == 1) {}

  void begin() { working_.report("the first step"); }

  void step(std::int64_t done, std::int64_t of) {
    const auto now = std::chrono::steady_clock::now();
    if (done < of) {
      working_.report("step", std::to_string(done + 1) + " of " + std::to_string(of));
    } else {
      working_.rest();
    }
    if (done < of && shown_ && now - *shown_ < std::chrono::milliseconds(100)) return;
    shown_ = now;
    if (json_) print_json({{"event", "trying"}, {"done", done}, {"of", of}});
    if (terminal_)
      std::fprintf(stderr, "\r%lld of %lld steps", static_cast<long long>(done), static_cast<long long>(of));
  }

  void end() {
    working_.rest();
    if (terminal_ && shown_) std::fputs("\r\x1b[K", stderr);
  }

 private:
  bool json_;
  bool terminal_;
  std::optional<std::chrono::steady_clock::time_point> shown_;
  StillWorking working_;
};

/// Prints the warnings on the new policy, which mostly say that a rule matches no op call: a training of an hour should
/// not end with them. Throws Error{kBadPolicy} if the policy changes nothing.
void check_new_policy(const train::Training& training, const policy::Policy& before, const policy::Policy& after) {
  const auto old = train::resolve(training, before, 0);
  const auto resolved = train::resolve(training, after, 0);
  const bool alike = policy::runs_alike(*old, *resolved);
  for (const policy::Finding& finding : resolved->findings) {
    const bool known = !alike && std::find(old->findings.begin(), old->findings.end(), finding) != old->findings.end();
    if (finding.severity == policy::Finding::Severity::kWarning && !known) log("warning", "policy: " + finding.message);
  }
  if (!alike) return;
  throw Error(ErrorCode::kBadPolicy,
              "The policy gives every op call of this run the format that the policy before gives it, so there is "
              "nothing to try",
              "Edit it, or name another policy to compare with: --against POLICY.");
}

std::string file_to_record(const TryOptions& options, const RunState& state) {
  if (options.no_record) return {};
  return options.record.empty() ? state.run_file : options.record;
}

}  // namespace

int try_policy(const TryOptions& options) {
  std::atomic<bool> cancelled = false;
  std::atomic<bool> begun = false;
  const Interrupt interrupt([&] { cancelled = true; }, [&] { return !begun; },
                            {.ending = "the Try has made no step yet, and no data is lost",
                             .cancelled = "The Try was cancelled before its first step. There is nothing to keep"});
  const RunState state = run_state(options.run, options.checkpoint);
  const policy::Policy after = named_policy(options.policy, kTryUsage);
  std::optional<policy::Policy> against;
  if (!options.against.empty()) against = named_policy(options.against, kTryUsage);
  TryRecorder recorder(file_to_record(options, state));
  if (!state.note.empty()) log("note", state.note);

  trial::Trials trials(state.config, state.checkpoint, reported_progress());
  trial::Order order{.name = options.name, .before = against.value_or(trials.policy()), .after = after};
  order.steps = options.steps;
  order.seeds = options.seeds;
  check_new_policy(trials.training(), order.before, order.after);

  // One time for all of its states, which tells it from other Tries of the name.
  const auto made = static_cast<std::int64_t>(std::time(nullptr));
  TryProgress progress(options.json);
  order.progress = [&](std::int64_t done, std::int64_t of) {
    begun = true;
    progress.step(done, of);
    return !cancelled;
  };
  order.learnt = [&](const wire::Trial& so_far) {
    wire::Trial trial = so_far;
    trial.made = made;
    trial.complete = so_far.complete && std::ssize(so_far.seeds) >= options.seeds;
    recorder.keep(trial);
    if (options.json) print_json(trial_line("learnt", trial));
  };
  order.partial = [&](const wire::Trial& so_far) {
    wire::Trial trial = so_far;
    trial.made = made;
    recorder.keep(trial);
    if (options.json) print_json(trial_line("partial", trial));
  };
  progress.begin();
  wire::Trial trial = trials.run(order);
  trial.made = made;
  progress.end();
  recorder.keep(trial);
  if (options.json) {
    print_json(trial_line("tried", trial));
  } else {
    std::printf("%s", trial_report(trial).c_str());
    if (recorder.has_kept()) std::printf("Recorded in %s.\n", recorder.file().c_str());
  }
  recorder.check();
  return trial.complete ? kDone : kCancelled;
}

}  // namespace binade::host
