// SPDX-License-Identifier: Apache-2.0
#include "profiler/monitor.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace binade::profiler {

namespace {

constexpr std::chrono::milliseconds kFlush{100};
constexpr int kFlushesPerJoin = 10;
/// Records of what no op call launched are held back for two flushes, in case their mark comes still.
constexpr std::uint64_t kSettle = 500'000'000;
constexpr int kLastFlushes = 4;
constexpr std::chrono::milliseconds kBetweenLast{20};  // for kernels that are under way
constexpr std::chrono::seconds kPatience{1};

}  // namespace

Status look_at_device(const Parts& parts, int device) {
  if (!parts.driver) return status(Code::kNoDriver);
  if (const int result = parts.driver->init(); result != 0) return from_cuinit(result);
  int count = 0;
  if (parts.driver->device_count(count) != 0 || count <= device) return status(Code::kNoDevice);
  return status(Code::kAvailable);
}

Parts open_parts() {
  Parts parts;
  parts.driver = open_driver();
  if (parts.driver) {
    parts.cupti = open_cupti();
    parts.nvml = open_nvml();
  } else {
    parts.cupti.state = status(built_with_cupti() ? Code::kNoDriver : Code::kBuiltWithout);
  }
  return parts;
}

Readiness look(const Parts& parts, int device) {
  Readiness ready;
  ready.cuda = look_at_device(parts, device);
  ready.library = parts.cupti.path;
  if (!ready.cuda.ok()) {
    ready.cupti = parts.cupti.state.code == Code::kBuiltWithout ? parts.cupti.state : ready.cuda;
    ready.nvml = parts.driver ? ready.cuda : status(Code::kNoNvml);
    return ready;
  }
  parts.driver->device_name(device, ready.device);
  parts.driver->version(ready.driver_version);
  const Counters counters = probe_counters(*parts.driver, parts.cupti, device);
  ready.cupti = counters.state;
  ready.chip = counters.chip;
  if (!counters.choice.metrics.empty()) ready.metric = counters.choice.metrics.front().name;
  ready.nvml = probe_gpm(parts.nvml.get(), *parts.driver, device);
  ready.cuda.sentence = ready.device + ", driver for CUDA " + std::to_string(ready.driver_version / 1000) + "." +
                        std::to_string(ready.driver_version % 1000 / 10) + ".";
  return ready;
}

Monitor::Monitor(std::function<Parts()> open) : open_(std::move(open)) {}

Monitor::~Monitor() {
  stop();
}

void Monitor::start(const Options& options) {
  stop();
  if (!std::exchange(opened_, true)) parts_ = open_();
  {
    const std::lock_guard lock(mutex_);
    stopping_ = hurry_ = forget_ = false;
    table_ = OpTable();
    window_ = JoinWindow();
    gathered_ = 0;
    curve_state_ = counters_state_ = ops_state_ = status(Code::kOff);
  }
  const Status device = look_at_device(parts_, options.device);
  if (!device.ok()) {
    const std::lock_guard lock(mutex_);
    curve_state_ = counters_state_ = ops_state_ = device;
    return;
  }
  // Kernel records first: who subscribes later finds the earlier one in its way.
  if (options.kernels) start_kernels();
  if (options.curve) start_curve(options);
  running_ = curve_ != nullptr || kernels_ != nullptr;
  if (!kernels_) return;
  working_ = true;  // nobody else is there to look yet
  worker_ = std::thread([this] { work(); });
}

void Monitor::start_kernels() {
  Status state = parts_.cupti.state;
  if (state.ok()) {
    kernels_ = make_activity_source(parts_.cupti.functions);
    state = kernels_->start();
    if (state.ok()) {
      marked_.store(kernels_.get(), std::memory_order_release);
    } else {
      kernels_.reset();
    }
  }
  const std::lock_guard lock(mutex_);
  ops_state_ = std::move(state);
}

void Monitor::start_curve(const Options& options) {
  counters_ = probe_counters(*parts_.driver, parts_.cupti, options.device);
  DeviceCurve::Options curve;
  curve.interval = options.interval;
  Status counters = counters_.state;
  if (counters.ok()) {
    curve.kept_samples = kernels_ ? curve.kept_samples : 0;
    curve_ = std::make_unique<DeviceCurve>(
        make_pm_source(parts_.cupti.functions, parts_.driver, options.device, counters_), curve);
    counters = curve_->status();
    if (!counters.ok()) curve_.reset();
  }
  Status shown = counters;
  if (!curve_ && probe_gpm(parts_.nvml.get(), *parts_.driver, options.device).ok()) {
    curve.kept_samples = 0;  // too coarse to be joined with kernels
    curve_ = std::make_unique<DeviceCurve>(make_gpm_source(parts_.nvml, parts_.driver, options.device), curve);
    if (curve_->status().ok()) {
      shown = curve_->status();
      shown.sentence = counters.sentence + " Shown meanwhile: NVML's coarser figure.";
      shown.next = counters.next;
    } else {
      curve_.reset();
    }
  }
  const std::lock_guard lock(mutex_);
  counters_state_ = std::move(counters);
  curve_state_ = std::move(shown);
}

