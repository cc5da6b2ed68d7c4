// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/comparison.h"
#include "engine/wire/messages.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace binade::train {

/// What a person asked of a running training; any thread asks, the training thread takes at step boundaries.
/// The latest policy or observe setting replaces an earlier one that was not yet taken.
class Control {
 public:
  /// `attended`: someone can resume a run that pauses by itself, because it diverged or ran out of memory. Where nobody
  /// can, such a run ends.
  explicit Control(bool attended = true) : attended_(attended) {}
  bool attended() const { return attended_; }
  /// Whether somebody looks at the run while it goes on: ObserveConfig::live holds then. From any thread.
  void set_watched(bool watched) { watched_ = watched; }
  bool watched() const { return watched_; }

  void pause();
  void resume();
  /// Runs `count` more steps, then pauses.
  void step(std::int64_t count = 1);
  /// Ends the run after the present step; `cancelled` tells the outcome kCancelled from kStopped.
  void stop(bool cancelled = false);
  void set_policy(wire::PolicySet policy);
  void set_scale(double scale, const std::string& id = {});
  /// Everything of the scaler of this id but its scale.
  void tune(wire::ScalerConfig scaler);
  void set_observe(wire::ObserveConfig observe);
  void set_profile(wire::ProfileConfig profile);

  /// Something to do with a file at the next step boundary; all of them are done, in order.
  struct FileRequest {
    enum class Kind : std::uint8_t { kSaveCheckpoint, kLoadCheckpoint, kSaveModel };
    Kind kind = Kind::kSaveCheckpoint;
    std::string file;                       ///< empty: saves under a name of its own
    std::optional<wire::PolicySet> policy;  ///< kLoadCheckpoint: in place of the checkpoint's
    /// Hears, on the training thread, what was saved, or why it could not be done. May be empty.
    std::function<void(const std::optional<wire::CheckpointInfo>&, std::exception_ptr)> done;
  };
  /// `done` hears at once of a run that has ended.
  void request(FileRequest request);

  /// Hears, on the training thread, how the next step differs from float32, or why that cannot be told.
  using CompareDone = std::function<void(const std::optional<wire::Float32Comparison>&, std::exception_ptr)>;
  /// Compares the next step with float32, at the next step boundary; `done` hears at once of a run that has ended.
  void compare(CompareDone done);

  /// The run has ended: those who still wait for an answer get it, and later ones too. Of the training thread.
  void close();

  /// What the training thread does next. Blocks while paused with nothing to do.
  struct Next {
    bool stop = false;
    bool cancelled = false;
    bool run_step = false;
    bool paused = false;  ///< nothing else to do: tell listeners, then call again with `wait`
    std::optional<wire::PolicySet> policy;
    std::vector<std::pair<std::string, double>> scales;  ///< by id
    std::vector<wire::ScalerConfig> scalers;
    std::optional<wire::ObserveConfig> observe;
    std::optional<wire::ProfileConfig> profile;
    std::vector<FileRequest> files;
    std::vector<CompareDone> comparisons;
  };
  /// Takes what was asked. With `wait` and the run paused, sleeps until something is asked.
  Next take(bool wait);

  /// Whether stop() was called; for long work between two takes, an evaluation.
  bool stop_requested() const { return stop_.stop_requested(); }
  /// The same for who knows no control: a set-up.
  std::stop_token stop_token() const { return stop_.get_token(); }

 private:
  const bool attended_;
  std::atomic<bool> watched_ = false;
  std::stop_source stop_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool paused_ = false;
  bool cancelled_ = false;
  std::int64_t steps_left_ = 0;
  std::optional<wire::PolicySet> policy_;
  std::vector<std::pair<std::string, double>> scales_;
  std::vector<wire::ScalerConfig> scalers_;
  std::optional<wire::ObserveConfig> observe_;
  std::optional<wire::ProfileConfig> profile_;
  std::vector<FileRequest> files_;
  std::vector<CompareDone> comparisons_;
  bool closed_ = false;
};

}  // namespace binade::train
