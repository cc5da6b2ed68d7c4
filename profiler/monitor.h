// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/cupti.h"
#include "profiler/device_curve.h"
#include "profiler/join_window.h"
#include "profiler/marked_steps.h"
#include "profiler/nvml.h"
#include "profiler/op_table.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace binade::profiler {

/// The libraries that the monitor uses. Tests substitute their own.
struct Parts {
  std::shared_ptr<Driver> driver;  ///< null: no driver
  Cupti cupti;
  std::shared_ptr<const NvmlFunctions> nvml;  ///< null: not available
};

/// Opens the libraries that this computer has. Without a driver, CUPTI is not opened.
Parts open_parts();

/// What can be measured on this computer, and why the rest cannot.
struct Readiness {
  Status cuda;   ///< driver and device
  Status cupti;  ///< counters and kernel records
  Status nvml;
  std::string device;      ///< `NVIDIA H100 80GB HBM3`
  std::string chip;        ///< `GH100`
  std::string metric;      ///< name of the tensor metric
  std::string library;     ///< libcupti's path
  int driver_version = 0;  ///< 13000
};

/// Probes without disturbing other tools. Takes up to 0.6 s with a GPU, a few ms without.
Readiness look(const Parts& parts, int device);

/// Live tensor-core use: the device's curve, and figures per op call. Each works without the other. Holds no resources
/// before start(). Never throws; push(), pop(), state() and the take functions do not block. One thread must start,
/// query and stop it. Marks may come from any thread, but not during start() and stop().
class Monitor {
 public:
  struct Options {
    int device = 0;
    bool curve = true;    ///< sample the device
    bool kernels = true;  ///< record kernels by op call
    std::chrono::nanoseconds interval = std::chrono::microseconds(100);
  };

  struct State {
    Status curve;  ///< of the shown source; explains why a coarser source is used, if so
    Source source = Source::kNone;
    std::string metric;
    bool shared_pipe = false;  ///< the figure also counts float16 on the same pipe (Turing)
    Status counters;           ///< of the hardware counters, even while a coarser source is used
    Status ops;
    std::string chip;
    CurveCounts samples;
    KernelCounts kernels;
    double shift_seconds = 0;
  };

  explicit Monitor(std::function<Parts()> open = open_parts);
  ~Monitor();
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  /// Starts what is available; state() has the result. Restarts if it is already running.
  void start(const Options& options);
  void stop();
  bool running() const { return running_; }

  /// Start and end of a training step; `marked`: whether its op calls are marked. Work launched in an unmarked step, or
  /// outside of steps, is left out of all figures. If neither is ever called, everything counts as one marked step.
  void begin_step(bool marked);
  void end_step();
  /// Marks this thread's launches; may be nested. Does nothing if kernels are not recorded.
  void push(OpKey op) noexcept {
    if (KernelSource* kernels = marked_.load(std::memory_order_acquire)) kernels->push(op);
  }
  void pop() noexcept {
    if (KernelSource* kernels = marked_.load(std::memory_order_acquire)) kernels->pop();
  }

  /// Discards the results so far, because op calls run in another format from now on.
  void begin_anew();
  /// Blocks until finished kernels are delivered and joined, at most one second. For the end of a run and changes of
  /// policy. Does nothing if kernels are not recorded.
  void catch_up();
  /// Number of deliveries of kernels since start(). Right after one, the records of all but the newest steps are
  /// complete.
  std::uint64_t gathered() const { return gathered_.load(std::memory_order_relaxed); }

  State state() const;
  std::vector<Bin> take_bins();
  /// Returns times and launches since the last call, with the newest tensor-core figures.
  std::vector<OpFigures> take_ops();

 private:
  void start_curve(const Options& options);
  void start_kernels();
  void work();
  /// Returns why the records ended. `settle`: join samples and kernels up to this many ns before the newest.
  std::optional<Status> gather(std::optional<std::uint64_t> settle);

  std::function<Parts()> open_;
  Parts parts_;
  bool opened_ = false;
  bool running_ = false;
  Counters counters_;
  std::unique_ptr<DeviceCurve> curve_;
  std::unique_ptr<KernelSource> kernels_;
  std::atomic<KernelSource*> marked_{nullptr};
  std::atomic<std::uint64_t> gathered_{0};
  JoinWindow window_;  // used by the worker
  MarkedSteps steps_;

  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  bool stopping_ = false;
  bool working_ = false;  ///< the worker is running
  bool hurry_ = false;    ///< catch_up() is waiting
  bool forget_ = false;   ///< the window's data belongs to an earlier policy
  Status counters_state_, ops_state_;
  OpTable table_;
  std::thread worker_;
};

}  // namespace binade::profiler
