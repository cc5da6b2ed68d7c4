// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/open_data.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/diagnose/explain.h"
#include "engine/formats/error.h"
#include "engine/host/commands/commands.h"
#include "engine/host/commands/replayed_rank.h"
#include "engine/host/input/named_policy.h"
#include "engine/host/print/diagnosis_report.h"
#include "engine/host/print/json_number.h"
#include "engine/host/print/overflow_line.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/print/printed.h"
#include "engine/host/print/reported_progress.h"
#include "engine/host/process/exit_code.h"
#include "engine/host/process/log.h"
#include "engine/ranks/label_shares.h"
#include "engine/ranks/shared_training.h"
#include "engine/record/run_reader.h"
#include "engine/train/switch_policy.h"
#include "engine/train/training_state_guard.h"
#include "engine/words/event_text.h"
#include "engine/words/numbers.h"
#include "engine/words/scale_text.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>

namespace binade::host {

namespace {

/// Returns the file that holds the state before an event's step, or an empty path if it does not exist. Only the file
/// named by the event counts: another run of the same name may have left files of its own.
std::string bundle_of(const wire::Event& event, const std::string& run_file) {
  if (!event.diagnosis || event.diagnosis->bundle.empty()) return {};
  const auto file = std::filesystem::path(run_file).parent_path() / event.diagnosis->bundle;
  std::error_code ignored;
  return std::filesystem::exists(file, ignored) ? file.string() : std::string();
}

bool is_overflow(const wire::Event& event) {
  return event.kind == wire::Event::Kind::kGradientOverflow || event.kind == wire::Event::Kind::kNonFiniteLoss;
}

/// `Step 3 was`, `The steps 0, 2 were`; the first eight.
std::string steps_text(const std::set<std::int64_t>& steps) {
  constexpr std::size_t kMostNamed = 8;
  std::string text;
  std::size_t named = 0;
  for (const std::int64_t step : steps) {
    if (named++ == kMostNamed) break;
    text += (text.empty() ? "" : ", ") + std::to_string(step);
  }
  if (steps.size() == 1) return "Step " + text + " was";
  if (steps.size() > kMostNamed) text += " and " + std::to_string(steps.size() - kMostNamed) + " more";
  return "The steps " + text + " were";
}

[[noreturn]] void refuse_finite_step(const ReplayOptions& options, const std::set<std::int64_t>& overflowed) {
  throw Error(ErrorCode::kBadFile,
              options.run_file + ": step " + std::to_string(options.step) +
                  " was finite, and only steps that were not finite can be replayed",
              overflowed.empty() ? "No step of this run was not finite." : steps_text(overflowed) + " not finite.");
}

/// The newest event of the step whose state was kept; its file is `file`.
wire::Event kept_event(const ReplayOptions& options, const record::RunReader& reader, std::string& file) {
  std::set<std::int64_t> kept;
  std::set<std::int64_t> overflowed;
  wire::Event newest;
  for (const wire::Event& event : reader.events()) {
    if (is_overflow(event)) overflowed.insert(event.step);
    const std::string found = bundle_of(event, options.run_file);
    if (!found.empty()) kept.insert(event.step);
    if (!found.empty() && event.step == options.step) {  // after a rewind the newest event counts
      file = found;
      newest = event;
    }
  }
  if (!file.empty()) return newest;
  const auto recorded = reader.step(options.step);
  const bool there = recorded.has_value();
  if (there && recorded->stepped && !recorded->found_inf && std::isfinite(recorded->loss) &&
      !overflowed.contains(options.step)) {
    refuse_finite_step(options, overflowed);
  }
  throw Error(ErrorCode::kBadFile,
              options.run_file + (there ? ": the state before step " + std::to_string(options.step) + " was not saved"
                                        : " has no step " + std::to_string(options.step)),
              kept.empty()
                  ? "The state before a step that is not finite is saved beside the run file as RUN.step-N.safetensors."
                  : steps_text(kept) + " saved.");
}

/// Warns if a replay under the recorded policy and scale contradicts the record.
void report_contradiction(const wire::StepRecord& recorded, double scale, bool finite) {
  const std::string step = "Step " + std::to_string(recorded.step);
  if (recorded.scale != scale) {
    log("warning", step + " was recorded at scale " + words::scale_text(recorded.scale) + ", but the saved state has " +
                       words::scale_text(scale) + ". The state belongs to another step or run.");
  } else if (finite) {
    log("warning", step + " was not finite when it was recorded (loss " + words::figure(printed(recorded.loss)) +
                       "). The data or the model file has changed since, or this machine computes differently.");
  }
}

/// Parses `2^12` or `4096`. Throws Error{kUsage}.
double scale_of(const std::string& text) {
  const bool power = text.starts_with("2^");
  char* end = nullptr;
  const double number = std::strtod(text.c_str() + (power ? 2 : 0), &end);
  const double scale = power ? std::exp2(number) : number;
  if (end == text.c_str() + text.size() && wire::is_loss_scale(scale)) return scale;
  throw Error(ErrorCode::kUsage, "--scale " + text + " is not a loss scale",
              "Give a number above 0, such as 4096, or a power of two, such as 2^12.");
}

/// Takes the step's micro-batches from the data at the run's cursor. A rank's loss counts as in the step: its share
/// depends on the labels of the whole batch, of which some may be ignored.
void take_batches(train::Training& training, diagnose::Replay& replay, const ReplayedRank& of) {
  std::unique_ptr<batches::BatchSource> whole;
  if (of.rank && training.config.data.kind == "files") {
    whole = batches::open_data(training.config, training.forward.schema(), reported_progress());
    whole->seek(training.data->cursor());
  }
  training.buffers.keep();
  replay.begin(training.data->cursor(), train::RandomState::of(training.device));
  for (std::int64_t i = 0; i < training.config.accumulate; ++i) {
    batches::Batch batch = training.data->next();
    if (whole) {
      const ranks::LabelCounts all = ranks::count_labels(training, whole->next());
      ranks::set_label_shares(training, batch, ranks::count_labels(training, batch), all);
    }
    replay.add(batch);
  }
}

void print(const ReplayOptions& options, const train::Training& training, const wire::Event& event,
           const ReplayedRank& of, bool finite, double loss) {
  std::vector<std::string> names;
  for (const graph::Site* site : training.sites) names.push_back(site->key.name());
  const words::Names known{training.info.sites, {}};
  const std::string sentence = words::sentence_of(event, known);
  const std::string explanation = words::explanation_of(event, known);
  if (options.json) {
    nlohmann::ordered_json line{{"event", "replayed"},
                                {"step", options.step},
                                {"policy", training.config.policy.name},
                                {"scale", json_number(event.scale)},
                                {"loss", json_number(loss)},
                                {"finite", finite}};
    if (of.rank) line["rank"] = *of.rank;
    print_json(line);
    if (!finite) print_json(overflow_line(event, names, sentence, explanation));
    return;
  }
  const std::string figure = words::figure(printed(loss));
  const std::string part =
      of.rank ? ", part of rank " + std::to_string(*of.rank) + " of " + std::to_string(of.shard.count) : std::string();
  std::printf("Step %lld%s, scale %s: loss %s, %s\n", static_cast<long long>(options.step), part.c_str(),
              words::scale_text(event.scale).c_str(), figure.c_str(),
              finite ? "every gradient finite." : "not every gradient is finite.");
  if (finite) return;
  const wire::Diagnosis& found = *event.diagnosis;
  std::printf("%s\n%s\n", sentence.c_str(), explanation.c_str());
  std::printf("%s", diagnosis_lines(found, names).c_str());
}

}  // namespace

int replay(const ReplayOptions& options) {
  // The step's state stands in a file of its own: of the run file a few rows are enough.
  record::Damage damage;
  const record::RunReader reader(options.run_file, damage);
  const auto started = reader.started();
  if (!started) {
    throw Error(ErrorCode::kBadFile, options.run_file + ": the run ended before training began",
                damage.empty() ? "Record the run again." : "The file is damaged. Use a complete copy.");
  }
  for (const std::string& line : damage.lines()) log("warning", line + ": ignored.");
  std::string bundle;
  const ReplayedRank of = replayed_rank(*started, kept_event(options, reader, bundle));
  if (!of.limits.empty()) log("warning", of.limits);
  wire::RunConfig config = started->config;
  config.run_file.clear();
  config.checkpoint = {};
  config.resume.clear();
  train::Seat seat;
  seat.shard = of.shard;
  const auto training = train::set_up(config, reported_progress(), seat);
  checkpoint::load_checkpoint(*training, bundle);
  if (of.rank) ranks::seed_step(config.seed, *of.rank, options.step);
  if (!options.policy.empty()) {
    const policy::Policy policy = named_policy(options.policy, "replay RUN --step N --policy POLICY");
    train::switch_policy(*training, policy, training->policy->revision);
    for (const policy::Finding& finding : training->policy->findings) {
      if (finding.severity != policy::Finding::Severity::kNote) log("warning", "policy: " + finding.message);
    }
  }
  if (!options.scale.empty()) {
    if (!training->scalers.enabled(0)) {
      throw Error(ErrorCode::kUsage, "--scale: the run did not scale its loss", "Omit --scale.");
    }
    training->scalers.set_scale(0, scale_of(options.scale));
  }
  diagnose::Replay kept(*training);
  take_batches(*training, kept, of);
  diagnose::Replay::Result result;
  {
    const train::TrainingStateGuard guard(*training);
    result = kept.run({});
  }
  wire::Event event;
  event.step = options.step;
  event.kind = result.finite_loss ? wire::Event::Kind::kGradientOverflow : wire::Event::Kind::kNonFiniteLoss;
  event.scale = training->scalers.scale(0);
  event.rank = of.rank;
  if (!result.finite()) {
    event.diagnosis = diagnose::explain(kept, options.step, {});
  }
  if (options.policy.empty() && options.scale.empty()) {
    if (const auto recorded = reader.step(options.step)) {
      report_contradiction(*recorded, training->scalers.scale(0), result.finite());
    }
  }
  print(options, *training, event, of, result.finite(), result.loss);
  return result.finite() ? kDone : kFailed;
}

}  // namespace binade::host
