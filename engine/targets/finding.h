// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace binade::targets {

/// A remark about an exported file.
struct Finding {
  enum class Kind {
    kNote,          ///< the file implements the policy; the message explains how
    kInexpressible  ///< the file deviates from the policy; the message states what it does instead
  } kind = Kind::kNote;
  std::string message;
  std::vector<std::string> sites;  ///< affected op calls; empty: the whole file

  friend bool operator==(const Finding&, const Finding&) = default;
};

/// A list of findings with one entry per message. An entry lists each affected site once.
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

}  // namespace binade::targets
