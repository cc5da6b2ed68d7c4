// SPDX-License-Identifier: Apache-2.0
#include "engine/host/listeners/profile_listener.h"

#include "engine/formats/printable.h"
#include "profiler/clock.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace binade::host {

namespace {

constexpr std::chrono::milliseconds kBetween{500};
/// Deliveries of kernel records after which all kernels of a finished step have arrived, those outside op calls
/// included.
constexpr std::uint64_t kUntilThere = 4;
constexpr double kSilent = 3;  ///< seconds of steps without any kernel, after which none is expected

profiler::Phase phase_of(observe::Part part) {
  switch (part) {
    case observe::Part::kBackward:
      return profiler::Phase::kBackward;
    case observe::Part::kAccumulate:
      return profiler::Phase::kAccumulate;
    case observe::Part::kObserve:
      return profiler::Phase::kObserve;
    case observe::Part::kForward:
      break;
  }
  return profiler::Phase::kForward;
}

wire::ProfileSource source_of(const char* source, const profiler::Status& state, const std::string& detail = {}) {
  return {.source = state.ok() ? source : "none",
          .state = std::string(name(state.code)),
          .sentence = state.sentence,
          .next = state.next,
          .detail = detail};
}

/// Adds to one list for all phases. Names of templates have a thousand letters; their beginnings tell them apart.
void add_kernel(const profiler::OpKernel& kernel, double steps, std::vector<wire::ProfileKernel>& all) {
  constexpr std::size_t kLongest = 200;
  std::string text(formats::beginning(kernel.name, kLongest));
  if (text.size() < kernel.name.size()) text += "...";
  auto found = std::find_if(all.begin(), all.end(), [&text](const auto& each) { return each.name == text; });
  if (found == all.end()) {
    all.push_back({.name = std::move(text), .by_name = std::string(name(kernel.by_name))});
    found = all.end() - 1;
  }
  found->launches += static_cast<std::int64_t>(kernel.launches);
  found->seconds += kernel.seconds / steps;
}

double& part_of(wire::SiteProfile& site, profiler::Phase phase) {
  switch (phase) {
    case profiler::Phase::kBackward:
      return site.backward;
    case profiler::Phase::kAccumulate:
      return site.accumulate;
    case profiler::Phase::kObserve:
      return site.observe;
    case profiler::Phase::kForward:
      break;
  }
  return site.forward;
}

}  // namespace

ProfileListener::ProfileListener(run::Listener& out, std::function<profiler::Parts()> open)
    : out_(out), open_(open), monitor_(std::move(open)) {}

ProfileListener::~ProfileListener() = default;

void ProfileListener::take(const wire::RunStarted& started) {
  began_ = profiler::now_ns();
  sites_ = started.model.sites;
  decisions_ = started.policy.decisions;
  on_gpu_ = started.config.device.compare(0, 4, "cuda") == 0;
}

void ProfileListener::take(const wire::PolicyApplied& applied) {
  if (config_.level != "off") {
    report_all();  // the figures so far belong to the previous policy
    monitor_.begin_anew();
  }
  decisions_ = applied.decisions;
}

void ProfileListener::take(const wire::ProfileConfig& profile) {
  if (config_.level != "off") report_all();
  config_ = profile;
  monitor_.stop();
  silent_seconds_ = 0;
  reported_at_ = curve_reported_at_ = std::chrono::steady_clock::now();
  gathered_ = gathered_at_times_ = gathered_between_ = 0;
  if (profile.level == "off") return;
  if (on_gpu_) {
    profiler::Monitor::Options options;
    options.device = device_;
    options.curve = profile.level == "counters";
    options.interval = std::chrono::nanoseconds(static_cast<std::int64_t>(1e3 * profile.interval));
    monitor_.start(options);
    in_step_ = false;
    if (profile.every > 1) monitor_.begin_step(false);
  } else {
    no_curve_ = profiler::look_at_device(open_().driver.get(), device_);
    if (no_curve_.ok()) {
      no_curve_ = {profiler::Code::kOff, "This run uses the CPU, which has no tensor cores.",
                   "Set the device of the run to cuda."};
    }
  }
}

void ProfileListener::take(const wire::StepTimes& times) {
  for (const wire::SiteProduct& product : times.new_products) {
    products_[product.site] = {.m = product.m, .n = product.n, .k = product.k, .batches = product.batches};
  }
  if (!std::exchange(warm_, true)) return hold_back(times);
  first_.reset();
  add(times);
  const std::uint64_t gathered = monitor_.gathered();
  gathered_between_ = gathered - std::exchange(gathered_at_times_, gathered);
  report_if_due();
}

void ProfileListener::take(const wire::StepRecord& step) {
  if (config_.level == "off") return;
  monitor_.end_step();
  if (in_step_.exchange(false)) return;  // a profiled step: its StepTimes follow
  if (steps_ > 0) return report_if_due();
  if (std::chrono::steady_clock::now() - std::max(reported_at_, curve_reported_at_) >= kBetween)
    report_curve(step.step);
}

