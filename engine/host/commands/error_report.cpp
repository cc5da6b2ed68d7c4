// SPDX-License-Identifier: Apache-2.0
#include "engine/host/commands/error_report.h"

#include "engine/formats/printable.h"
#include "engine/graph/unsafe_code.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/process/exit_code.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

namespace binade::host {

namespace {

/// What a file's names and texts hold must not steer the terminal. Line breaks are the message's own.
std::string for_terminal(std::string_view text) {
  std::string result;
  for (std::size_t end = 0; end != std::string_view::npos; text.remove_prefix(std::min(text.size(), end + 1))) {
    end = text.find('\n');
    result += formats::printable(text.substr(0, end)) + (end == std::string_view::npos ? "" : "\n");
  }
  return result;
}

}  // namespace

int report(const Error& error, bool json) {
  const auto* const unsafe = dynamic_cast<const graph::UnsafeModel*>(&error);
  if (json) {
    nlohmann::ordered_json line{{"event", "error"}, {"message", error.what()}, {"hint", error.hint}};
    if (!error.field.empty()) line["field"] = error.field;
    if (error.code == ErrorCode::kCancelled) line["cancelled"] = true;
    if (unsafe != nullptr) {
      line["sha256"] = unsafe->sha256;
      line["unsafe"] = nlohmann::ordered_json::array();
      for (const graph::CodeFinding& each : unsafe->findings) {
        line["unsafe"].push_back(
            {{"record", each.record}, {"line", each.line}, {"code", each.code}, {"why", each.why}});
      }
    }
    print_json(line);
  }
  std::fprintf(stderr, "binade-engine: %s\n", for_terminal(error.what()).c_str());
  if (unsafe != nullptr) {
    for (const graph::CodeFinding& each : unsafe->findings) {
      const std::string place = each.record.empty() ? "?" : each.record + ":" + std::to_string(each.line);
      std::fprintf(stderr, "  %s: %s\n", for_terminal(place).c_str(), for_terminal(each.why).c_str());
      if (!each.code.empty()) std::fprintf(stderr, "    %s\n", for_terminal(each.code).c_str());
    }
    std::fprintf(stderr, "  SHA-256 of the file: %s\n", unsafe->sha256.c_str());
  }
  if (!error.hint.empty()) std::fprintf(stderr, "  %s\n", for_terminal(error.hint).c_str());
  return exit_code(error.code);
}

}  // namespace binade::host
