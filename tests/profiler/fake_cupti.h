// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/cupti.h"
#include "profiler/cupti_functions.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace binade::test {

/// A CUPTI that answers as a test says, makes samples of a known curve and kernel records of known launches. What real
/// libraries do to a careless caller shows here as `crimes`. One at a time.
class FakeCupti {
 public:
  FakeCupti();
  ~FakeCupti();

  /// As if it had been opened.
  profiler::Cupti library();
  std::shared_ptr<const profiler::CuptiFunctions> functions() const { return functions_; }

  // What is answered: CUptiResult, 0 is success.
  std::atomic<int> initialize{0}, device_supported{0}, availability{0}, host{0}, enable{0}, set_config{0}, start{0},
      decode{0}, evaluate{0}, subscribe{0}, flush{0};
  std::atomic<int> support_level{CUPTI_PROFILER_CONFIGURATION_SUPPORTED};
  std::atomic<int> vgpu_level{CUPTI_PROFILER_CONFIGURATION_SUPPORTED};
  /// Which of DeviceSupported's answers is no, beside these: `sli`, `confidential`, `cmp`, `wsl`; empty: none.
  std::string refused_mode;
  std::string chip = "GH100";
  std::string old_subscriber;

  /// The device's curve: percent of busy tensor pipes at a time in ns.
  std::function<double(std::uint64_t)> tensor = [](std::uint64_t) { return 50.0; };
  /// Samples shorter than this overflow.
  std::atomic<std::uint64_t> shortest_interval{0};
  /// How far the device's time moves at each look, ns; it never follows the real clock.
  std::uint64_t step = 20'000'000;
  std::atomic<std::uint64_t> now = 1'000'000'000'000;
  bool zero_times = false;                ///< every third sample has none
  bool slow_images = false;               ///< initializing one takes longer than copying one
  std::atomic<int> images_made{0};        ///< initialized
  std::atomic<int> looks_at_an_image{0};  ///< how often one and the same was decoded into, at most

  /// Set once cuInit has succeeded: before that, the real functions crash.
  std::atomic<bool> driver_started{false};

  /// What the host's calls are timed by.
  std::uint64_t clock() const;
  /// When launches are recorded to happen; 0: now.
  std::uint64_t launch_time = 0;
  /// A kernel that the calling thread launches now, by __cudaLaunchKernel as LibTorch does.
  void launch(const char* name, std::uint64_t start, std::uint64_t end);
  /// As launch(), with the external record only after `hand_over` was called once more.
  bool late_correlation = false;
  std::atomic<std::size_t> dropped{0};
  /// Kernels are launched by a call that the profiler does not know.
  std::atomic<bool> launched_by_another_call{false};
  /// No kernel is recorded while samples are taken.
  std::atomic<bool> silent_beside_sampling{false};
  /// Gives filled buffers to whoever registered, as CUPTI does when they are full or flushed.
  void hand_over();

  std::vector<std::string> crimes() const;
  std::uint64_t interval() const { return interval_; }
  int configurations() const { return configurations_; }
  bool sampling() const { return sampling_; }
  bool subscribed() const { return subscribed_; }
  std::size_t pushed() const { return pushed_; }
  bool records_calls() const { return records_calls_; }
  /// As records_calls(), and none is left out.
  bool every_call() const { return records_calls_ && ignored_calls_.empty(); }

 private:
  friend struct FakeCalls;
  void crime(const std::string& what);
  void need_driver(const char* call);

  std::shared_ptr<profiler::CuptiFunctions> functions_;
  mutable std::mutex mutex_;
  std::vector<std::string> crimes_;
  bool sampling_ = false, enabled_ = false, subscribed_ = false, full_ = false;
  int configurations_ = 0;
  std::uint64_t interval_ = 0, last_ = 0;
  const std::uint8_t* config_ = nullptr;
  std::size_t config_size_ = 0;
  std::atomic<std::size_t> pushed_{0};
  CUpti_BuffersCallbackRequestFunc requested_ = nullptr;
  CUpti_BuffersCallbackCompleteFunc completed_ = nullptr;
  std::uint8_t* buffer_ = nullptr;
  std::size_t capacity_ = 0, used_ = 0;
  std::uint32_t correlation_ = 0;
  std::vector<CUpti_ActivityExternalCorrelation> held_;
  std::set<CUpti_CallbackId> ignored_calls_;
  bool records_calls_ = false;
};

}  // namespace binade::test
