// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/precision.h"

#include <ATen/core/stack.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace binade::autocast {

/// Whether an op of this precision multiplies in TF32 on the hardware: tfloat32, executed natively.
bool runs_in_tf32(const Precision& precision);

/// While it lives, float32 matrix multiplies and convolutions on CUDA run in TF32. LibTorch's switches are for the
/// whole process, so other threads see them too. Put back at the end; scopes nest.
///
/// A scope is its owner's: the thread that runs the forward, also where its backward runs on another one.
class Tf32Scope {
 public:
  struct Owner;
  /// Of the present thread.
  static std::shared_ptr<Owner> owner();

  explicit Tf32Scope(std::shared_ptr<Owner> owner = Tf32Scope::owner());
  ~Tf32Scope();
  Tf32Scope(const Tf32Scope&) = delete;
  Tf32Scope& operator=(const Tf32Scope&) = delete;

 private:
  std::shared_ptr<Owner> owner_;
  std::uint64_t generation_;
};

/// The number that the next autograd node of this thread gets. Ask before a call whose backward is to be marked.
std::uint64_t next_node();

/// Makes the autograd nodes that a call made, those reached from its results (the last `outputs` values of `stack`)
/// and numbered from `first_node`, run in TF32, each for itself.
void mark_backward_tf32(const torch::jit::Stack& stack, std::size_t outputs, std::uint64_t first_node);

/// Ends this thread's scopes where a backward ended in an exception inside a marked node: LibTorch calls no hook then.
/// Those of other threads stay.
void end_tf32();

}  // namespace binade::autocast
