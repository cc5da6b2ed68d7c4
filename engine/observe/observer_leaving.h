// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/observe.

#include "engine/observe/observer_step.h"

#include <torch/csrc/autograd/edge.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace binade::observe {

/// Looks at gradients as they leave the backward of a native call for its arguments, where nothing else shows them:
/// where several op calls share an argument only the sum of what they send arrives at the one that made it, and nobody
/// watches the backward of a cast or a view. Not looked at twice: what the only use of a result sends is what arrives
/// there, and what passes through a call unchanged is what arrived at that call.
class Observer::Leaving {
 public:
  explicit Leaving(std::shared_ptr<Step> step) : step_(std::move(step)) {}

  /// An op is about to run, with the arguments that it gets. Told of all of them, since every use of a tensor counts;
  /// `looked_at`: those whose gradients for arguments are to be looked at.
  void before(const graph::Call& call, bool looked_at);
  /// It has run.
  void after(const graph::Call& call);

 private:
  class Hook;
  struct Argument {
    std::size_t number;  ///< in the op's schema
    const torch::autograd::Node* node;
    std::uint32_t input;  ///< of the node that the gradient goes to
    const int* uses;      ///< Step::uses of that edge: complete once backward has begun
    bool arrives;         ///< what the only use sends there is looked at where it arrives
  };
  bool arrives_at_its_maker(const torch::autograd::Edge& edge) const;
  void hook(torch::autograd::Node& node, bool is_last, const graph::Site& site);

  std::shared_ptr<Step> step_;
  std::vector<Argument> arguments_;  ///< of the present call; sites do not nest
  std::uint64_t first_node_ = 0;     ///< of the present call
};

}  // namespace binade::observe
