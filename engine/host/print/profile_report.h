// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/profile.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace binade::host {

/// Returns a profile as one JSON line whose `event` is `profile`: the members that the wire has, and the verdict of
/// each op call in words. Unmeasured figures are null, never 0. `sites`: names of op calls by id.
nlohmann::ordered_json to_json(const wire::Profile& profile, const std::vector<std::string>& sites);

/// Sums up a run's profiles for printing.
class ProfileReport {
 public:
  /// Adds the profile of further steps. Times are weighted by the number of steps.
  void add(const wire::Profile& profile);
  bool empty() const { return steps_ == 0; }
  /// Returns a table of the longest op calls, the source of the times, and why tensor cores were not measured. `sites`:
  /// names by id. `ranks`: the run has several, whose sums of gradients are outside of all op calls.
  std::string text(const std::vector<std::string>& sites, bool ranks = false) const;

 private:
  std::int64_t steps_ = 0;
  double seconds_ = 0;  ///< total of all profiled steps
  double idle_ = 0;     ///< of them, seconds in which the GPU ran no kernel; NaN if a profile does not say
  /// By site. Seconds are sums over steps, the rest is from the newest profile.
  std::map<int, wire::SiteProfile> sites_;
  wire::ProfileSource times_, curve_;
};

}  // namespace binade::host
