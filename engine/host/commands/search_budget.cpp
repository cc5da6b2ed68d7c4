// SPDX-License-Identifier: Apache-2.0
#include "engine/host/commands/search_budget.h"

#include "engine/formats/error.h"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace binade::host {

namespace {

constexpr const char* kBudgetHint = "Give a time, a number of tries or both: --budget 30min,40tries";

[[noreturn]] void refuse_budget(const std::string& what) {
  throw Error(ErrorCode::kUsage, "--budget: " + what, kBudgetHint);
}

/// Seconds of a unit of time; 0 for anything else.
double seconds_in(std::string_view unit) {
  if (unit == "s") return 1;
  if (unit == "min") return 60;
  if (unit == "h") return 3600;
  return 0;
}

/// The parts between commas.
std::vector<std::string> separate(const std::vector<std::string>& texts) {
  std::vector<std::string> parts;
  for (std::string_view text : texts) {
    for (std::size_t comma = 0; (comma = text.find(',')) != std::string_view::npos; text.remove_prefix(comma + 1)) {
      parts.emplace_back(text.substr(0, comma));
    }
    parts.emplace_back(text);
  }
  return parts;
}

}  // namespace

search::Budget parse_budget(const std::vector<std::string>& texts) {
  search::Budget budget;
  for (const std::string& text : separate(texts)) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    const bool counts = unit == "tries" || unit == "try";
    const double seconds = seconds_in(unit);
    if (error != std::errc() || !std::isfinite(number) || (!counts && seconds == 0)) {
      refuse_budget("\"" + text + "\" is no time and no number of tries");
    }
    if (number <= 0) refuse_budget("\"" + text + "\" allows no try");
    if (counts) {
      if (budget.tries) refuse_budget("two numbers of tries are given");
      if (number != std::floor(number) || number > 1e9) refuse_budget("\"" + text + "\" is no number of tries");
      budget.tries = static_cast<std::int64_t>(number);
    } else {
      if (budget.seconds) refuse_budget("two times are given");
      budget.seconds = number * seconds;
    }
  }
  if (!budget.tries && !budget.seconds) refuse_budget("no limit is given, so the search might never end");
  return budget;
}

}  // namespace binade::host
