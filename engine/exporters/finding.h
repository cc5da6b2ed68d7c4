// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace binade::exporters {

/// What a person should know about an exported file.
struct Finding {
  enum class Kind {
    kNote,          ///< the file does what the policy says; this is how
    kInexpressible  ///< the file cannot do what the policy says; the message tells what it does instead
  } kind = Kind::kNote;
  std::string message;
  std::vector<std::string> sites;  ///< the op calls that it is about; none: the whole file

  friend bool operator==(const Finding&, const Finding&) = default;
};

/// The findings' list with one line a message, however many sites it is about; a site stands there once.
class Findings {
 public:
  void add(Finding::Kind kind, const std::string& message, const std::string& site = {}) {
    for (Finding& finding : list_) {
      if (finding.kind != kind || finding.message != message) continue;
      const bool known = std::find(finding.sites.begin(), finding.sites.end(), site) != finding.sites.end();
      if (!site.empty() && !known) finding.sites.push_back(site);
      return;
    }
    list_.push_back({kind, message, {}});
    if (!site.empty()) list_.back().sites.push_back(site);
  }
  const std::vector<Finding>& list() const { return list_; }

 private:
  std::vector<Finding> list_;
};

}  // namespace binade::exporters
