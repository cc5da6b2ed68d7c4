// SPDX-License-Identifier: Apache-2.0
#include "engine/host/commands/export_findings.h"

#include "engine/host/print/policy_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace binade::host {

namespace {

using targets::Finding;

constexpr std::size_t kCallsOfNote = 3;
constexpr std::size_t kCallsOfDeviation = 20;

std::string line_of(const Finding& finding) {
  const bool note = finding.kind == Finding::Kind::kNote;
  const std::size_t most = note ? kCallsOfNote : kCallsOfDeviation;
  std::string text = (note ? "note: " : "cannot express: ") + finding.message;
  for (std::size_t i = 0; i < std::min(finding.sites.size(), most); ++i) {
    text += (i == 0 ? ": " : ", ") + finding.sites[i];
  }
  if (finding.sites.size() > most) text += " and " + std::to_string(finding.sites.size() - most) + " more";
  return text;
}

}  // namespace

void print_findings(const std::vector<Finding>& findings, bool json, std::FILE* out) {
  for (const Finding& finding : findings) {
    if (json) {
      print_json({{"event", "finding"},
                  {"kind", finding.kind == Finding::Kind::kNote ? "note" : "inexpressible"},
                  {"message", finding.message},
                  {"sites", finding.sites}});
    } else {
      std::fprintf(out, "%s\n", line_of(finding).c_str());
    }
  }
}

}  // namespace binade::host
