// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/compare/compare_float32.h"
#include "engine/host/commands/commands.h"
#include "engine/host/input/read_run.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/print/printed.h"
#include "engine/host/print/told_waiting.h"
#include "engine/host/process/exit_code.h"
#include "engine/run/step.h"
#include "engine/train/switch_policy.h"
#include "engine/wire/comparison_rank.h"
#include "engine/wire/enum_text.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>

namespace binade::host {

namespace {

using Json = nlohmann::ordered_json;

/// JSON has neither infinity nor NaN: they become strings.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(std::isnan(value) ? "nan" : "inf");
}

Json number(const std::optional<double>& value) {
  return value ? number(*value) : Json();
}

std::string name_of(const train::Training& training, int site) {
  return training.sites[static_cast<std::size_t>(site)]->key.name();
}

Json to_json(const wire::SiteDifference& site, const train::Training& training) {
  return {{"site", name_of(training, site.site)},
          {"calls", site.calls},
          {"error", number(site.forward)},
          {"added", number(site.added)},
          {"added_measured", site.measured},
          {"becomes", number(site.becomes)},
          {"becomes_at", site.becomes_at < 0 ? Json() : Json(name_of(training, site.becomes_at))},
          {"arrived", number(site.arrived)},
          {"inherited", number(site.inherited)},
          {"became_zero", number(site.zeroed)},
          {"gradient_error", number(site.gradient)},
          {"gradient_cosine", number(site.cosine)},
          {"gradient_added", number(site.gradient_added)},
          {"gradient_became_zero", number(site.gradient_zeroed)}};
}

std::string text(const std::optional<double>& value) {
  if (!value) return "-";
  if (*value == 0) return "0";
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.2g", *value);
  return buffer;
}

/// Explains where an op call enlarges an error added by another, for the first `most` op calls.
void print_enlarged(const std::vector<wire::SiteDifference>& order, const train::Training& training, int most) {
  int left = most;
  for (const wire::SiteDifference& site : order) {
    if (left-- == 0) break;
    if (!wire::enlarges(site)) continue;
    std::printf("%s increases an error of %s to %s. Nearly equal numbers cancel there, or the function is steep.\n",
                name_of(training, site.site).c_str(), text(site.arrived).c_str(), text(site.inherited).c_str());
    if (const auto* origin = wire::origin_of(order, site.site)) {
      // A view that adds an error is a cast written in the model.
      const bool cast = training.sites[static_cast<std::size_t>(origin->site)]->view;
      std::printf(
          "  %s of it was added by %s: %s.\n", text(origin->becomes).c_str(), name_of(training, origin->site).c_str(),
          cast ? "remove that cast from the model, or cast to a wider format" : "use a wider format for that op call");
    }
  }
}

using NoteKind = wire::ReferenceNote::Kind;

Json to_json(const wire::ReferenceNote& note, const train::Training& training) {
  const auto text = [](const std::string& of) { return of.empty() ? Json() : Json(of); };
  return {{"kind", wire::word(note.kind)},
          {"site", note.site < 0 ? Json() : Json(name_of(training, note.site))},
          {"name", text(note.name)},
          {"format", text(note.format)}};
}

/// `2 casts (a, b)`: the count, and the first few names.
std::string counted(const std::vector<std::string>& names, const char* one, const char* several) {
  constexpr std::size_t kNamed = 4;
  std::string text = std::to_string(names.size()) + " " + (names.size() == 1 ? one : several) + " (";
  for (std::size_t i = 0; i < names.size() && i < kNamed; ++i) text += (i > 0 ? ", " : "") + names[i];
  if (names.size() > kNamed) text += " and " + std::to_string(names.size() - kNamed) + " more";
  return text + ")";
}

/// Prints which casts the float32 run left out, and where that run is not float32.
void print_reference(const wire::Float32Comparison& compared, const train::Training& training) {
  const auto named = [&](NoteKind kind) {
    std::vector<std::string> names;
    for (const wire::ReferenceNote& note : compared.reference) {
      if (note.kind != kind) continue;
      names.push_back(note.site < 0 ? note.name : name_of(training, note.site));
      if (!note.format.empty()) names.back() += " in " + note.format;
    }
    return names;
  };
  if (const auto casts = named(NoteKind::kLiftedCast); !casts.empty()) {
    std::printf("%s %s omitted from the float32 run.\n",
                counted(casts, "cast of the model's own", "casts of the model's own").c_str(),
                casts.size() == 1 ? "is" : "are");
  }
  if (!wire::not_float32(compared)) return;
  std::printf("The float32 run also uses other formats. Losses there occur in both runs and are not shown:\n");
  if (const auto calls = named(NoteKind::kLowResult); !calls.empty()) {
    std::printf("  %s: the model writes such a tensor, or requests the dtype.\n",
                counted(calls, "op call", "op calls").c_str());
  }
  if (const auto names = named(NoteKind::kParameter); !names.empty()) {
    std::printf("  %s\n", counted(names, "parameter", "parameters").c_str());
  }
  if (const auto names = named(NoteKind::kBuffer); !names.empty()) {
    std::printf("  %s\n", counted(names, "buffer", "buffers").c_str());
  }
  if (const auto names = named(NoteKind::kInput); !names.empty()) {
    std::printf("  %s\n", counted(names, "input", "inputs").c_str());
  }
  for (const wire::ReferenceNote& note : compared.reference) {
    if (note.kind == NoteKind::kOpaque) std::printf("  a call chosen at run time: casts inside it remain\n");
    if (note.kind != NoteKind::kCastsKept) continue;
    std::printf("  all of the model's own casts: the model does not run without them (%s)\n", note.name.c_str());
  }
}

void print(const wire::Float32Comparison& compared, const train::Training& training, std::int64_t step, int most) {
  std::printf("Step %lld: loss %.6g, in float32 %.6g; gradients under a scale of %g\n", static_cast<long long>(step),
              printed(compared.loss), printed(compared.float32_loss), compared.scale);
  print_reference(compared, training);
  const auto order = wire::ranked(compared.sites);
  if (order.empty()) {
    std::printf("No op call adds an error%s.\n",
                wire::not_float32(compared) ? "" : ": the policy gives the same results as float32");
    return;
  }
  std::printf(
      "\nOp calls by the relative error that they add, and its largest size on the way to the loss\n  %10s %10s %10s "
      "%10s %10s %10s  %s\n",
      "added", "becomes", "error", "grad added", "grad error", "cosine", "op call");
  int left = most;
  for (const wire::SiteDifference& site : order) {
    if (left-- == 0) break;
    const std::string cosine = site.cosine ? std::to_string(*site.cosine) : "-";
    std::printf("  %9s%s %10s %10s %10s %10s %10s  %s\n", text(site.added).c_str(), site.measured ? " " : "~",
                text(site.becomes).c_str(), text(site.forward).c_str(), text(site.gradient_added).c_str(),
                text(site.gradient).c_str(), cosine.c_str(), name_of(training, site.site).c_str());
  }
  if (order.size() > static_cast<std::size_t>(most)) {
    std::printf("  and %zu more that add an error (--most)\n", order.size() - static_cast<std::size_t>(most));
  }
  std::printf(
      "  ~ estimated from the errors of the arguments; other op calls were run again in float32 on the same values\n");
  print_enlarged(order, training, most);
}

}  // namespace