void Monitor::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (worker_.joinable()) worker_.join();
  marked_.store(nullptr, std::memory_order_release);
  if (kernels_) kernels_->stop();
  curve_.reset();
  kernels_.reset();
  window_ = JoinWindow();
  running_ = false;
}

void Monitor::work() {
  std::optional<Status> ended;
  for (int flushes = 1; !ended; ++flushes) {
    bool hurry = false;
    {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, kFlush, [this] { return stopping_ || hurry_; });
      if (stopping_) break;
      hurry = hurry_;
    }
    for (int i = 1; hurry && !ended && i < kLastFlushes; ++i) {
      ended = gather(std::nullopt);
      std::this_thread::sleep_for(kBetweenLast);
    }
    if (!ended)
      ended = gather(hurry                            ? std::optional<std::uint64_t>(0)
                     : flushes % kFlushesPerJoin == 0 ? std::optional(kSettle)
                                                      : std::nullopt);
    if (!hurry) continue;
    const std::lock_guard lock(mutex_);
    hurry_ = false;
    changed_.notify_all();
  }
  const std::lock_guard lock(mutex_);
  if (ended) ops_state_ = std::move(*ended);
  working_ = hurry_ = false;
  changed_.notify_all();
}

std::optional<Status> Monitor::gather(std::optional<std::uint64_t> settle) {
  std::optional<Status> ended = kernels_->flush();  // without the lock: it calls back into the source
  if (ended) settle = 0;
  const std::vector<Kernel> kernels = kernels_->take();
  const std::vector<Sample> samples = curve_ ? curve_->take_samples() : std::vector<Sample>();
  const bool sampled = curve_ && curve_->status().ok();
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(forget_, false)) window_.begin_anew();
  }
  window_.add(kernels);
  window_.add(samples);
  // Without the lock too: a training thread that asks for figures must not wait for this.
  std::optional<Attribution> joined;
  if (settle) joined = window_.join(*settle);
  const std::lock_guard lock(mutex_);
  table_.add(kernels);
  if (joined && !forget_) table_.add(*joined);
  if (!sampled) table_.forget_figures();
  const std::size_t dropped = kernels_->counts().dropped;
  if (dropped > 0)
    ops_state_ = status(Code::kDropped, std::to_string(dropped) + " so far, more a second than can be kept");
  gathered_.fetch_add(1, std::memory_order_relaxed);
  return ended;
}

void Monitor::begin_anew() {
  const std::lock_guard lock(mutex_);
  forget_ = true;
  table_.clear();
  table_.forget_figures();
}

void Monitor::catch_up() {
  std::unique_lock lock(mutex_);
  if (!working_) return;
  hurry_ = true;
  changed_.notify_all();
  changed_.wait_for(lock, kPatience, [this] { return !hurry_; });
}

Monitor::State Monitor::state() const {
  State state;
  const std::lock_guard lock(mutex_);
  state.curve = curve_state_;
  state.counters = counters_state_;
  state.ops = ops_state_;
  state.chip = counters_.chip;
  state.shift_seconds = table_.shift();
  if (curve_) {
    const Status now = curve_->status();
    state.source = curve_->source();
    if (now.code != Code::kRunning) {
      state.curve = now;
      if (state.source == Source::kPmSampling) state.counters = now;
    }
    state.metric = curve_->metric();
    state.shared_pipe = state.source == Source::kPmSampling && counters_.choice.shared_pipe;
    state.samples = curve_->counts();
  }
  if (kernels_) state.kernels = kernels_->counts();
  return state;
}

std::vector<Bin> Monitor::take_bins() {
  return curve_ ? curve_->take_bins() : std::vector<Bin>{};
}

std::vector<OpFigures> Monitor::take_ops() {
  std::vector<std::string> names;
  if (kernels_) names = kernels_->names();
  const std::lock_guard lock(mutex_);
  std::vector<OpFigures> figures = table_.figures(names);
  table_.clear();
  return figures;
}

}  // namespace binade::profiler
