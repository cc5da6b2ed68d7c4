// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace binade::targets {

/// A remark about an exported file.
struct Finding {
  enum class Kind {
    kNote,          ///< the file implements the policy; the message explains how
    kWarning,       ///< a part of the policy has no effect on the model, such as a rule that matches no op call
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
    const auto [place, added] = places_.try_emplace({kind, message});
    Place& of = place->second;
    if (added) {
      of.index = list_.size();
      list_.push_back({kind, message, {}});
    }
    if (!site.empty() && of.sites.insert(site).second) list_[of.index].sites.push_back(site);
  }
  const std::vector<Finding>& list() const { return list_; }

 private:
  struct Place {
    std::size_t index = 0;
    std::set<std::string> sites;  ///< those that the entry has, to find them quickly
  };
  std::map<std::pair<Finding::Kind, std::string>, Place> places_;
  std::vector<Finding> list_;
};

}  // namespace binade::targets
