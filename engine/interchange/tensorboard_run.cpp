// SPDX-License-Identifier: Apache-2.0
#include "engine/interchange/tensorboard_run.h"

#include "engine/formats/tensor_stats.h"
#include "engine/interchange/run_clock.h"
#include "engine/interchange/tensor_text.h"
#include "engine/interchange/tensorboard_events.h"
#include "engine/words/event_text.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>
#include <variant>

namespace binade::interchange {

namespace {

using formats::kFirstBinade;

constexpr std::size_t kLongestRunName = 100;  // bytes; file systems allow 255 for the whole file name

/// A text that Markdown shows as it is: a code block whose fence is longer than any row of backquotes in the text.
std::string verbatim(const std::string& text) {
  std::size_t longest = 2;
  std::size_t row = 0;
  for (const char each : text) {
    row = each == '`' ? row + 1 : 0;
    longest = std::max(longest, row);
  }
  const std::string fence(longest + 1, '`');
  return fence + "\n" + text + (text.ends_with('\n') ? "" : "\n") + fence;
}

/// `events.out.tfevents.1790000000.clothes`: TensorBoard finds the file by the word in its middle.
std::string event_file_name(std::int64_t created, const std::string& run) {
  std::string name = run.empty() ? "run" : run;
  for (char& each : name) {
    const bool plain = (each >= '0' && each <= '9') || (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') ||
                       each == '-' || each == '_' || each == '.';
    if (!plain) each = '_';
  }
  name.resize(std::min(name.size(), kLongestRunName));
  return "events.out.tfevents." + std::to_string(created) + "." + name;
}

/// The histogram of log2 of the magnitudes. Its buckets are the binades, so that all have the same width on
/// TensorBoard's linear axis. nullopt if no value is finite and other than 0.
std::optional<EventHistogram> histogram_of(const formats::TensorStats& stats) {
  EventHistogram histogram;
  for (std::size_t i = 0; i < stats.binades.size(); ++i) {
    if (stats.binades[i] == 0 && histogram.limits.empty()) continue;
    histogram.limits.push_back(kFirstBinade + static_cast<int>(i) + 1);
    histogram.counts.push_back(stats.binades[i]);
    histogram.values += stats.binades[i];
  }
  while (!histogram.counts.empty() && histogram.counts.back() == 0) {
    histogram.limits.pop_back();
    histogram.counts.pop_back();
  }
  if (histogram.counts.empty()) return std::nullopt;
  histogram.smallest = std::log2(static_cast<double>(stats.smallest));
  histogram.largest = std::log2(static_cast<double>(stats.largest));
  return histogram;
}

class TensorBoardWriter {
 public:
  TensorBoardWriter(RunSource& source, std::string folder, RunExport& result)
      : source_(source), folder_(std::move(folder)), result_(result), clock_(source.reader().created()) {}

  void write() {
    source_.each([this](record::RunRecord&& record) { std::visit([this](const auto& each) { take(each); }, record); },
                 /*observations=*/true);
    file_->close();
  }

 private:
  void take(const wire::RunStarted& started) {
    names_.add(started);
    for (const wire::ScalerConfig& scaler : started.config.scalers) scalers_.push_back(scaler.id);
    const std::string file = event_file_name(source_.reader().created().value_or(0), started.config.name);
    result_.files.push_back(file);
    file_.emplace((std::filesystem::path(folder_) / file).string(), clock_.wall());
    EventSummary summary;
    summary.text("run/description", verbatim(wire::to_json(started.config)));
    summary.text("run/device", started.device);
    std::string facts;
    for (const auto& [key, value] : source_.reader().environment()) facts += key + ": " + value + "\n";
    if (!facts.empty()) summary.text("run/environment", verbatim(facts));
    add_policy(started.policy, summary);
    file_->add(summary, started.policy.step, clock_.wall());
  }

  void take(const wire::PolicyApplied& applied) {
    EventSummary summary;
    add_policy(applied, summary);
    file_->add(summary, applied.step, clock_.wall());
  }

  static void add_policy(const wire::PolicyApplied& applied, EventSummary& summary) {
    summary.text("policy", verbatim(policy::to_json(applied.policy)));
  }

  void take(const wire::StepRecord& step) {
    names_.add(step);
    clock_.pass(step);
    ++result_.steps;
    EventSummary summary;
    summary.scalar("loss", step.loss);
    if (step.scalers.empty()) summary.scalar("loss_scale", step.scale);
    for (std::size_t i = 0; i < step.scalers.size(); ++i) {
      summary.scalar("loss_scale/" + (i < scalers_.size() ? scalers_[i] : std::to_string(i)), step.scalers[i].scale);
    }
    summary.scalar("gradient_norm", step.gradient_norm);
    summary.scalar("learning_rate", step.learning_rate);
    summary.scalar("step_seconds", step.seconds);
    summary.scalar("skipped", step.stepped ? 0 : 1);
    for (const wire::RankFacts& each : step.ranks) add_rank(each, summary);
    for (const wire::Observation& each : step.observations) add_gradient(each, summary);
    file_->add(summary, step.step, clock_.wall());
  }

  static void add_rank(const wire::RankFacts& rank, EventSummary& summary) {
    const std::string of = "/rank_" + std::to_string(rank.rank);
    summary.scalar("rank_busy_seconds" + of, rank.seconds);
    summary.scalar("rank_waited_seconds" + of, rank.waited);
    if (!std::isnan(rank.tensor)) summary.scalar("rank_tensor_core_percent" + of, rank.tensor);
  }

  void add_gradient(const wire::Observation& observation, EventSummary& summary) {
    const words::Names names = names_.names();
    const wire::WatchedTensor* tensor = names.tensor(observation.tensor);
    if (tensor == nullptr || !wire::is_gradient(*tensor)) return;
    const formats::TensorStats& stats = observation.stats;
    const std::string name = gradient_name(*tensor, names);
    const std::string whose = wire::is_scaled(*tensor) ? "scaled_gradients" : "gradients";
    summary.scalar(whose + "_not_finite/" + name, static_cast<double>(stats.non_finite()));
    if (stats.scan) return;  // counts neither zeros nor binades
    summary.scalar(whose + "_zeros/" + name, static_cast<double>(stats.zero));
    if (const auto histogram = histogram_of(stats)) {
      summary.histogram(whose + "_log2/" + name, *histogram);
    }
  }

  void take(const wire::Event& event) {
    EventSummary summary;
    std::string text = verbatim(names_.sentence_of(event));
    const std::string explanation = names_.explanation_of(event);
    if (!explanation.empty()) text += "\n\n" + verbatim(explanation);
    summary.text("events/" + wire::name(event.kind), text);
    file_->add(summary, event.step, clock_.wall());
  }

  void take(const wire::Evaluated& evaluated) {
    EventSummary summary;
    summary.scalar("evaluation/loss", evaluated.loss);
    // Without classes there is no accuracy.
    if (!std::isnan(evaluated.accuracy)) summary.scalar("evaluation/accuracy", evaluated.accuracy);
    file_->add(summary, evaluated.step, clock_.wall());
  }

  void take(const wire::CheckpointInfo& saved) { clock_.pass(saved); }
  void take(const wire::Rewound& rewound) { file_->restart(rewound.step, clock_.wall()); }

  // TensorBoard has no place for these.
  void take(const wire::ScalerChanged&) {}
  void take(const wire::LogLine&) {}
  void take(const wire::Profile&) {}
  void take(const wire::CastLedger&) {}
  void take(const wire::Float32Comparison&) {}
  void take(const wire::QuantizedStep&) {}
  void take(const wire::SilentReport&) {}
  void take(const wire::Trial&) {}
  void take(const wire::Note&) {}
  void take(const wire::Finished&) {}

  RunSource& source_;
  std::string folder_;
  RunExport& result_;
  RunClock clock_;
  words::NameBook names_;
  std::vector<std::string> scalers_;
  std::optional<EventFile> file_;
};

}  // namespace

void write_tensorboard(RunSource& source, const std::string& folder, RunExport& result) {
  TensorBoardWriter(source, folder, result).write();
}

}  // namespace binade::interchange
