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

/// What the monitor measures with. Tests put stand-ins for hardware in here.
struct Parts {
  std::shared_ptr<Driver> driver;  ///< null: no driver
  Cupti cupti;
  std::shared_ptr<const NvmlFunctions> nvml;  ///< null: none
};

/// Opens what this machine has. Without a driver nothing of CUPTI is opened.
Parts open_parts();

/// What works on this machine, and why the rest does not.
struct Readiness {
  Status cuda;   ///< driver and device
  Status cupti;  ///< counters and kernel records
  Status nvml;
  std::string device;      ///< `NVIDIA H100 80GB HBM3`
  std::string chip;        ///< `GH100`
  std::string metric;      ///< the tensor figure's
  std::string library;     ///< libcupti's path
  int driver_version = 0;  ///< 13000
};

/// Looks without touching what another tool holds. Takes up to 0.6 s where there is a GPU, a few ms where there is
/// none.
Readiness look(const Parts& parts, int device);

/// Tensor-core use, live: the device's curve, and figures per op call. Curve and figures degrade separately. Does
/// nothing and holds nothing until start(). Never throws; push(), pop(), state() and the takes wait for nobody. One
/// thread starts, asks and stops; marks may come from any, but for the time of start() and stop().
class Monitor {
 public:
  struct Options {
    int device = 0;
    bool curve = true;    ///< sample the device
    bool kernels = true;  ///< record kernels by op call
    std::chrono::nanoseconds interval = std::chrono::microseconds(50);
  };

  struct State {
    Status curve;  ///< of what is shown; where a coarser source stands in it says why
    Source source = Source::kNone;
    std::string metric;
    bool shared_pipe = false;  ///< the figure counts float16 on the same pipe too (Turing)
    Status counters;           ///< of the hardware counters, also where a coarser source stands in
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

  /// Starts what can be started; state() says what came of it. Restarts where it runs already.
  void start(const Options& options);
  void stop();
  bool running() const { return running_; }

  /// A step of the training begins, whose op calls are marked or not, and ends. What is launched in a step without
  /// marks, or in none, is left out of all figures. Where neither is called, all that runs is one step with marks.
  void begin_step(bool marked);
  void end_step();
  /// Marks this thread's launches; nests. Nothing where no kernels are recorded.
  void push(OpKey op) noexcept {
    if (KernelSource* kernels = marked_.load(std::memory_order_acquire)) kernels->push(op);
  }
  void pop() noexcept {
    if (KernelSource* kernels = marked_.load(std::memory_order_acquire)) kernels->pop();
  }

  /// Forgets what was found so far: op calls run in another format from now on.
  void begin_anew();
  /// Waits until kernels that have run are handed over and joined, a second at most. For ends of runs and changes of
  /// policy; nothing where no kernels are recorded.
  void catch_up();
  /// How often kernels were handed over since start(): right after one, those of all steps but the newest are there.
  std::uint64_t gathered() const { return gathered_.load(std::memory_order_relaxed); }

  State state() const;
  std::vector<Bin> take_bins();
  /// Times and launches since the last call, with the newest tensor-core figures.
  std::vector<OpFigures> take_ops();

 private:
  void start_curve(const Options& options);
  void start_kernels();
  void work();
  /// Answers what ended the records. `settle`: joins samples and kernels up to so long before the newest, ns.
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
  JoinWindow window_;  // the worker's
  MarkedSteps steps_;

  mutable std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  bool stopping_ = false;
  bool working_ = false;  ///< the worker goes on
  bool hurry_ = false;    ///< somebody waits in catch_up()
  bool forget_ = false;   ///< the window is another policy's
  Status counters_state_, ops_state_;
  OpTable table_;
  std::thread worker_;
};

}  // namespace binade::profiler
