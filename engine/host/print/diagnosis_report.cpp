// SPDX-License-Identifier: Apache-2.0
#include "engine/host/print/diagnosis_report.h"

#include "engine/words/fix_text.h"
#include "engine/words/site_text.h"

#include <array>
#include <cstdio>

namespace binade::host {

namespace {

std::string range_line(const wire::ValueRange& range) {
  std::array<char, 160> numbers{};
  std::snprintf(numbers.data(), numbers.size(), "magnitudes %g to %g, %lld of %lld zero, %lld infinite, %lld NaN",
                range.smallest, range.largest, static_cast<long long>(range.zeros), static_cast<long long>(range.count),
                static_cast<long long>(range.infinite), static_cast<long long>(range.nan));
  return "    " + range.format + " " + range.name + ": " + numbers.data() + "\n";
}

}  // namespace

std::string diagnosis_lines(const wire::Diagnosis& diagnosis, const std::vector<std::string>& sites) {
  const auto name = [&sites](int site) { return sites.at(static_cast<std::size_t>(site)); };
  std::string text = "  verdict: " + wire::name(diagnosis.verdict) + "\n";
  for (const wire::Root& root : diagnosis.roots) {
    text += "  first cause: " + (root.site < 0 ? root.what : name(root.site));
    text += (root.source.empty() ? "" : ", " + root.source) + "\n";
    if (root.rows) text += "    " + words::rows_text(*root.rows) + "\n";
    for (const wire::ValueRange& range : root.inputs) text += range_line(range);
  }
  for (const wire::ChainLink& link : diagnosis.chain) {
    text += (link.direction == wire::Direction::kForward ? "  -> " : "  <- ") + name(link.site) + "\n";
  }
  for (const wire::Attempt& attempt : diagnosis.evidence) {
    text += "  tried " + words::change_of(attempt) + (attempt.finite ? ": finite\n" : ": not finite\n");
  }
  return text;
}

}  // namespace binade::host
