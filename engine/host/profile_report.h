// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/profile.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace binade::host {

/// A profile as one JSON line, `event` is `profile`. What was not measured is null, never 0. `sites` are the names.
nlohmann::ordered_json to_json(const wire::Profile& profile, const std::vector<std::string>& sites);

/// Adds a run's profiles up, for people.
class ProfileReport {
 public:
  void add(const wire::Profile& profile);
  bool empty() const { return steps_ == 0; }
  /// The op calls that take longest, where the times come from, and why nothing more could be measured.
  std::string text(const std::vector<std::string>& sites) const;

 private:
  std::int64_t steps_ = 0;
  double seconds_ = 0;                      ///< of all profiled steps
  std::map<int, wire::SiteProfile> sites_;  ///< seconds are sums over steps; the rest is the newest
  wire::ProfileSource times_, curve_;
};

}  // namespace binade::host
