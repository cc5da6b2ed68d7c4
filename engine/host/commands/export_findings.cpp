// SPDX-License-Identifier: Apache-2.0
#include "engine/host/commands/export_findings.h"

#include "engine/formats/error.h"
#include "engine/host/print/policy_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace binade::host {

namespace {

using targets::Finding;

constexpr std::size_t kCallsOfNote = 3;
constexpr std::size_t kCallsOfDeviation = 20;

struct FindingWords {
  const char* line;
  const char* json;
};

FindingWords finding_words(Finding::Kind kind) {
  switch (kind) {
    case Finding::Kind::kNote:
      return {"note: ", "note"};
    case Finding::Kind::kWarning:
      return {"warning: ", "warning"};
    case Finding::Kind::kInexpressible:
      break;
  }
  return {"cannot express: ", "inexpressible"};
}

/// The worse ones come first.
int finding_rank(Finding::Kind kind) {
  return kind == Finding::Kind::kInexpressible ? 0 : kind == Finding::Kind::kWarning ? 1 : 2;
}

std::string line_of(const Finding& finding) {
  const std::size_t most = finding.kind == Finding::Kind::kNote ? kCallsOfNote : kCallsOfDeviation;
  std::string text = finding_words(finding.kind).line + finding.message;
  for (std::size_t i = 0; i < std::min(finding.sites.size(), most); ++i) {
    text += (i == 0 ? ": " : ", ") + finding.sites[i];
  }
  if (finding.sites.size() > most) text += " and " + std::to_string(finding.sites.size() - most) + " more";
  return text;
}

}  // namespace

std::size_t print_findings(std::vector<Finding> findings, bool json, std::FILE* out) {
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return finding_rank(a.kind) < finding_rank(b.kind); });
  std::size_t warnings = 0;
  for (const Finding& finding : findings) {
    const bool warns = finding.kind == Finding::Kind::kWarning;
    warnings += warns ? 1 : 0;
    if (json) {
      print_json({{"event", "finding"},
                  {"kind", finding_words(finding.kind).json},
                  {"message", finding.message},
                  {"sites", finding.sites}});
    } else {
      std::fprintf(warns ? stderr : out, "%s\n", line_of(finding).c_str());
    }
  }
  return warnings;
}

void refuse_warnings(const ExportOptions& options, std::size_t warnings) {
  if (!options.strict || warnings == 0) return;
  throw Error(ErrorCode::kBadPolicy,
              options.policy + ": " + (warnings == 1 ? "1 warning" : std::to_string(warnings) + " warnings") + " for " +
                  options.model + ". Nothing was written",
              "Correct the policy, or leave out --strict.");
}

}  // namespace binade::host
