// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/csrc/autograd/edge.h>
#include <torch/csrc/autograd/function.h>

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace binade::observe {

/// A note about each edge of the autograd graphs of one step. Graphs come and go within a step, where gradients are
/// accumulated, and a new node may have the address of one that is gone: a note ends with its node.
template <class T>
class EdgeNotes {
 public:
  /// The note about an edge; T{} where there is none yet. Stays in its place until clear().
  T& of(const torch::autograd::Edge& edge) {
    Note& note = notes_[{edge.function.get(), edge.input_nr}];
    if (note.node.expired()) note = {edge.function, T{}};
    return note.value;
  }
  /// The note about an edge, or null.
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