void ProfileListener::report_if_due() {
  const auto waited = std::chrono::steady_clock::now() - reported_at_;
  if (kernels_are_there(waited) && waited >= kBetween) report();
}

bool ProfileListener::kernels_are_there(std::chrono::steady_clock::duration waited) {
  const std::uint64_t gathered = monitor_.gathered();
  if (gathered == 0) return true;  // no kernel is recorded
  const bool fresh = gathered != std::exchange(gathered_, gathered);
  // Profiled steps are far apart: few are reported together, so each must have all of its kernels.
  if (config_.every > 1 && gathered_between_ >= kUntilThere) {
    return gathered - gathered_at_times_ >= kUntilThere || (steps_ > 1 && waited >= 4 * kBetween);
  }
  // Otherwise report right after a delivery: at other times up to a fifth of these steps' kernels would be missing.
  return fresh || waited >= 2 * kBetween;
}

void ProfileListener::report_curve(std::int64_t step) {
  curve_reported_at_ = std::chrono::steady_clock::now();
  wire::Profile profile;
  add_bins(profile);
  if (profile.bins.empty()) return;
  profile.first_step = std::min(std::exchange(reported_step_, step) + 1, step);
  profile.last_step = step;
  describe_sources(profile);
  out_.receive(profile);
}

void ProfileListener::hold_back(const wire::StepTimes& first) {
  first_ = first;
  monitor_.catch_up();
  first_kernels_ = monitor_.take_ops();
}

void ProfileListener::add(const wire::StepTimes& times) {
  if (steps_ == 0) first_step_ = times.step;
  last_step_ = times.step;
  ++steps_;
  step_seconds_ += times.seconds;
  for (const wire::SiteTime& site : times.sites) {
    Sum& sum = sums_[site.site];
    sum.calls += site.calls;
    sum.forward += site.forward;
    sum.backward += site.backward;
    sum.accumulate += site.accumulate;
    sum.observe += site.observe;
  }
}

void ProfileListener::report_first() {
  if (!first_) return;
  add(*first_);
  report();
  first_.reset();
}

void ProfileListener::take(const wire::StateChanged& change) {
  if (config_.level == "off" || change.state != wire::RunState::kPaused) return;
  report_first();
  report_all();
}

void ProfileListener::take(const wire::Finished& /*finished*/) {
  report_first();
  if (config_.level != "off") report_all();
  monitor_.stop();
  config_.level = "off";
}

void ProfileListener::enter(int site, observe::Part part) noexcept {
  // A step launches almost nothing before its first op call, and op calls are entered in profiled steps only.
  if (!in_step_.load(std::memory_order_relaxed) && !in_step_.exchange(true)) monitor_.begin_step(true);
  monitor_.push(profiler::op_key(site, phase_of(part)));
}

void ProfileListener::leave() noexcept {
  monitor_.pop();
}

void ProfileListener::report_all() {
  monitor_.catch_up();
  report();
}

void ProfileListener::report() {
  reported_at_ = std::chrono::steady_clock::now();
  wire::Profile profile;
  describe_sources(profile);
  add_bins(profile);
  if (steps_ > 0) {
    profile.first_step = first_step_;
    profile.last_step = reported_step_ = last_step_;
    profile.steps = steps_;
    profile.step_seconds = step_seconds_ / static_cast<double>(steps_);
    add_sites(profile);
    double within = 0;
    for (wire::SiteProfile& site : profile.sites) {
      within += site.forward + site.backward + site.accumulate + site.observe;
      judge(site);
    }
    profile.estimate = std::any_of(profile.sites.begin(), profile.sites.end(),
                                   [](const wire::SiteProfile& site) { return !std::isnan(site.tensor); });
    // Kernels that no op call launched are work too; the rest of a step is time that the GPU waits.
    const double rest = std::max(0.0, profile.step_seconds - within);
    if (profile.times.source == "kernel-records") profile.idle = std::max(0.0, rest - profile.outside);
    profile.outside = std::max(profile.outside, rest);
  }
  steps_ = 0;
  step_seconds_ = 0;
  sums_.clear();
  if (profile.steps > 0 || !profile.bins.empty()) out_.receive(profile);
}

void ProfileListener::describe_sources(wire::Profile& profile) const {
  const profiler::Status clock{profiler::Code::kRunning,
                               on_gpu_ ? "The times are those of the launching thread, not of the GPU."
                                       : "The times are those of the computing threads.",
                               {}};
  profile.times = source_of("cpu-clock", clock);
  if (!on_gpu_) {
    profile.curve = source_of("none", no_curve_);
    profile.tensor = source_of("none", no_curve_);
    return;
  }
  const profiler::Monitor::State state = monitor_.state();
  if (state.ops.ok()) profile.times = source_of("kernel-records", state.ops);
  const std::string source(name(state.source));
  profile.curve = source_of(source.c_str(), state.curve, state.metric);
  const bool joined = state.ops.ok() && state.counters.ok() && state.source == profiler::Source::kPmSampling;
  profile.tensor = source_of("pm-sampling", state.ops.ok() ? state.counters : state.ops, state.chip);
  if (joined && state.shared_pipe) {
    profile.tensor.sentence += " Turing counts float16 on the same pipe, so the value includes both.";
  }
}

