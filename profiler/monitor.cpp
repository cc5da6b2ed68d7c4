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

Status device_state(const Parts& parts, int device) {
  if (!parts.driver) return status(Code::kNoDriver);
  if (const int result = parts.driver->init(); result != 0) return from_cuinit(result);
  int count = 0;
  if (parts.driver->device_count(count) != 0 || count <= device) return status(Code::kNoDevice);
  return status(Code::kAvailable);
}

}  // namespace

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
  ready.cuda = device_state(parts, device);
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
    stopping_ = false;
    table_ = OpTable();
    curve_state_ = counters_state_ = ops_state_ = status(Code::kOff);
  }
  const Status device = device_state(parts_, options.device);
  if (!device.ok()) {
    const std::lock_guard lock(mutex_);
    curve_state_ = counters_state_ = ops_state_ = device;
    return;
  }
  // Kernel records first: who subscribes later finds the earlier one in its way.
  if (options.kernels) start_kernels();
  if (options.curve) start_curve(options);
  running_ = curve_ != nullptr || kernels_ != nullptr;
  if (kernels_) worker_ = std::thread([this] { work(); });
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
  // Marks that a training thread is about to set go to the source still: it outlives them, switched off.
  if (kernels_) {
    kernels_->stop();
    marked_.store(nullptr, std::memory_order_release);
  }
  curve_.reset();
  kernels_.reset();
  running_ = false;
}

void Monitor::work() {
  int flushes = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      if (changed_.wait_for(lock, kFlush, [this] { return stopping_; })) return;
    }
    std::optional<Status> ended = kernels_->flush();  // without the lock: it calls back into the source
    gather(ended || ++flushes % kFlushesPerJoin == 0);
    if (!ended) continue;
    const std::lock_guard lock(mutex_);
    ops_state_ = std::move(*ended);
    return;
  }
}

void Monitor::gather(bool attribute) {
  std::vector<Kernel> kernels = kernels_->take();
  std::vector<Sample> samples;
  if (curve_) samples = curve_->take_samples();
  const std::lock_guard lock(mutex_);
  table_.add(kernels);
  table_.add(samples);
  if (attribute) table_.attribute();
  const std::size_t dropped = kernels_->counts().dropped;
  if (dropped > 0)
    ops_state_ = status(Code::kDropped, std::to_string(dropped) + " so far, more a second than can be kept");
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
    if (now.code != Code::kRunning) state.curve = now;
    state.source = curve_->source();
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
