// SPDX-License-Identifier: Apache-2.0
#include "engine/interchange/perfetto_run.h"

#include "engine/formats/error.h"
#include "engine/interchange/run_clock.h"
#include "engine/interchange/tensor_text.h"
#include "engine/interchange/trace_file.h"
#include "engine/words/event_text.h"
#include "engine/words/profile_text.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace binade::interchange {

namespace {

using Args = nlohmann::ordered_json;

constexpr int kTraining = 1;
constexpr int kDevice = 2;
constexpr TraceTrack kSteps{kTraining, 1};
constexpr TraceTrack kOverflows{kTraining, 2};
constexpr TraceTrack kOpCalls{kTraining, 3};
constexpr TraceTrack kKernels{kTraining, 4};

/// One part of a step that has a duration, but no recorded begin.
struct TracePart {
  std::string name;
  const char* category;
  std::int64_t duration;
  Args args;
};

std::string range_text(std::int64_t first, std::int64_t last) {
  return first == last ? "step " + std::to_string(first)
                       : "steps " + std::to_string(first) + " to " + std::to_string(last);
}

bool is_overflow(const wire::Event& event) {
  using enum wire::Event::Kind;
  return event.kind == kGradientOverflow || event.kind == kForwardOverflow || event.kind == kNonFiniteLoss;
}

class PerfettoWriter {
 public:
  PerfettoWriter(RunSource& source, const std::string& file, RunExport& result)
      : source_(source), result_(result), clock_(source.reader().created()), trace_(file) {
    result_.files.push_back(std::filesystem::path(file).filename().string());
  }

  void write() {
    source_.each([this](record::RunRecord&& record) { std::visit([this](const auto& each) { take(each); }, record); },
                 /*observations=*/false);
    if (!profiled_) {
      throw Error(ErrorCode::kBadFile, source_.file() + " has no profiled step, so there is no trace to write",
                  "Record a run with times: binade-engine train RUN.json --profile times.");
    }
    trace_.close();
  }

 private:
  void take(const wire::RunStarted& started) {
    names_.add(started);
    trace_.name_process(kTraining, started.config.name.empty() ? "Training" : "Training of " + started.config.name);
    trace_.name_process(kDevice, "Device: " + started.device);
    trace_.name_track(kSteps, "Steps");
    trace_.name_track(kOverflows, "Overflows");
    trace_.name_track(kKernels, "Kernels: means a step, in the order of the op calls");
  }

  void take(const wire::StepRecord& step) {
    names_.add(step);
    ++result_.steps;
    const auto begin = nanoseconds(clock_.elapsed());
    clock_.pass(step);
    const auto duration = nanoseconds(step.seconds);
    if (!begin || !duration) return;
    begins_[step.step] = *begin;
    trace_.slice(kSteps, "step " + std::to_string(step.step), "step", *begin, *duration,
                 {{"loss", argument(step.loss)},
                  {"gradient norm", argument(step.gradient_norm)},
                  {"learning rate", argument(step.learning_rate)},
                  {"loss scale", argument(step.scale)},
                  {"skipped", !step.stepped},
                  {"observing (s)", argument(step.observe_seconds)}});
    trace_.counter(kTraining, "Loss scale", "scale", *begin, step.scale);
    for (const wire::RankFacts& rank : step.ranks) {
      const std::string of = "Rank " + std::to_string(rank.rank);
      trace_.counter(kTraining, of + ": busy", "s", *begin, rank.seconds);
      trace_.counter(kTraining, of + ": waiting", "s", *begin, rank.waited);
    }
  }

  void take(const wire::Event& event) {
    const auto time = nanoseconds(clock_.elapsed());
    if (!is_overflow(event) || !time) return;
    Args args{{"step", event.step}, {"loss scale", argument(event.scale)}, {"event", names_.sentence_of(event)}};
    const std::string explanation = names_.explanation_of(event);
    if (!explanation.empty()) args["diagnosis"] = explanation;
    trace_.instant(kOverflows, wire::name(event.kind), "overflow", *time, std::move(args));
  }

  void take(const wire::Profile& profile) {
    for (const wire::ProfileBin& each : profile.bins) add_bin(each);
    if (profile.steps == 0 || profile.sites.empty()) return;
    const bool on_gpu = profile.times.source != "cpu-clock";
    if (!profiled_) {
      trace_.name_track(kOpCalls, on_gpu ? "Op calls: time of their kernels, means a step, arranged in a row"
                                         : "Op calls: time on the training thread, means a step, arranged in a row");
    }
    profiled_ = true;
    const auto first = begins_.find(profile.first_step);
    const auto now = nanoseconds(clock_.elapsed());
    const std::int64_t begin = first != begins_.end() ? first->second : now.value_or(0);
    place(kOpCalls, profile, call_parts(profile), begin, calls_end_);
    const std::vector<TracePart> kernels = kernel_parts(profile);
    if (!kernels.empty()) place(kKernels, profile, kernels, begin, kernels_end_);
    begins_.erase(begins_.begin(), begins_.upper_bound(profile.last_step));
  }

