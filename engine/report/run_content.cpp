// SPDX-License-Identifier: Apache-2.0
#include "engine/report/run_content.h"

#include "engine/policy/runs_alike.h"
#include "engine/words/site_text.h"

#include <algorithm>
#include <cmath>

namespace binade::report {

namespace {

constexpr std::int64_t kAskEvery = 1000;

/// Adds records to a RunContent, in their order.
class ContentReader {
 public:
  explicit ContentReader(RunContent& content) : to_(content) {}

  void take(record::RunRecord&& item) {
    std::visit([this](auto& value) { add(value); }, item);
  }

 private:
  void add(wire::RunStarted& started) {
    to_.names.add(started);
    to_.policy = started.policy;
    to_.started = std::move(started);
  }

  void add(wire::StepRecord& step) {
    to_.names.add(step);
    for (const wire::WatchedTensor& tensor : step.new_tensors) to_.tensors.insert_or_assign(tensor.id, tensor);
    if (to_.steps == 0) to_.first_step = step.step;
    ++to_.steps;
    to_.last_step = step.step;
    to_.seconds += std::isfinite(step.seconds) ? step.seconds : 0;
    to_.loss.add(step.step, step.loss);
    to_.loss_scale.add(step.step, step.scale);
    to_.gradient_norm.add(step.step, step.gradient_norm);
    to_.step_milliseconds.add(step.step, 1e3 * step.seconds);
    add_ranks(step);
    if (step.found_inf) to_.overflows.add(step.step, 1);
    if (is_not_finite(step)) {
      to_.non_finite_steps.push_back(step.step);
      if (to_.non_finite.size() < RunContent::kMostNonFinite) to_.non_finite.push_back(step);
    }
    to_.last = std::move(step);
  }

  void add_ranks(const wire::StepRecord& step) {
    if (step.ranks.empty()) return;
    to_.ranks.add(step);
    const auto [fastest, slowest] = std::ranges::minmax_element(step.ranks, {}, &wire::RankFacts::seconds);
    to_.slowest_rank.add(step.step, 1e3 * slowest->seconds);
    to_.fastest_rank.add(step.step, 1e3 * fastest->seconds);
  }

  void add(wire::Event& event) {
    to_.all_events.emplace_back(event.step, event.kind);
    const auto kept = std::count_if(to_.events.begin(), to_.events.end(),
                                    [&](const wire::Event& each) { return each.kind == event.kind; });
    if (static_cast<std::size_t>(kept) < RunContent::kMostEventsOfAKind) to_.events.push_back(std::move(event));
  }

  void add(wire::PolicyApplied& applied) {
    PolicyEdit edit{applied.revision, applied.step, policy::differences(to_.policy.policy, applied.policy), 0};
    const auto& before = to_.policy.decisions;
    for (std::size_t i = 0; i < applied.decisions.size(); ++i) {
      if (i >= before.size() || !policy::runs_alike(before[i], applied.decisions[i])) ++edit.op_calls;
    }
    to_.history.emplace_back(std::move(edit));
    to_.policy = std::move(applied);
  }

  void add(const wire::ScalerChanged& change) { to_.history.emplace_back(change); }
  void add(const wire::Note& note) { to_.history.emplace_back(note); }

  /// What was reported of the steps from there on is void.
  void add(const wire::Rewound& rewound) {
    to_.history.emplace_back(rewound);
    const std::int64_t from = rewound.step;
    for (Envelope* each : {&to_.loss, &to_.loss_scale, &to_.gradient_norm, &to_.step_milliseconds, &to_.overflows,
                           &to_.slowest_rank, &to_.fastest_rank})
      each->cut(from);
    std::erase_if(to_.non_finite_steps, [from](std::int64_t step) { return step >= from; });
    std::erase_if(to_.non_finite, [from](const wire::StepRecord& step) { return step.step >= from; });
    std::erase_if(to_.all_events, [from](const auto& event) { return event.first >= from; });
    std::erase_if(to_.events, [from](const wire::Event& event) { return event.step >= from; });
    // An evaluation counts the steps before it: one after `from` steps is of the state that the run went back to.
    std::erase_if(to_.evaluations, [from](const wire::Evaluated& evaluated) { return evaluated.step > from; });
    std::erase_if(to_.casts, [from](const auto& each) { return each.second.first_step >= from; });
    std::erase_if(to_.silent, [from](const auto& each) { return each.second.last_step >= from; });
    if (to_.comparison && to_.comparison->step >= from) to_.comparison.reset();
    to_.steps = std::clamp<std::int64_t>(from - to_.first_step, 0, to_.steps);
    to_.last_step = std::min(to_.last_step, from - 1);
    to_.last.reset();
  }

