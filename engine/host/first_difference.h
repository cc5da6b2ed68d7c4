// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace binade::host {

/// Fingerprints of every site's results and of the gradients that come back to them: enough to name the first call at
/// which two runs part, without keeping a tensor. Must outlive the backward of what it saw.
class Fingerprints : public graph::SiteHook {
 public:
  void after(graph::Call& call) override;

 private:
  struct Mark {
    const graph::Site* site;
    int call;
    int result;
    std::uint64_t bits;
  };
  friend std::string first_difference(const Fingerprints& expected, const Fingerprints& got);

  void note(const graph::Call& call, int result, const at::Tensor& tensor);

  std::vector<Mark> results_;
  std::vector<Mark> gradients_;  ///< in the order of backward
};

/// A sentence that names the first call whose output differs, else the first in backward whose output's gradient does,
/// else one that says that no op call is to blame.
std::string first_difference(const Fingerprints& expected, const Fingerprints& got);

/// The sites that ran.
class Executed : public graph::SiteHook {
 public:
  void after(graph::Call& call) override { sites.insert(call.site.id); }
  std::set<int> sites;
};

}  // namespace binade::host
