// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/observe/site_timer.h"
#include "engine/run/listener.h"
#include "profiler/monitor.h"
#include "profiler/why_not.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace binade::host {

/// Builds profiles of a run: the times of its sites on the CPU, and on a GPU also kernels and counters. Sends them to
/// `out` at most twice a second, and once at the end. Must come before `out`, so that the last profile precedes the
/// end. The run's first step warms up and counts only if it is the only one. Holds no resources while profiling is off.
class ProfileListener : public run::Listener, public observe::SiteMarks {
 public:
  explicit ProfileListener(run::Listener& out, std::function<profiler::Parts()> open = profiler::open_parts);
  ~ProfileListener() override;

  void receive(wire::NotificationRef notification) override {
    notification.visit([this](const auto& value) { take(value); });
  }

  // Called on any thread of the run; mark what is launched.
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
  /// Reports the step that was held back, if no other step followed.
  void report_first();
  void report();
  /// Waits for all kernels launched so far, then calls report().
  void report_all();
  /// Calls report() if a report is due and the kernels of its steps have arrived.
  void report_if_due();
  bool kernels_are_there(std::chrono::steady_clock::duration waited);
  /// Reports the curve up to `step`, between profiled steps that are far apart.
  void report_curve(std::int64_t step);
  void describe_sources(wire::Profile& profile) const;
  void add_bins(wire::Profile& profile);
  void add_sites(wire::Profile& profile);
  void add_cpu_sites(wire::Profile& profile) const;
  void add_gpu_sites(wire::Profile& profile, const std::vector<profiler::OpFigures>& figures) const;
  void judge(wire::SiteProfile& site) const;

  run::Listener& out_;
  std::function<profiler::Parts()> open_;
  profiler::Monitor monitor_;
  wire::ProfileConfig config_;
  bool on_gpu_ = false;
  int device_ = 0;
  profiler::Status no_curve_;  ///< why a run on the CPU has no curve
  std::vector<wire::SiteInfo> sites_;
  std::vector<policy::Decision> decisions_;
  std::map<int, profiler::MatrixShape> products_;

  std::uint64_t began_ = 0;  ///< start of the run, nanoseconds of the real-time clock
  std::chrono::steady_clock::time_point reported_at_, curve_reported_at_;
  std::atomic<bool> in_step_{false};  ///< an op call of the current, profiled step was entered
  bool warm_ = false;                 ///< a step has been timed
  std::optional<wire::StepTimes> first_;
  std::vector<profiler::OpFigures> first_kernels_;
  // Monitor::gathered() at the last step and at the last profiled step, and the difference between two profiled steps.
  std::uint64_t gathered_ = 0, gathered_at_times_ = 0, gathered_between_ = 0;
  double silent_seconds_ = 0;  ///< seconds of steps whose kernels did not arrive
  std::int64_t first_step_ = 0, last_step_ = 0, steps_ = 0;
  std::int64_t reported_step_ = -1;  ///< last step of the last profile
  double step_seconds_ = 0;
  std::map<int, Sum> sums_;
};

}  // namespace binade::host
