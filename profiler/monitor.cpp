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
/// Records without an op call are held back for two flushes, in case their mark arrives later.
constexpr std::uint64_t kSettle = 500'000'000;
constexpr int kLastFlushes = 4;
constexpr std::chrono::milliseconds kBetweenLast{20};  // for kernels that are still running
constexpr std::chrono::seconds kPatience{1};

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
  ready.cuda = look_at_device(parts.driver.get(), device);
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
    steps_.clear();
    counters_state_ = ops_state_ = status(Code::kOff);
  }
  const Status device = look_at_device(parts_.driver.get(), options.device);
  if (!device.ok()) {
    const std::lock_guard lock(mutex_);
    counters_state_ = ops_state_ = device;
    return;
  }
  // Kernel records first: a later CUPTI subscriber is refused.
  if (options.kernels) start_kernels();
  if (options.curve) start_curve(options);
  running_ = curve_ != nullptr || kernels_ != nullptr;
  if (!kernels_) return;
  working_ = true;  // set before the worker exists, so no lock is needed
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
  std::unique_ptr<SampleSource> first, instead;
  if (counters_.state.ok()) {
    first = make_pm_source(parts_.cupti.functions, parts_.driver, options.device, counters_);
  }
  if (parts_.nvml) instead = make_gpm_source(parts_.nvml, parts_.driver, options.device);
  if (!first) first.swap(instead);
  if (first) {
    DeviceCurve::Options curve;
    curve.interval = options.interval;
    if (!kernels_ || first->source() != Source::kPmSampling) curve.kept_samples = 0;  // no kernels to join with
    curve_ = std::make_unique<DeviceCurve>(std::move(first), curve, std::move(instead));
  }
  Status counters = counters_.state;
  if (curve_ && !curve_->status().ok()) {
    const CurveState failed = curve_->state();
    if (failed.source == Source::kPmSampling) counters = failed.status;
    curve_.reset();
  }
  const std::lock_guard lock(mutex_);
  counters_state_ = std::move(counters);
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
  std::optional<Status> ended = kernels_->flush();  // without the lock, because it calls back into the source
  if (ended) settle = 0;
  std::vector<Kernel> kernels = kernels_->take();
  for (Kernel& kernel : kernels) {
    if (kernel.op == kOutsideOps && !steps_.in_marked_step(kernel.launched)) kernel.op = kOtherSteps;
  }
  const CurveState curve = curve_ ? curve_->state() : CurveState();
  const bool sampled = curve.source == Source::kPmSampling && curve.status.ok();
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(forget_, false)) window_.begin_anew();
  }
  if (sampled) {
    window_.add(kernels);
    window_.add(curve_->take_samples());
  } else {
    window_ = JoinWindow();
  }
  // Without the lock: a training thread that asks for figures must not wait for this.
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

void Monitor::begin_step(bool marked) {
  if (const KernelSource* kernels = marked_.load(std::memory_order_acquire)) steps_.begin(marked, kernels->now());
}

void Monitor::end_step() {
  if (const KernelSource* kernels = marked_.load(std::memory_order_acquire)) steps_.end(kernels->now());
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
  state.counters = state.curve = counters_state_;
  state.ops = ops_state_;
  state.chip = counters_.chip;
  state.shift_seconds = table_.shift();
  if (curve_) {
    const CurveState now = curve_->state();
    state.source = now.source;
    state.curve = now.status;
    if (now.source == Source::kPmSampling) {
      state.counters = now.status;
    } else {
      if (now.given_up) state.counters = *now.given_up;
      if (state.curve.ok()) {
        state.curve.sentence = state.counters.sentence + " Shown meanwhile: NVML's coarser figure.";
        state.curve.next = state.counters.next;
      }
    }
    state.metric = now.metric;
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
