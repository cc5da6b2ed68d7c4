// SPDX-License-Identifier: Apache-2.0
#include "engine/interchange/csv_run.h"

#include "engine/formats/tensor_stats.h"
#include "engine/interchange/csv_file.h"
#include "engine/interchange/tensor_text.h"
#include "engine/wire/enum_text.h"
#include "engine/words/event_text.h"
#include "engine/words/profile_text.h"

#include <filesystem>
#include <map>
#include <optional>
#include <utility>
#include <variant>

namespace binade::interchange {

namespace {

/// The newest figures of an op call, with the steps that they are means over.
struct ProfiledCall {
  wire::SiteProfile figures;
  std::int64_t first_step = 0;
  std::int64_t last_step = 0;
};

class CsvWriter {
 public:
  CsvWriter(RunSource& source, std::string folder, RunExport& result)
      : source_(source),
        folder_(std::move(folder)),
        result_(result),
        steps_(table("steps.csv",
                     {"step", "loss", "loss_scale", "next_loss_scale", "found_inf", "stepped", "learning_rate",
                      "gradient_norm", "step_seconds", "observe_seconds", "policy_revision"})),
        evaluations_(table("evaluations.csv", {"step", "loss", "accuracy_share"})),
        events_(table("events.csv", {"step", "kind", "loss_scale", "verdict", "direction", "event", "diagnosis",
                                     "state_file", "rank"})),
        gradients_(table("gradients.csv",
                         {"step", "gradient", "op_call", "kind", "format", "emulated", "loss_scale", "elements",
                          "zeros", "positive_infinities", "negative_infinities", "nans", "overflows", "underflows",
                          "smallest_magnitude", "largest_magnitude", "sum_of_squares", "measured_after_rounding"})),
        binades_(table("gradient_binades.csv", {"step", "gradient", "binade_log2", "values"})) {}

  void write() {
    source_.each([this](record::RunRecord&& record) { std::visit([this](const auto& each) { take(each); }, record); },
                 /*observations=*/true);
    write_op_calls();
    for (CsvFile* each : {&steps_, &evaluations_, &events_, &gradients_, &binades_}) each->close();
    if (scales_) scales_->close();
    if (ranks_) ranks_->close();
  }

 private:
  CsvFile table(const std::string& name, const std::vector<std::string>& header) {
    result_.files.push_back(name);
    return {(std::filesystem::path(folder_) / name).string(), header};
  }

  void take(const wire::RunStarted& started) {
    names_.add(started);
    policy_ = started.policy;
    for (const wire::ScalerConfig& scaler : started.config.scalers) scalers_.push_back(scaler.id);
  }

  void take(const wire::PolicyApplied& applied) { policy_ = applied; }

  void take(const wire::StepRecord& step) {
    names_.add(step);
    ++result_.steps;
    steps_.integer(step.step)
        .number(step.loss)
        .number(step.scale)
        .number(step.next_scale)
        .flag(step.found_inf)
        .flag(step.stepped)
        .number(step.learning_rate)
        .number(step.gradient_norm)
        .number(step.seconds)
        .number(step.observe_seconds)
        .integer(step.policy_revision)
        .end_row();
    for (std::size_t i = 0; i < step.scalers.size(); ++i) write_scale(step, i);
    for (const wire::RankFacts& each : step.ranks) write_rank(step.step, each);
    for (const wire::Observation& each : step.observations) write_gradient(step, each);
  }

  void write_scale(const wire::StepRecord& step, std::size_t index) {
    if (!scales_) {
      scales_.emplace(table("loss_scales.csv", {"step", "scaler", "loss_scale", "next_loss_scale", "found_inf"}));
    }
    const wire::ScalerStep& scaler = step.scalers[index];
    scales_->integer(step.step)
        .text(index < scalers_.size() ? scalers_[index] : std::to_string(index))
        .number(scaler.scale)
        .number(scaler.next_scale)
        .flag(scaler.found_inf)
        .end_row();
  }

  void write_rank(std::int64_t step, const wire::RankFacts& rank) {
    if (!ranks_) {
      ranks_.emplace(
          table("ranks.csv", {"step", "rank", "busy_seconds", "waited_seconds", "found_inf", "tensor_core_percent"}));
    }
    ranks_->integer(step).integer(rank.rank).number(rank.seconds).number(rank.waited).flag(rank.found_inf);
    ranks_->measured(rank.tensor).end_row();
  }

  void write_gradient(const wire::StepRecord& step, const wire::Observation& observation) {
    const words::Names names = names_.names();
    const wire::WatchedTensor* tensor = names.tensor(observation.tensor);
    if (tensor == nullptr || !wire::is_gradient(*tensor)) return;
    const formats::TensorStats& stats = observation.stats;
    const std::string name = gradient_name(*tensor, names);
    gradients_.integer(step.step).text(name);
    tensor->site < 0 ? gradients_.empty() : gradients_.text(op_call_name(tensor->site, names));
    gradients_.text(wire::name(tensor->kind)).text(formats::name(tensor->format)).flag(tensor->emulated);
    // Gradients of parameters are unscaled.
    wire::is_scaled(*tensor) ? gradients_.number(step.scale) : gradients_.number(1);
    gradients_.count(stats.count);
    stats.scan ? gradients_.empty() : gradients_.count(stats.zero);
    gradients_.count(stats.positive_infinity).count(stats.negative_infinity).count(stats.nan).count(stats.overflow);
    if (stats.scan) {
      gradients_.empty().empty().number(stats.largest).empty();
    } else {
      gradients_.count(stats.underflow).number(stats.smallest).number(stats.largest).number(stats.sum_of_squares);
    }
    gradients_.flag(stats.censored).end_row();
    for (std::size_t i = 0; i < stats.binades.size(); ++i) {
      if (stats.binades[i] == 0) continue;
      binades_.integer(step.step)
          .text(name)
          .integer(formats::kFirstBinade + static_cast<int>(i))
          .count(stats.binades[i])
          .end_row();
    }
  }

