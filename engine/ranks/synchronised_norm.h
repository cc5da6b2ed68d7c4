// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"
#include "engine/ranks/group.h"

namespace binade::ranks {

/// Hook that normalises batch norms in train mode by the statistics of all ranks' examples, as torch.nn.SyncBatchNorm
/// does, and sends gradients back likewise. Gradients of weight and bias are the rank's own, as those of any other
/// parameter. Nest it innermost, so that casts and observations stay as they are. The group must outlive the hook and
/// the backward of what ran under it.
class SynchronisedNorm : public graph::SiteHook {
 public:
  explicit SynchronisedNorm(Group& group);
  SynchronisedNorm(const SynchronisedNorm&) = delete;
  SynchronisedNorm& operator=(const SynchronisedNorm&) = delete;
  void before(graph::Call& call) override;

 private:
  Group& group_;
  graph::Operation operation_;
};

}  // namespace binade::ranks
