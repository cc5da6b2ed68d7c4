// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/precision.h"

#include <ATen/core/stack.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace binade::autocast {

/// Whether ops of this precision multiply in TF32 in hardware: tfloat32, executed natively.
bool runs_in_tf32(const Precision& precision);

/// While it exists, float32 matrix multiplications and convolutions on CUDA run in TF32. LibTorch's switches are
/// process-wide, so other threads are affected too. The last scope restores them; scopes nest.
///
/// A scope belongs to its owner: the thread that runs the forward, even if its backward runs on another thread.
class Tf32Scope {
 public:
  struct Owner;
  /// The owner of the current thread.
  static std::shared_ptr<Owner> owner();

  explicit Tf32Scope(std::shared_ptr<Owner> owner = Tf32Scope::owner());
  ~Tf32Scope();
  Tf32Scope(const Tf32Scope&) = delete;
  Tf32Scope& operator=(const Tf32Scope&) = delete;

 private:
  std::shared_ptr<Owner> owner_;
  std::uint64_t generation_;
};

/// Sequence number of this thread's next autograd node. Query it before a call whose backward is to be marked.
std::uint64_t next_node();

/// Makes a call's autograd nodes run in TF32, each in a scope of its own: the nodes numbered from `first_node` that are
/// reachable from its results (the last `outputs` values of `stack`).
void mark_backward_tf32(const torch::jit::Stack& stack, std::size_t outputs, std::uint64_t first_node);

/// Ends this thread's scopes that a backward left open by an exception inside a marked node, where LibTorch calls no
/// hook. Scopes of other threads stay.
void end_tf32();

}  // namespace binade::autocast
