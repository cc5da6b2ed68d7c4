// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/compare/compare_float32.h"
#include "engine/formats/input_file.h"
#include "engine/host/commands/commands.h"
#include "engine/host/input/read_run.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/print/printed.h"
#include "engine/host/print/reported_progress.h"
#include "engine/host/print/wire_members.h"
#include "engine/host/process/exit_code.h"
#include "engine/run/step.h"
#include "engine/train/switch_policy.h"
#include "engine/wire/codec.h"
#include "engine/wire/comparison_rank.h"
#include "engine/words/comparison_text.h"
#include "engine/words/scale_text.h"

#include <cstdio>

namespace binade::host {

namespace {

std::string name_of(const train::Training& training, int site) {
  return training.sites[static_cast<std::size_t>(site)]->key.name();
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

void print(const wire::Float32Comparison& compared, const train::Training& training, std::int64_t step, int most) {
  std::printf("Step %lld: loss %.6g, in float32 %.6g; gradients at scale %s\n", static_cast<long long>(step),
              printed(compared.loss), printed(compared.float32_loss), words::scale_text(compared.scale).c_str());
  for (const std::string& note : words::reference_notes(compared, [&](int site) { return name_of(training, site); })) {
    std::printf("%s\n", note.c_str());
  }
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
  bool estimated = false;
  for (const wire::SiteDifference& site : order) {
    if (left-- == 0) break;
    estimated = estimated || !site.measured;
    const std::string cosine = site.cosine ? std::to_string(*site.cosine) : "-";
    std::printf("  %9s%s %10s %10s %10s %10s %10s  %s\n", text(site.added).c_str(), site.measured ? " " : "~",
                text(site.becomes).c_str(), text(site.forward).c_str(), text(site.gradient_added).c_str(),
                text(site.gradient).c_str(), cosine.c_str(), name_of(training, site.site).c_str());
  }
  if (order.size() > static_cast<std::size_t>(most)) {
    std::printf("  and %zu more that add an error (--most)\n", order.size() - static_cast<std::size_t>(most));
  }
  if (estimated) {
    std::printf(
        "  ~ estimated from the errors of the arguments; other op calls were run again in float32 on the same "
        "values\n");
  }
  print_enlarged(order, training, most);
}

}  // namespace

int compare(const CompareOptions& options) {
  wire::RunConfig config = read_run(options.run, options.policy);
  config.run_file.clear();
  if (!options.resume.empty()) refuse_if_missing(options.resume);
  const std::string resume = checkpoint::CheckpointFolder::newest_of(options.resume);
  const auto training = train::set_up(config, reported_progress());
  std::int64_t step = 0;
  if (!resume.empty()) {
    step = checkpoint::load_checkpoint(*training, resume).step;
    // The checkpoint's own policy is in force; it stays unless another was given.
    if (!options.policy.empty()) train::switch_policy(*training, config.policy, training->policy->revision);
  }
  run::Stepper stepper(*training);
  stepper.set_observe({.level = "off"});
  for (const std::int64_t end = step + options.steps; step < end; ++step) stepper.run(step);

  wire::Float32Comparison compared = compare::compare_with_float32(*training, step);
  if (!options.json) {
    print(compared, *training, step, options.most);
    return kDone;
  }
  compared.sites = wire::ranked(compared.sites);
  std::vector<std::string> names;
  for (const graph::Site* site : training->sites) names.push_back(site->key.name());
  print_json(wire_line("comparison", wire::encode(compared), names));
  return kDone;
}

}  // namespace binade::host
