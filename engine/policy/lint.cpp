// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/lint.h"

#include "engine/policy/finding_text.h"

#include <algorithm>
#include <utility>

namespace binade::policy {

void Lint::add(Finding::Severity severity, int rule, std::string message) const {
  resolved.findings.push_back({severity, rule, std::move(message)});
}

std::string Lint::first_names(const std::vector<int>& some) const {
  std::vector<std::string> all(some.size());
  for (std::size_t i = 0; i < some.size() && i < kNamed; ++i) all[i] = names[static_cast<std::size_t>(some[i])];
  return first_of(all);
}

bool Lint::all_views(const std::vector<int>& some) const {
  const auto is_view = [this](int site) { return places[static_cast<std::size_t>(site)].view; };
  return !some.empty() && !places.empty() && std::all_of(some.begin(), some.end(), is_view);
}

}  // namespace binade::policy
