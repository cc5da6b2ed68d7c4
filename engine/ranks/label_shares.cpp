// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks/label_shares.h"

#include "engine/files/label_range.h"

#include <ATen/ops/zeros_like.h>

#include <cstdint>
#include <string>

namespace binade::ranks {

LabelCounts count_labels(const train::Training& training, const batches::Batch& batch) {
  LabelCounts counts;
  if (training.config.data.kind != "files") return counts;
  for (std::size_t i = 0; i < training.losses.size(); ++i) {
    const train::Loss& loss = training.losses[i];
    if (!loss.classifies()) continue;
    const at::Tensor& target = batch.target(loss.config().target);
    if (target.is_floating_point()) continue;  // probabilities
    counts.emplace_back(i, static_cast<double>(target.ne(files::kIgnoredLabel).sum().item<std::int64_t>()));
  }
  return counts;
}

void set_label_shares(const train::Training& training, batches::Batch& part, const LabelCounts& own,
                      const LabelCounts& whole) {
  if (own.empty()) return;
  part.shares.assign(training.losses.size(), part.share);
  for (std::size_t k = 0; k < own.size(); ++k) {
    const auto& [loss, count] = own[k];
    const double total = whole[k].second;
    if (total == 0) continue;  // the loss is NaN, as in one process
    part.shares[loss] = count / total;
    if (count > 0) continue;
    const std::string& name = training.losses[loss].config().target;
    for (auto& [known, target] : part.targets) {
      if (known == name || name.empty()) target = at::zeros_like(target);
    }
  }
}

}  // namespace binade::ranks