  void take(const wire::Event& event) {
    events_.integer(event.step).text(wire::name(event.kind)).number(event.scale);
    if (event.diagnosis) {
      events_.text(wire::name(event.diagnosis->verdict)).text(wire::name(event.diagnosis->direction));
    } else {
      events_.empty().empty();
    }
    events_.text(names_.sentence_of(event)).text(names_.explanation_of(event));
    events_.text(event.diagnosis ? event.diagnosis->bundle : std::string());
    event.rank ? events_.integer(*event.rank) : events_.empty();
    events_.end_row();
  }

  void take(const wire::Evaluated& evaluated) {
    evaluations_.integer(evaluated.step).number(evaluated.loss).measured(evaluated.accuracy).end_row();
  }

  void take(const wire::Profile& profile) {
    for (const wire::SiteProfile& each : profile.sites) {
      profiled_.insert_or_assign(each.site, ProfiledCall{each, profile.first_step, profile.last_step});
    }
  }

  // No table holds these.
  void take(const wire::ScalerChanged&) {}
  void take(const wire::CheckpointInfo&) {}
  void take(const wire::Rewound&) {}
  void take(const wire::LogLine&) {}
  void take(const wire::CastLedger&) {}
  void take(const wire::Float32Comparison&) {}
  void take(const wire::QuantizedStep&) {}
  void take(const wire::SilentReport&) {}
  void take(const wire::Trial&) {}
  void take(const wire::Note&) {}
  void take(const wire::Finished&) {}

  /// The op calls under the newest policy.
  void write_op_calls() {
    CsvFile file = table("op_calls.csv", {"op_call",
                                          "module",
                                          "op",
                                          "source",
                                          "list_rule",
                                          "treatment",
                                          "format",
                                          "gradient_format",
                                          "execution",
                                          "profiled_first_step",
                                          "profiled_last_step",
                                          "calls_per_step",
                                          "forward_seconds_per_step",
                                          "backward_seconds_per_step",
                                          "accumulate_seconds_per_step",
                                          "observe_seconds_per_step",
                                          "kernels_per_step",
                                          "tensor_core_percent",
                                          "tensor_core_standard_error_percentage_points",
                                          "tensor_core_verdict"});
    for (const wire::SiteInfo& site : names_.names().sites) {
      file.text(site.key.name()).text(site.key.path).text(site.key.op).text(site.source).text(site.list_rule);
      write_decision(site, file);
      write_profile(site, file);
      file.end_row();
    }
    file.close();
  }

  void write_decision(const wire::SiteInfo& site, CsvFile& file) const {
    const auto index = static_cast<std::size_t>(site.id);
    if (site.id < 0 || index >= policy_.decisions.size()) {
      file.empty().empty().empty().empty();
      return;
    }
    const policy::Decision& decision = policy_.decisions[index];
    file.text(wire::word(decision.kind));
    if (decision.kind == policy::Decision::Kind::kFormat) {
      file.text(formats::name(decision.format)).text(formats::name(decision.backward));
    } else {
      file.empty().empty();  // the formats follow from the arguments
    }
    file.text(wire::word(decision.execution));
  }

  void write_profile(const wire::SiteInfo& site, CsvFile& file) const {
    const auto found = profiled_.find(site.id);
    if (found == profiled_.end()) {
      for (int i = 0; i < 11; ++i) file.empty();
      return;
    }
    const wire::SiteProfile& figures = found->second.figures;
    file.integer(found->second.first_step).integer(found->second.last_step);
    for (const double each : {figures.calls, figures.forward, figures.backward, figures.accumulate, figures.observe,
                              figures.launches, figures.tensor, figures.tensor_error}) {
      file.measured(each);
    }
    file.text(words::profile_verdict(figures));
  }

  RunSource& source_;
  std::string folder_;
  RunExport& result_;
  words::NameBook names_;
  std::vector<std::string> scalers_;
  wire::PolicyApplied policy_;
  std::map<int, ProfiledCall> profiled_;
  CsvFile steps_;
  CsvFile evaluations_;
  CsvFile events_;
  CsvFile gradients_;
  CsvFile binades_;
  std::optional<CsvFile> scales_;  ///< only runs with several scalers have it
  std::optional<CsvFile> ranks_;   ///< only runs on several ranks have it
};

}  // namespace

void write_csv(RunSource& source, const std::string& folder, RunExport& result) {
  CsvWriter(source, folder, result).write();
}

}  // namespace binade::interchange
