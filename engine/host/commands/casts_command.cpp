// SPDX-License-Identifier: Apache-2.0
#include "engine/casts/cast_costs.h"
#include "engine/host/commands/commands.h"
#include "engine/host/input/read_run.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/print/reported_progress.h"
#include "engine/host/print/wire_members.h"
#include "engine/host/process/exit_code.h"
#include "engine/run/step.h"
#include "engine/wire/codec.h"
#include "engine/words/cast_text.h"
#include "engine/words/numbers.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>

namespace binade::host {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostTried = 16;  // at most so many edits, most expensive first: each takes four forwards

wire::RunConfig run_of(const CastsOptions& options, const std::string& policy) {
  wire::RunConfig config = read_run(options.run, policy);
  config.run_file.clear();
  return config;
}

struct Counted {
  wire::CastLedger casts;
  std::vector<std::string> sites;
  std::vector<std::string> ops;
};

Counted count(const wire::RunConfig& config, std::int64_t steps) {
  const auto training = train::set_up(config, reported_progress());
  casts::CastCosts costs(*training);
  run::Stepper stepper(*training);
  stepper.set_observe({.level = "off"});
  stepper.run(0);  // the first step allocates buffers that later steps reuse
  costs.reset();
  for (std::int64_t step = 1; step <= steps; ++step) costs.stepped(step, stepper.run(step).record.seconds);
  Counted counted{costs.take(), {}, {}};
  costs.measure_savings(counted.casts, kMostTried);
  for (const graph::Site* site : training->sites) {
    counted.sites.push_back(site->key.name());
    counted.ops.push_back(site->key.op);
  }
  return counted;
}

/// Sum over all lines, per step.
wire::CastLine total(const wire::CastLedger& casts) {
  wire::CastLine sum;
  for (const wire::CastLine& line : casts.lines) {
    sum.casts += line.casts;
    sum.saved += line.saved;
    sum.bytes += line.bytes;
    sum.seconds += line.seconds;
  }
  return sum;
}

void add_to(Json& object, const Counted& counted) {
  add_wire_members(object, wire::encode(counted.casts), counted.sites);
  const wire::CastLine sum = total(counted.casts);
  object["total"] = {{"casts", sum.casts}, {"saved", sum.saved}, {"bytes", sum.bytes}, {"seconds", sum.seconds}};
}

/// `7`, `7.3`.
std::string mean_text(double count) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, count == std::round(count) ? "%.0f" : "%.1f", count);
  return buffer;
}

void print_total(const std::string& what, const wire::CastLedger& casts) {
  const wire::CastLine sum = total(casts);
  std::printf("%s: %s casts per step write %s in %s of a step's %s; the cache saves %s casts\n", what.c_str(),
              mean_text(sum.casts).c_str(), words::bytes(sum.bytes).c_str(), words::duration(sum.seconds).c_str(),
              words::duration(casts.step_seconds).c_str(), mean_text(sum.saved).c_str());
}

/// `: casts write 401.4 kB less per step, and forward takes 120 µs more`. Empty if the edit was not tried.
std::string saving_text(const wire::CastLine& line) {
  if (!line.edit_bytes) return {};
  const auto word = [](double change) { return change > 0 ? "more" : "less"; };
  std::string text =
      ": casts write " + words::bytes(std::abs(*line.edit_bytes)) + " " + word(*line.edit_bytes) + " per step";
  if (*line.edit_bytes > 0) text += ", since others take its place";
  if (!line.edit_seconds) return text;
  return text + ", and forward takes " + words::duration(std::abs(*line.edit_seconds)) + " " + word(*line.edit_seconds);
}

void print(const Counted& counted) {
  for (const wire::CastLine& line : counted.casts.lines) {
    std::printf("\n%s  %s\n", counted.sites[static_cast<std::size_t>(line.site)].c_str(),
                line.argument.empty() ? "(inside)" : line.argument.c_str());
    std::printf("  %s to %s: %s, %s per step\n  %s\n", formats::name(line.from).c_str(), formats::name(line.to).c_str(),
                words::bytes(line.bytes).c_str(), words::duration(line.seconds).c_str(),
                words::cast_cause(line, counted.ops[static_cast<std::size_t>(line.site)]).c_str());
    const std::string edit = words::cast_edit(line);
    if (!edit.empty()) std::printf("  removed by %s%s\n", edit.c_str(), saving_text(line).c_str());
  }
}

/// Prints the casts in `these` that are absent from `others`.
void print_only_in(const char* title, const Counted& these, const Counted& others) {
  const auto name = [](const Counted& of, const wire::CastLine& line) {
    return of.sites[static_cast<std::size_t>(line.site)] + (line.argument.empty() ? "" : " " + line.argument) + " to " +
           formats::name(line.to);
  };
  std::set<std::string> known;
  for (const wire::CastLine& line : others.casts.lines) known.insert(name(others, line));
  for (const wire::CastLine& line : these.casts.lines) {
    const std::string cast = name(these, line);
    if (!known.contains(cast))
      std::printf("  %s: %s, %s per step\n", title, cast.c_str(), words::bytes(line.bytes).c_str());
  }
}

}  // namespace

int casts(const CastsOptions& options) {
  const wire::RunConfig run = run_of(options, options.policy);
  // Read before training, so that a wrong name is reported at once.
  std::optional<wire::RunConfig> edited;
  if (!options.edited.empty()) edited = run_of(options, options.edited);
  const Counted before = count(run, options.steps);
  Json line{{"event", "casts"}};
  add_to(line, before);
  if (!options.json) {
    print_total("Casts", before.casts);
    print(before);
  }
  if (edited) {
    const Counted after = count(*edited, options.steps);
    add_to(line["edited"], after);
    if (!options.json) {
      std::printf("\n");
      print_total("Under " + options.edited, after.casts);
      print_only_in("no longer", before, after);
      print_only_in("new", after, before);
    }
  }
  if (options.json) print_json(line);
  return kDone;
}

}  // namespace binade::host
