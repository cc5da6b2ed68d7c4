// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/comparison.h"
#include "engine/wire/messages.h"
#include "engine/wire/savings.h"
#include "engine/wire/what_if.h"

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

namespace binade::run {

/// Requests to a running training. Any thread may make them; the training thread takes them at step boundaries. A newer
/// policy, observe or profile setting, or scale of one scaler, replaces an older one that was not taken yet.
class Control {
 public:
  /// `attended`: someone can resume a run that pauses itself because it diverged or ran out of memory. An unattended
  /// run ends instead.
  explicit Control(bool attended = true) : attended_(attended) {}
  bool attended() const { return attended_; }
  /// Sets whether a client displays the run live, so that ObserveConfig::live applies. Thread-safe.
  void set_watched(bool watched) { watched_ = watched; }
  bool watched() const { return watched_; }

  void pause();
  void resume();
  /// Runs `count` more steps, then pauses.
  void step(std::int64_t count = 1);
  /// Ends the run after the current step, with outcome kCancelled if `cancelled`, else kStopped.
  void stop(bool cancelled = false);
  void set_policy(wire::PolicySet policy);
  void set_scale(double scale, const std::string& id = {});
  /// Changes all settings of the scaler with this id except its scale.
  void tune(wire::ScalerConfig scaler);
  void set_observe(wire::ObserveConfig observe);
  void set_profile(wire::ProfileConfig profile);

  /// A file operation at the next step boundary. All requests are processed, in order.
  struct FileRequest {
    enum class Kind : std::uint8_t { kSaveCheckpoint, kLoadCheckpoint, kSaveModel };
    Kind kind = Kind::kSaveCheckpoint;
    std::string file;                       ///< empty: save under a name in the checkpoint folder
    std::optional<wire::PolicySet> policy;  ///< kLoadCheckpoint: replaces the checkpoint's policy
    /// Receives the result or the exception, on the training thread, or on the caller's if the run has ended. May be
    /// empty.
    std::function<void(const std::optional<wire::CheckpointInfo>&, std::exception_ptr)> done;
    std::string reason = "request";  ///< kSaveCheckpoint: CheckpointInfo::reason
  };
  /// If the run has ended, `done` is called at once with an error.
  void request(FileRequest request);

  /// Receives the difference of the next step from float32, or the exception, on the training thread.
  using CompareDone = std::function<void(const std::optional<wire::Float32Comparison>&, std::exception_ptr)>;
  /// Compares the next step with float32 at the next step boundary. If the run has ended, `done` is called at once with
  /// an error.
  void compare(CompareDone done);

  /// A question about another policy, answered at the next step boundary.
  struct SavingsRequest {
    policy::Policy policy;
    /// Receives what the policy would save, or the exception, on the training thread.
    std::function<void(const std::optional<wire::Savings>&, std::exception_ptr)> done;
  };
  /// Measures what a policy would save, without applying it. If the run has ended, `done` is called at once with an
  /// error.
  void measure_savings(SavingsRequest request);

  /// A question about an operand of the next step, answered at the next step boundary.
  struct WhatIfRequest {
    wire::AskWhatIf asked;
    /// Receives the answer, or the exception, on the training thread.
    std::function<void(const std::optional<wire::WhatIf>&, std::exception_ptr)> done;
  };
  /// Measures what other formats would do to an operand. If the run has ended, `done` is called at once with an error.
  void measure_what_if(WhatIfRequest request);

  /// Ends the run: pending requests, and later ones, receive an error. Call it on the training thread.
  void close();

  /// What the training thread does next.
  struct Next {
    bool stop = false;
    bool cancelled = false;
    bool run_step = false;
    bool paused = false;  ///< nothing else to do: report the state, then call take() with `wait`
    std::optional<wire::PolicySet> policy;
    std::vector<std::pair<std::string, double>> scales;  ///< by id
    std::vector<wire::ScalerConfig> scalers;
    std::optional<wire::ObserveConfig> observe;
    std::optional<wire::ProfileConfig> profile;
    std::vector<FileRequest> files;
    std::vector<CompareDone> comparisons;
    std::vector<SavingsRequest> savings;
    std::vector<WhatIfRequest> what_ifs;
  };
  /// Returns and clears the requests. If `wait`, blocks while the run is paused without requests.
  Next take(bool wait);

  /// Returns whether stop() was called. For long work between two calls of take(), such as an evaluation.
  bool stop_requested() const { return stop_.stop_requested(); }
  /// The same as a token, for code that does not use Control, such as the set-up.
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
  std::vector<SavingsRequest> savings_;
  std::vector<WhatIfRequest> what_ifs_;
  bool closed_ = false;
};

}  // namespace binade::run
