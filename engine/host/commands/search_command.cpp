// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/formats/printable.h"
#include "engine/host/commands/commands.h"
#include "engine/host/commands/search_budget.h"
#include "engine/host/commands/search_preparation.h"
#include "engine/host/commands/search_report.h"
#include "engine/host/input/named_policy.h"
#include "engine/host/input/run_state.h"
#include "engine/host/process/exit_code.h"
#include "engine/host/process/interrupt.h"
#include "engine/host/process/log.h"
#include "engine/search/reference.h"
#include "engine/tuning/prove.h"
#include "engine/tuning/search_file.h"
#include "engine/tuning/search_json.h"
#include "engine/words/numbers.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string_view>

namespace binade::host {

namespace {

std::vector<formats::Format> parse_formats(std::string_view text) {
  std::vector<formats::Format> all;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string name(text.substr(0, comma));
    const auto format = formats::parse(name);
    if (!format) {
      throw Error(ErrorCode::kUsage, "--formats: \"" + name + "\" is no number format",
                  "For example: --formats bfloat16,float32");
    }
    all.push_back(*format);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return all;
}

/// Without the base.
search::Order order_of(const SearchOptions& options) {
  search::Order order;
  const auto goal = tuning::parse_goal(options.goal);
  if (!goal) {
    throw Error(ErrorCode::kUsage, "--for: \"" + options.goal + "\" is no goal", "Use time, memory, casts or repair.");
  }
  order.goal = *goal;
  order.limits = {options.fixed, parse_formats(options.formats), options.evaluation};
  order.budget = parse_budget(options.budget);
  order.seed = options.seed;
  return order;
}

void check_fixed(const search::Order& order, const train::Training& training) {
  for (const std::string& pattern : order.limits.fixed) {
    const bool known = std::any_of(training.sites.begin(), training.sites.end(),
                                   [&pattern](const graph::Site* site) { return policy::matches(pattern, site->key); });
    if (!known) {
      throw Error(ErrorCode::kUsage, "--fixed: no op call matches \"" + pattern + "\"",
                  "`binade-engine inspect MODEL` lists the op calls.");
    }
  }
}

/// An evaluation that no run of the search makes cannot be held.
void check_evaluation(const search::Order& order, const wire::RunConfig& run) {
  if (!order.limits.evaluation || run.data.kind != "files" || run.data.test > 0) return;
  throw Error(ErrorCode::kUsage, "--evaluation: the run has no test data",
              "Set \"test\" in the run's \"data\", or leave out --evaluation.");
}

/// A limit that the training beside which policies are proven exceeds itself rejects most of them.
void warn_of_limit(const tuning::SearchRequest& request, const search::Proof& proof) {
  const std::optional<double>& limit = request.order.limits.evaluation;
  if (!limit || !proof.base_evaluation || *proof.base_evaluation <= *limit) return;
  log("warning", search::reference_text(request.order) + " does not hold --evaluation itself: after " +
                     std::to_string(request.steps) + " steps its loss on the test data is " +
                     words::figure(*proof.base_evaluation) + ", and the limit is " + words::figure(*limit) +
                     ". Only policies with a lower loss hold");
}

/// The warnings on the base, which mostly say that a rule matches no op call.
void warn_of_findings(const train::Training& training, const policy::Policy& base) {
  const auto resolved = train::resolve(training, base, 0);
  for (const policy::Finding& finding : resolved->findings) {
    if (finding.severity == policy::Finding::Severity::kWarning) log("warning", "policy: " + finding.message);
  }
}

void note(const std::string& text) {
  if (!text.empty()) log("note", text);
}

/// What is said of a search that was cancelled before it tried a policy, and what of it is on disk.
struct EarlyEnd {
  std::string what;
  std::string kept;
};

EarlyEnd early_end(const tuning::SearchFile& file) {
  if (file.had_state()) {
    return {"The search was cancelled before it went on", "What it measured and tried before is kept in " +
                                                              formats::printable(file.folder()) +
                                                              ". The same command goes on"};
  }
  return {"The search was cancelled before its first try",
          "No policy was tried, so there is nothing to keep. The same command prepares the search anew"};
}

/// Searches from a folder, which it leaves as it is until the search is prepared. `begun` becomes true then. Throws
/// Error{kCancelled} if it was stopped before.
int search_in(tuning::SearchFile& file, const search::Order& order, const SearchOptions& options,
              const std::stop_token& stop, std::atomic<bool>& begun) {
  tuning::SearchRequest request;
  request.order = order;
  request.steps = options.steps;
  request.seeds = options.seeds;
  const RunState run = run_state(options.run, options.from);
  note(run.note);
  request.run = run.config;
  request.checkpoint = run.checkpoint;
  check_evaluation(request.order, request.run);
  std::optional<policy::Policy> base;
  if (!options.policy.empty()) base = named_policy(options.policy, "search RUN --policy POLICY");

  const files::Progress setting_up(stop,
                                   [](const std::string& progress) { std::fprintf(stderr, "%s\n", progress.c_str()); });
  trial::Trials trials(request.run, request.checkpoint, setting_up);
  for (const std::string& each : trials.notes()) note(each);
  request.order.base = base ? *base : trials.policy();
  check_fixed(request.order, trials.training());
  warn_of_findings(trials.training(), request.order.base);
  std::optional<tuning::SearchState> stored = file.resume(request);
  tuning::SearchState state = stored ? std::move(*stored) : prepare_search(request, trials, setting_up);
  if (!stored) file.write(state);
  begun = true;

  SearchReport report(file, state,
                      {.beside = search::reference_text(request.order),
                       .name = std::filesystem::path(options.run).filename().string(),
                       .step = trials.first_step(),
                       .steps = request.steps,
                       .model = request.run.model,
                       .op_calls = static_cast<std::int64_t>(trials.training().info.sites.size())},
                      request.order.goal, options.json);
  tuning::Prover prover(trials, {.goal = request.order.goal,
                                 .base = search::reference(request.order),
                                 .steps = request.steps,
                                 .seeds = request.seeds,
                                 .estimates_time = state.estimates_time,
                                 .progress = [&](std::int64_t, std::int64_t) {
                                   report.tick();
                                   return !stop.stop_requested();
                                 }});
  const search::Progress from = state.progress;  // a copy, since the report replaces it
  bool compared = !from.proven.empty();          // with the limit: the same for every proof
  search::run(
      request.order, state.evidence,
      [&](const policy::Policy& tried) {
        const search::Proof proof = prover(tried);
        if (!compared) warn_of_limit(request, proof);
        compared = compared || proof.base_evaluation.has_value();
        return proof;
      },
      [&](const search::Progress& progress) {
        report.update(progress);
        return !stop.stop_requested();
      },
      from);
  report.finish();
  return stop.stop_requested() && !state.progress.done ? kCancelled : kDone;
}

}  // namespace

std::string search_folder(const SearchOptions& options) {
  if (!options.out.empty()) return options.out;
  return std::filesystem::path(options.run).replace_extension(".search").string();
}

int search(const SearchOptions& options) {
  std::stop_source stop;
  std::atomic<bool> begun = false;
  const search::Order order = order_of(options);
  tuning::SearchFile file(search_folder(options));
  const EarlyEnd early = early_end(file);
  const Interrupt interrupt([&] { stop.request_stop(); }, [&] { return !begun; },
                            {.ending = "the search is still being prepared, and no data is lost",
                             .cancelled = early.what + ". " + early.kept});
  try {
    return search_in(file, order, options, stop.get_token(), begun);
  } catch (const Error& error) {
    if (error.code != ErrorCode::kCancelled) throw;
    throw Error(ErrorCode::kCancelled, early.what, early.kept + ".");
  }
}

}  // namespace binade::host