int compare(const CompareOptions& options) {
  wire::RunConfig config = read_run(options.run, options.policy);
  config.run_file.clear();
  const std::string resume = checkpoint::CheckpointFolder::newest_of(options.resume);
  const auto training = train::set_up(config, told_waiting());
  std::int64_t step = 0;
  if (!resume.empty()) {
    step = checkpoint::load_checkpoint(*training, resume).step;
    // The checkpoint's own policy is in force; it stays unless another was given.
    if (!options.policy.empty()) train::switch_policy(*training, config.policy, training->policy->revision);
  }
  run::Stepper stepper(*training);
  stepper.set_observe({.level = "off"});
  for (const std::int64_t end = step + options.steps; step < end; ++step) stepper.run(step);

  const wire::Float32Comparison compared = compare::compare_with_float32(*training, step);
  if (!options.json) {
    print(compared, *training, step, options.most);
    return kDone;
  }
  Json line{{"event", "comparison"},         {"step", step},
            {"loss", number(compared.loss)}, {"float32_loss", number(compared.float32_loss)},
            {"scale", compared.scale},       {"sites", Json::array()}};
  for (const wire::SiteDifference& site : wire::ranked(compared.sites)) {
    line["sites"].push_back(to_json(site, *training));
  }
  line["reference"] = Json::array();
  for (const wire::ReferenceNote& note : compared.reference) line["reference"].push_back(to_json(note, *training));
  print_json(line);
  return kDone;
}

}  // namespace binade::host
