// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"
#include "engine/train/random_state.h"

#include <ATen/core/Tensor.h>

#include <map>
#include <tuple>

namespace binade::train {

/// Whether an op gives random numbers alone (randn_like, normal_). From one state of the generator it draws other ones
/// in another dtype. What dropout keeps is the same in every dtype: it is none of these.
bool draws_numbers(const graph::OpTraits& op);

/// Gives two runs of one step the same random numbers: those that the first one drew, in the dtype of the second, whose
/// results differ by what formats lose then and by nothing else. The generator goes on behind each draw as it did in
/// the first run. The innermost hook. One thread.
class SameDraws : public graph::SiteHook {
 public:
  explicit SameDraws(const at::Device& device) : device_(device) {}

  void before(graph::Call& call) override;

  /// The micro-batch that runs next.
  void begin(int batch) { batch_ = batch; }
  /// From the next call on, what was drawn is given again.
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
