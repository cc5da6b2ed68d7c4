// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/observe.

#include "engine/observe/observer_step.h"

#include <torch/csrc/autograd/edge.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace binade::observe {

/// Observes gradients that leave a native call's backward for its arguments, where nothing else shows them. If several
/// op calls share an argument, only the sum of their gradients arrives at its producer. The backward of a cast or a
/// view is not observed otherwise. A gradient that the only user of a result sends, or that passes through a call
/// unchanged, is observed elsewhere and skipped here.
class Observer::Leaving {
 public:
  explicit Leaving(std::shared_ptr<Step> step) : step_(std::move(step)) {}

  /// Call before an op runs, with its final arguments. Must be called for every op, since all uses of a tensor count;
  /// `looked_at`: whether to observe this op's leaving gradients.
  void before(const graph::Call& call, bool looked_at);
  /// Call after the op has run.
  void after(const graph::Call& call);

 private:
  class Hook;
  struct Argument {
    std::size_t number;  ///< index in the op's schema
    const torch::autograd::Node* node;
    std::uint32_t input;  ///< input of the node that receives the gradient
    const int* uses;      ///< Step::uses of that edge; complete once backward has started
    bool arrives;         ///< the gradient of the only use is observed where it arrives
  };
  bool arrives_at_its_maker(const torch::autograd::Edge& edge) const;
  void hook(torch::autograd::Node& node, bool is_last, const graph::Site& site);

  std::shared_ptr<Step> step_;
  std::vector<Argument> arguments_;  ///< of the current call; sites do not nest
  std::uint64_t first_node_ = 0;     ///< of the current call
};

}  // namespace binade::observe