  void add(wire::CheckpointInfo& saved) {
    ++to_.all_checkpoints;
    if (to_.checkpoints.size() == RunContent::kMostOfAList) to_.checkpoints.erase(to_.checkpoints.begin());
    to_.checkpoints.push_back(std::move(saved));
  }
  void add(const wire::Evaluated& evaluated) { to_.evaluations.push_back(evaluated); }

  void add(wire::LogLine& line) {
    if (line.level == "info" || line.level == "debug") return;
    ++to_.all_log;
    if (to_.log.size() < RunContent::kMostOfAList) to_.log.push_back(std::move(line));
  }

  void add(wire::Profile& profile) {
    const auto steps = static_cast<double>(profile.steps);
    to_.profiled_steps += profile.steps;
    to_.profiled_seconds += steps * profile.step_seconds;
    for (wire::SiteProfile& site : profile.sites) {
      TimeSums& sums = to_.times[site.site];
      sums.calls += steps * site.calls;
      sums.forward += steps * site.forward;
      sums.backward += steps * site.backward;
      sums.accumulate += steps * site.accumulate;
      sums.emulated = sums.emulated || site.emulated;
      site.kernels.clear();
      sums.newest = std::move(site);
    }
    profile.sites.clear();
    profile.bins.clear();
    to_.profile = std::move(profile);
  }

  void add(wire::CastLedger& casts) { to_.casts.insert_or_assign(casts.policy_revision, std::move(casts)); }
  void add(wire::SilentReport& report) { to_.silent.insert_or_assign(report.policy_revision, std::move(report)); }
  void add(wire::Float32Comparison& comparison) { to_.comparison = std::move(comparison); }
  void add(const wire::QuantizedStep& /*quantized*/) {}  // figures of single steps: in the run file
  void add(wire::Trial& trial) {
    ++to_.all_tries;
    if (to_.tries.size() == RunContent::kMostOfAList) to_.tries.erase(to_.tries.begin());
    to_.tries.push_back(std::move(trial));
  }
  void add(wire::Finished& finished) { to_.finished = std::move(finished); }

  RunContent& to_;
};

}  // namespace

const std::vector<wire::SiteInfo>& RunContent::sites() const {
  static const std::vector<wire::SiteInfo> kNone;
  return started ? started->model.sites : kNone;
}

std::string RunContent::place(int site) const {
  if (site < 0) return "no op call";
  const auto at = static_cast<std::size_t>(site);
  return at < sites().size() ? words::place_of(sites()[at]) : "op call " + std::to_string(site);
}

bool is_not_finite(const wire::StepRecord& step) {
  return step.found_inf || !step.stepped || !std::isfinite(step.loss) || !std::isfinite(step.gradient_norm);
}

RunContent read_content(const record::RunReader& reader, const std::string& file,
                        const std::function<bool(std::int64_t steps)>& go_on) {
  RunContent content;
  content.file = file;
  content.environment = reader.environment();
  ContentReader records(content);
  reader.replay(
      [&](record::RunRecord&& item) {
        records.take(std::move(item));
        return !go_on || content.steps % kAskEvery != 0 || go_on(content.steps);
      },
      /*after=*/0, record::Statistics::kNone);
  return content;
}

}  // namespace binade::report