void ProfileListener::add_bins(wire::Profile& profile) {
  using profiler::Channel;
  for (const profiler::Bin& bin : monitor_.take_bins()) {
    const auto value = [&bin](Channel channel) { return static_cast<double>(bin.values[channel]); };
    profile.bins.push_back({.time = 1e-9 * (static_cast<double>(bin.start) - static_cast<double>(began_)),
                            .seconds = 1e-9 * static_cast<double>(bin.width),
                            .covered = bin.covered,
                            .tensor = value(Channel::kTensor),
                            .hmma = value(Channel::kHmma),
                            .imma = value(Channel::kImma),
                            .dmma = value(Channel::kDmma),
                            .sm_active = value(Channel::kSmActive),
                            .clock = value(Channel::kClock)});
  }
}

void ProfileListener::add_sites(wire::Profile& profile) {
  if (profile.times.source != "kernel-records") return add_cpu_sites(profile);
  add_gpu_sites(profile, first_ ? first_kernels_ : monitor_.take_ops());
  // Observed with CUPTI 12.8: sampling suppresses kernel records. Launch times are better than an empty table.
  silent_seconds_ = profile.sites.empty() ? silent_seconds_ + step_seconds_ : 0;
  if (silent_seconds_ < kSilent) return;
  add_cpu_sites(profile);
  profile.times = {.source = "cpu-clock",
                   .state = std::string(name(profiler::Code::kRunning)),
                   .sentence = "CUPTI records no kernel of an op call. The times are those of the launching thread.",
                   .next = "Set the profile level to times. Counters and kernel records may be incompatible here.",
                   .detail = {}};
  profile.tensor = source_of("none", profiler::status(profiler::Code::kLost, "no kernel of an op call was recorded"));
}

void ProfileListener::add_cpu_sites(wire::Profile& profile) const {
  const auto steps = static_cast<double>(steps_);
  for (const auto& [id, sum] : sums_) {
    wire::SiteProfile& site = profile.sites.emplace_back();
    site.site = id;
    site.calls = sum.calls / steps;
    site.forward = sum.forward / steps;
    site.backward = sum.backward / steps;
    site.accumulate = sum.accumulate / steps;
    site.observe = sum.observe / steps;
  }
}

void ProfileListener::add_gpu_sites(wire::Profile& profile, const std::vector<profiler::OpFigures>& figures) const {
  const auto steps = static_cast<double>(steps_);
  std::map<int, wire::SiteProfile> sites;
  std::map<int, std::pair<double, double>> busy;  // seconds that have a figure, and the sum of figure times seconds
  for (const profiler::OpFigures& op : figures) {
    if (op.op == profiler::kOutsideOps) {
      profile.outside = op.seconds / steps;
      continue;
    }
    const int id = profiler::site_of(op.op);
    const profiler::Phase phase = profiler::phase_of(op.op);
    wire::SiteProfile& site = sites[id];
    site.site = id;
    part_of(site, phase) += op.seconds / steps;
    site.launches = (std::isnan(site.launches) ? 0 : site.launches) + static_cast<double>(op.launches) / steps;
    for (const profiler::OpKernel& kernel : op.kernels) add_kernel(kernel, steps, site.kernels);
    // Binade's own statistics are not work of the op.
    if (op.confidence == profiler::Confidence::kNone || phase == profiler::Phase::kObserve) continue;
    busy[id].first += op.seconds;
    busy[id].second += op.seconds * op.percent;
    site.tensor = busy[id].first > 0 ? busy[id].second / busy[id].first : op.percent;
    // The least certain phase sets the error and confidence of the op call.
    if (std::isnan(site.tensor_error) || op.error > site.tensor_error) {
      site.tensor_error = op.error;
      site.confidence = std::string(name(op.confidence));
    }
  }
  for (auto& [id, site] : sites) {
    if (const auto sum = sums_.find(id); sum != sums_.end()) site.calls = sum->second.calls / steps;
    std::sort(site.kernels.begin(), site.kernels.end(),
              [](const wire::ProfileKernel& a, const wire::ProfileKernel& b) { return a.seconds > b.seconds; });
    profile.sites.push_back(std::move(site));
  }
}

void ProfileListener::judge(wire::SiteProfile& site) const {
  const auto index = static_cast<std::size_t>(site.site);
  if (index >= sites_.size()) return;
  profiler::OpFacts facts;
  facts.on_gpu = on_gpu_;
  facts.percent = std::isnan(site.tensor) ? -1 : site.tensor;
  if (const auto product = products_.find(site.site); product != products_.end()) {
    facts.matrix_op = true;
    facts.shape = product->second;
  }
  facts.format = "float32";
  if (index < decisions_.size()) {
    const policy::Decision& decision = decisions_[index];
    if (decision.kind == policy::Decision::Kind::kFormat) {
      facts.format = formats::name(decision.format);
      facts.emulated = decision.execution == policy::Execution::kEmulated;
    }
  }
  site.emulated = facts.emulated;
  site.verdict = why_not(facts);
}

}  // namespace binade::host