  /// Percentages of the peak, at the times of the device's own samples.
  void add_bin(const wire::ProfileBin& bin) {
    const auto time = nanoseconds(bin.time);
    if (!time) return;
    trace_.counter(kDevice, "Tensor cores", "% of peak", *time, bin.tensor);
    trace_.counter(kDevice, "Tensor cores, floats of 8 to 19 bits", "% of peak", *time, bin.hmma);
    trace_.counter(kDevice, "Tensor cores, int8", "% of peak", *time, bin.imma);
    trace_.counter(kDevice, "Tensor cores, float64", "% of peak", *time, bin.dmma);
    trace_.counter(kDevice, "Multiprocessors with work", "%", *time, bin.sm_active);
    trace_.counter(kDevice, "Clock", "Hz", *time, bin.clock);
  }

  /// Puts the parts in a row into one slice for a mean step, which does not begin before `end`. Moves `end` on.
  void place(TraceTrack track, const wire::Profile& profile, const std::vector<TracePart>& parts, std::int64_t begin,
             std::int64_t& end) {
    std::int64_t whole = 0;
    for (const TracePart& each : parts) whole += each.duration;
    // Kernels of several streams can take longer than the step.
    const std::int64_t duration = std::max(whole, nanoseconds(profile.step_seconds).value_or(0));
    std::int64_t at = std::max(begin, end);
    trace_.slice(track, range_text(profile.first_step, profile.last_step), "profile", at, duration,
                 {{"profiled steps", profile.steps},
                  {"step (s), mean", argument(profile.step_seconds)},
                  {"times", profile.times.source}});
    end = at + duration;
    for (const TracePart& each : parts) {
      trace_.slice(track, each.name, each.category, at, each.duration, each.args);
      at += each.duration;
    }
  }

  std::vector<TracePart> call_parts(const wire::Profile& profile) const {
    std::vector<TracePart> parts;
    const auto add = [&](const wire::SiteProfile& site, const char* phase, double seconds) {
      const auto duration = nanoseconds(seconds);
      if (!duration || *duration == 0) return;
      parts.push_back({op_call_name(site.site, names_.names()), phase, *duration, call_args(site, phase)});
    };
    for (const wire::SiteProfile& site : profile.sites) {
      add(site, "forward", site.forward);
      add(site, "observe", site.observe);
    }
    for (auto site = profile.sites.rbegin(); site != profile.sites.rend(); ++site) {
      add(*site, "backward", site->backward);
      add(*site, "accumulate", site->accumulate);
    }
    if (const auto rest = nanoseconds(profile.outside); rest && *rest > 0) {
      Args args;
      if (!std::isnan(profile.idle)) args["GPU without kernel (s)"] = profile.idle;
      parts.push_back({"outside of op calls", "outside", *rest, std::move(args)});
    }
    return parts;
  }

  static Args call_args(const wire::SiteProfile& site, const char* phase) {
    Args args{{"part", phase}, {"calls", argument(site.calls)}};
    if (!std::isnan(site.launches)) args["kernels"] = site.launches;
    if (!std::isnan(site.tensor)) args["tensor cores (%)"] = site.tensor;
    if (!std::isnan(site.tensor_error)) args["standard error (percentage points)"] = site.tensor_error;
    if (site.emulated) args["emulated"] = true;
    const std::string verdict = words::profile_verdict(site);
    if (!verdict.empty()) args["tensor-core verdict"] = verdict;
    return args;
  }

  std::vector<TracePart> kernel_parts(const wire::Profile& profile) const {
    std::vector<TracePart> parts;
    for (const wire::SiteProfile& site : profile.sites) {
      for (const wire::ProfileKernel& kernel : site.kernels) {
        const auto duration = nanoseconds(kernel.seconds);
        if (!duration || *duration == 0) continue;
        parts.push_back({kernel.name,
                         "kernel",
                         *duration,
                         {{"op call", op_call_name(site.site, names_.names())},
                          {"launches in the profiled steps", kernel.launches},
                          {"tensor cores, by its name", kernel.by_name}}});
      }
    }
    return parts;
  }

  void take(const wire::CheckpointInfo& saved) { clock_.pass(saved); }

  // A trace has no place for these.
  void take(const wire::Rewound&) {}
  void take(const wire::PolicyApplied&) {}
  void take(const wire::Evaluated&) {}
  void take(const wire::ScalerChanged&) {}
  void take(const wire::LogLine&) {}
  void take(const wire::CastLedger&) {}
  void take(const wire::Float32Comparison&) {}
  void take(const wire::QuantizedStep&) {}
  void take(const wire::SilentReport&) {}
  void take(const wire::Trial&) {}
  void take(const wire::Note&) {}
  void take(const wire::Finished&) {}

  RunSource& source_;
  RunExport& result_;
  RunClock clock_;
  TraceFile trace_;
  words::NameBook names_;
  std::map<std::int64_t, std::int64_t> begins_;  ///< of the steps since the last profile
  std::int64_t calls_end_ = 0;
  std::int64_t kernels_end_ = 0;
  bool profiled_ = false;
};

}  // namespace

void write_perfetto(RunSource& source, const std::string& file, RunExport& result) {
  PerfettoWriter(source, file, result).write();
}

}  // namespace binade::interchange
