// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/csrc/autograd/edge.h>
#include <torch/csrc/autograd/function.h>

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace binade::observe {

/// Associates a value with each edge of one step's autograd graphs. With gradient accumulation graphs are destroyed
/// within a step, and a new node may reuse an address. Therefore a value expires with its node.
template <class T>
class AutogradEdgeMap {
 public:
  /// Returns the value of an edge; T{} if it has none yet. The reference is valid until clear().
  T& of(const torch::autograd::Edge& edge) {
    Note& note = notes_[{edge.function.get(), edge.input_nr}];
    if (note.node.expired()) note = {edge.function, T{}};
    return note.value;
  }
  /// Returns the value of an edge, or null.
  const T* find(const torch::autograd::Edge& edge) const {
    const auto found = notes_.find({edge.function.get(), edge.input_nr});
    return found == notes_.end() || found->second.node.expired() ? nullptr : &found->second.value;
  }
  void clear() { notes_.clear(); }

 private:
  struct Note {
    std::weak_ptr<torch::autograd::Node> node;
    T value{};
  };
  std::map<std::pair<const torch::autograd::Node*, std::uint32_t>, Note> notes_;
};

}  // namespace binade::observe
