// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"
#include "engine/train/random_state.h"

#include <ATen/core/Tensor.h>

#include <map>
#include <tuple>

namespace binade::train {

/// Returns whether an op's results are random numbers only (randn_like, normal_). The same generator state gives other
/// numbers in another dtype. Dropout is not included, since its mask is the same in every dtype.
bool is_random_source(const graph::OpTraits& op);

/// Gives two runs of one step the same random numbers: those drawn in the first run, in the dtype of the second. The
/// results then differ only by what formats lose. After each draw the generator continues as in the first run. Must be
/// the innermost hook. Not thread-safe.
class SameDraws : public graph::SiteHook {
 public:
  explicit SameDraws(const at::Device& device) : device_(device) {}

  void before(graph::Call& call) override;

  /// Sets the index of the next micro-batch.
  void begin(int batch) { batch_ = batch; }
  /// From the next call on, the recorded numbers are returned.
  void repeat() { repeats_ = true; }

 private:
  using Key = std::tuple<int, int, int>;  // micro-batch, site, execution
  struct Drawn {
    at::Tensor numbers;
    RandomState after;
  };

  const at::Device device_;
  std::map<Key, Drawn> drawn_;
  int batch_ = 0;
  bool repeats_ = false;
  graph::Operation operation_;
};

}  // namespace binade::train
