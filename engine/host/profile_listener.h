// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/observe/site_timer.h"
#include "engine/train/listener.h"
#include "profiler/monitor.h"
#include "profiler/why_not.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace binade::host {

/// Makes profiles out of a run: the times of its sites on the CPU, and where it trains on a GPU kernels and counters of
/// that. Tells them to `out`, twice a second at most and once at the end; put it in front of `out`, so that the last
/// profile comes before the end. A run's first step, which warms up, counts only where it is the only one. Off, it
/// holds nothing.
class ProfileListener : public train::Listener, public observe::SiteMarks {
 public:
  explicit ProfileListener(train::Listener& out, std::function<profiler::Parts()> open = profiler::open_parts);
  ~ProfileListener() override;

  void receive(wire::NotificationRef notification) override {
    notification.visit([this](const auto& value) { take(value); });
  }

  // Of any thread of the run: marks what is launched.
  void enter(int site, observe::Part part) noexcept override;
  void leave() noexcept override;

 private:
  // What profiles are made of; the rest is ignored.
  void take(const wire::RunStarted& started);
  void take(const wire::PolicyApplied& applied);
  void take(const wire::ProfileConfig& profile);
  void take(const wire::StepRecord& step);
  void take(const wire::StepTimes& times);
  void take(const wire::StateChanged& change);
  void take(const wire::Finished& finished);
  void take(const auto& /*other*/) {}

  struct Sum {
    int calls = 0;
    double forward = 0, backward = 0, accumulate = 0, observe = 0;
  };
  void add(const wire::StepTimes& times);
  void hold_back(const wire::StepTimes& first);
  /// The step that was held back, where none followed.
  void tell_first();
  void tell();
  /// tell(), with all that has run by now.
  void tell_all();
  /// tell(), where it is time and the kernels of the steps to be told are there.
  void tell_if_due();
  bool kernels_are_there(std::chrono::steady_clock::duration waited);
  /// The curve, between profiled steps that are far apart; up to `step`.
  void tell_curve(std::int64_t step);
  void describe_sources(wire::Profile& profile) const;
  void add_bins(wire::Profile& profile);
  void add_sites(wire::Profile& profile);
  void add_cpu_sites(wire::Profile& profile) const;
  void add_gpu_sites(wire::Profile& profile, const std::vector<profiler::OpFigures>& figures) const;
  void judge(wire::SiteProfile& site) const;

  train::Listener& out_;
  std::function<profiler::Parts()> open_;
  profiler::Monitor monitor_;
  wire::ProfileConfig config_;
  bool on_gpu_ = false;
  int device_ = 0;
  profiler::Status no_curve_;  ///< of a run on the CPU
  std::vector<wire::SiteInfo> sites_;
  std::vector<policy::Decision> decisions_;
  std::map<int, profiler::MatrixShape> products_;

  std::uint64_t began_ = 0;  ///< of the run, nanoseconds of the real-time clock
  std::chrono::steady_clock::time_point told_, told_curve_;
  std::atomic<bool> in_step_{false};  ///< of a step that is profiled: an op call of it was entered
  bool warm_ = false;                 ///< a step was timed
  std::optional<wire::StepTimes> first_;
  std::vector<profiler::OpFigures> first_kernels_;
  // Monitor::gathered() at the last step, and at the last profiled one; and how many handed over between such.
  std::uint64_t gathered_ = 0, gathered_at_times_ = 0, gathered_between_ = 0;
  double silent_seconds_ = 0;  ///< of steps whose kernels did not come
  std::int64_t first_step_ = 0, last_step_ = 0, steps_ = 0;
  std::int64_t told_step_ = -1;  ///< the newest of the last profile
  double step_seconds_ = 0;
  std::map<int, Sum> sums_;
};

}  // namespace binade::host
