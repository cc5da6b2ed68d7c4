// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace binade::host {

/// Hashes of every site's results and of the gradients of those results. They identify the first call at which two runs
/// diverge without keeping a tensor. Must outlive the backward of the calls it observed.
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
  std::vector<Mark> gradients_;  ///< in backward order
};

/// Returns a sentence naming the first call whose output differs, else the first in backward whose output's gradient
/// differs. If neither exists, the sentence says that only parameters' gradients differ.
std::string first_difference(const Fingerprints& expected, const Fingerprints& got);

/// Collects the ids of the sites that ran.
class Executed : public graph::SiteHook {
 public:
  void after(graph::Call& call) override { sites.insert(call.site.id); }
  std::set<int> sites;
};

}  // namespace binade::host
