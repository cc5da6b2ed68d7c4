// SPDX-License-Identifier: Apache-2.0
#include "engine/words/site_text.h"

#include "engine/policy/site_match.h"

#include <algorithm>
#include <vector>

namespace binade::words {

namespace {

constexpr std::size_t kMostSaid = 3;

/// `3, 17 and 22` for all `count` numbers, `3, 17, 22 and 9 more` if there are more.
std::string numbers_text(const std::vector<std::int64_t>& numbers, std::int64_t count) {
  const std::size_t said = std::min(numbers.size(), kMostSaid);
  const std::int64_t more = count - static_cast<std::int64_t>(said);
  std::string text;
  for (std::size_t i = 0; i < said; ++i) {
    const bool last = i + 1 == said && more <= 0;
    text.append(i == 0 ? "" : last ? " and " : ", ").append(std::to_string(numbers[i]));
  }
  if (more > 0) text.append(" and ").append(std::to_string(more)).append(" more");
  return text;
}

}  // namespace

std::string place_of(const wire::SiteInfo& site) {
  return place_of(site.key);
}

std::string place_of(const policy::SiteKey& site) {
  const std::size_t colons = site.op.find("::");
  std::string op = site.op.substr(colons == std::string::npos ? 0 : colons + 2);
  // The ordinal is added where path and op may not be unique.
  if (site.path.empty() || site.ordinal > 0) op.append("#").append(std::to_string(site.ordinal));
  return site.path.empty() ? op : site.path + " (" + op + ")";
}

std::string places_text(const std::vector<std::string>& calls) {
  const std::size_t said = std::min(calls.size(), kMostSaid);
  const std::size_t more = calls.size() - said;
  std::string text;
  for (std::size_t i = 0; i < said; ++i) {
    const bool last = i + 1 == said && more == 0;
    text.append(i == 0 ? "" : last ? " and " : ", ").append(place_of(policy::site_key(calls[i])));
  }
  return more == 0 ? text : text + ", +" + std::to_string(more) + " more";
}

std::string rows_text(const wire::BadRows& rows) {
  const bool one = rows.bad == 1;
  std::string text = (one ? "row " : "rows ") + numbers_text(rows.rows, rows.bad);
  text.append(" of ").append(std::to_string(rows.of));
  if (rows.examples.empty()) return text;
  return text.append(one ? " (example " : " (examples ").append(numbers_text(rows.examples, rows.bad)) +
         " of the data)";
}

}  // namespace binade::words
