// SPDX-License-Identifier: Apache-2.0
#include "engine/host/silent_report.h"

#include "engine/host/overflow_line.h"
#include "engine/silent/book.h"
#include "engine/silent/numbers.h"

namespace binade::host {

namespace {

using Json = nlohmann::ordered_json;

Json fault_json(const wire::SilentFault& fault, const std::vector<std::string>& sites) {
  return {{"kind", wire::name(fault.kind)},
          {"direction", wire::name(fault.direction)},
          {"site", fault.site < 0 ? Json() : Json(sites.at(static_cast<std::size_t>(fault.site)))},
          {"what", fault.what},
          {"format", formats::name(fault.format)},
          {"first_step", fault.first_step},
          {"last_step", fault.last_step},
          {"seen", fault.seen},
          {"looked", fault.looked},
          {"amount", number(fault.amount)},
          {"unit", fault.unit},
          {"bound", fault.bound},
          {"sentence", fault.sentence},
          {"next", fault.next},
          {"fix",
           {{"text", fault.fix.text},
            {"scale", fault.fix.scale > 0 ? number(fault.fix.scale) : Json()},
            {"sites", rules_json(fault.fix.rules)}}}};
}

std::string count(std::int64_t number) {
  return silent::grouped(static_cast<std::uint64_t>(number));
}

std::string steps_text(const wire::SilentFault& fault) {
  const std::string span = fault.first_step == fault.last_step
                               ? "step " + count(fault.first_step)
                               : "steps " + count(fault.first_step) + " to " + count(fault.last_step);
  return "seen in " + count(fault.seen) + " of " + count(fault.looked) + " steps looked at, " + span;
}

}  // namespace

Json silent_line(const wire::SilentReport& report, const std::vector<std::string>& sites) {
  Json faults = Json::array();
  for (const wire::SilentFault& fault : report.faults) faults.push_back(fault_json(fault, sites));
  return {{"event", "silent"},       {"step", report.last_step}, {"first_step", report.first_step},
          {"looked", report.looked}, {"faults", faults},         {"hidden", report.hidden}};
}

std::string silent_text(const wire::SilentReport& report) {
  std::string text;
  if (report.faults.empty()) {
    text = "No silent fault in " + count(report.looked) + (report.looked == 1 ? " step" : " steps") + " looked at\n";
    if (report.looked < silent::Book::kLeastSeen) {
      text += "Most faults count only once " + count(silent::Book::kLeastSeen) +
              " steps show them: train for longer, or look at more of them (observe.every).\n";
    }
  } else {
    text = "Silent faults, the worst first (" + count(report.looked) + " of " +
           count(report.last_step + 1 - report.first_step) + " steps looked at):\n";
  }
  for (std::size_t i = 0; i < report.faults.size(); ++i) {
    const wire::SilentFault& fault = report.faults[i];
    text += std::to_string(i + 1) + ". " + (fault.bound ? "at most " : "") + silent::percent(fault.amount) + " " +
            fault.unit + ": " + fault.sentence + "\n   " + steps_text(fault) + "\n";
    if (!fault.next.empty()) text += "   " + fault.next + "\n";
  }
  for (const std::string& sentence : report.hidden) text += "Not seen: " + sentence + "\n";
  return text;
}

}  // namespace binade::host
