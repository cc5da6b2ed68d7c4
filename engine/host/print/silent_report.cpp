// SPDX-License-Identifier: Apache-2.0
#include "engine/host/print/silent_report.h"

#include "engine/host/print/text_table.h"
#include "engine/host/print/wire_members.h"
#include "engine/wire/codec.h"
#include "engine/words/numbers.h"
#include "engine/words/silent_text.h"

#include <algorithm>
#include <cmath>

namespace binade::host {

namespace {

using Json = nlohmann::ordered_json;

using Sites = std::vector<wire::SiteInfo>;

/// Returns what a fault's line has beside the wire's members.
Json fault_words(const wire::SilentFault& fault, const Sites& sites) {
  const std::string next = words::silent_next(fault, sites);
  const bool has_fix = fault.facts.lowest_scale || fault.fix.scale > 0 || !fault.fix.rules.empty() || fault.fix.known();
  return {{"sentence", words::silent_sentence(fault, sites)}, {"next", next}, {"fix", {{"text", has_fix ? next : ""}}}};
}

std::string count(std::int64_t number) {
  return words::grouped(static_cast<std::uint64_t>(number));
}

std::string steps_text(const wire::SilentFault& fault) {
  const std::string span = fault.first_step == fault.last_step
                               ? "step " + count(fault.first_step)
                               : "steps " + count(fault.first_step) + " to " + count(fault.last_step);
  return "seen in " + count(fault.seen) + " of " + count(fault.observed_steps) + " observed " +
         (fault.observed_steps == 1 ? "step, " : "steps, ") + span;
}

/// Returns the amount lost, over how many steps, and the step that the sentence describes.
std::string amount_text(const wire::SilentFault& fault) {
  std::string text = (fault.bound ? "at most " : "") + words::percent(fault.amount) + " " + words::silent_unit(fault);
  if (fault.worst_step) {
    text += " (mean of " + count(fault.observed_steps) + " observed steps); at step " + count(*fault.worst_step) +
            ", the worst step";
  }
  return text;
}

/// Returns advice for a run in which too few steps were observed.
std::string more_observed_steps_text(const wire::SilentReport& report, std::int64_t every, bool all_skipped) {
  if (all_skipped && report.observed_steps == 0) {
    return "Every step was skipped. First correct what the overflow events name.";
  }
  const wire::MoreObservedSteps more = wire::more_observed_steps(report, every);
  std::string text = "Train for " + count(more.steps) + " more steps";
  if (more.every == 1) text += ", or observe every step (observe.every: 1)";
  if (more.every > 1) text += ", or set observe.every to " + count(more.every) + " or less";
  return text + ".";
}

/// What a list without a fault does not say.
constexpr const char* kNotChecked =
    "Cancellation errors (subtraction of nearly equal numbers) are not checked. binade-engine compare measures them in "
    "one step.";

constexpr std::size_t kMostUpdates = 12;

/// Returns the size of an update relative to its parameter; `-` if the parameter is 0.
std::string ratio_text(const wire::ParameterUpdate& update) {
  return std::isinf(update.update_over_weight) ? "-" : words::figure(update.update_over_weight);
}

/// Returns a table of updates, largest lost norm first, then smallest update relative to its weight.
std::string updates_text(const std::vector<wire::ParameterUpdate>& updates) {
  if (updates.empty()) return {};
  std::vector<const wire::ParameterUpdate*> order;
  for (const wire::ParameterUpdate& update : updates) order.push_back(&update);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return a->lost_norm != b->lost_norm ? a->lost_norm > b->lost_norm : a->update_over_weight < b->update_over_weight;
  });
  TextTable table(2);
  table.add({"lost", "of", "norm lost", "update/weight", "format", "parameter"});
  for (std::size_t i = 0; i < order.size() && i < kMostUpdates; ++i) {
    const wire::ParameterUpdate& update = *order[i];
    table.add({words::grouped(update.lost), words::grouped(update.moved),
               update.lost == 0 ? "0" : words::percent(update.lost_norm), ratio_text(update),
               formats::name(update.format), update.parameter});
  }
  std::string text = "\nUpdates at step " + count(updates.front().step) +
                     ": weights that rounding leaves unchanged, of the weights with a non-zero update\n" + table.text();
  if (order.size() > kMostUpdates) {
    text += "  and " + std::to_string(order.size() - kMostUpdates) + " more, none of which loses more\n";
  }
  return text;
}

}  // namespace

Json silent_line(const wire::SilentReport& report, const Sites& sites, std::int64_t every, bool all_skipped) {
  Json faults = Json::array();
  for (const wire::SilentFault& fault : report.faults) faults.push_back(fault_words(fault, sites));
  Json hidden = Json::array();
  for (const wire::SilentGap& gap : report.hidden) hidden.push_back({{"sentence", words::silent_gap(gap, sites)}});
  const wire::SilentVerdict verdict = wire::verdict_of(report);
  const bool none = verdict == wire::SilentVerdict::kNone;
  const bool few = verdict == wire::SilentVerdict::kNotKnownYet;
  Json line{{"event", "silent"},
            {"steps", report.steps()},
            {"verdict", wire::name(verdict)},
            {"next", few ? more_observed_steps_text(report, every, all_skipped) : std::string(none ? kNotChecked : "")},
            {"faults", faults},
            {"hidden", hidden}};
  std::vector<std::string> names;
  for (const wire::SiteInfo& site : sites) names.push_back(site.key.name());
  add_wire_members(line, wire::encode(report), names);
  for (std::size_t i = 0; i < report.updates.size(); ++i) {
    if (std::isinf(report.updates[i].update_over_weight)) line["updates"][i]["update_over_weight"] = nullptr;
  }
  return line;
}

std::string silent_text(const wire::SilentReport& report, const Sites& sites, std::int64_t every, bool all_skipped) {
  const std::string observed = count(report.observed_steps) + " of " + count(report.steps()) +
                               (report.steps() == 1 ? " step" : " steps") + " observed";
  std::string text;
  switch (wire::verdict_of(report)) {
    case wire::SilentVerdict::kNone:
      text = "No silent fault in " + observed + ". " + kNotChecked + "\n";
      break;
    case wire::SilentVerdict::kNotKnownYet:
      text = "Silent faults: not known yet, " + observed + " and " + count(wire::SilentReport::kFewestObservedSteps) +
             " required. " + more_observed_steps_text(report, every, all_skipped) + "\n";
      break;
    case wire::SilentVerdict::kFaults:
      text = "Silent faults, worst first (" + observed + "):\n";
      break;
  }
  for (std::size_t i = 0; i < report.faults.size(); ++i) {
    const wire::SilentFault& fault = report.faults[i];
    text += std::to_string(i + 1) + ". " + amount_text(fault) + ": " + words::silent_sentence(fault, sites) + "\n   " +
            steps_text(fault) + "\n";
    text += "   " + words::silent_next(fault, sites) + "\n";
  }
  if (!report.hidden.empty()) text += "Not known yet:\n";
  for (const wire::SilentGap& gap : report.hidden) text += "   " + words::silent_gap(gap, sites) + "\n";
  return text + updates_text(report.updates);
}

}  // namespace binade::host
