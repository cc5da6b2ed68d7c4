// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Storage.h>

#include <vector>

namespace binade::autocast {

/// Memory for float32 tensors on the CPU that is used again. Large memory comes from the system page by page and goes
/// back when it is freed; this takes longer than to quantize into it. One thread at a time.
class ReusedMemory {
 public:
  /// A contiguous tensor with arbitrary values. Its memory is taken again when no tensor uses it any more.
  at::Tensor take(at::IntArrayRef sizes);

  /// Frees the memory that was not taken since the last call.
  void free_unused();

 private:
  struct Piece {
    c10::Storage storage;
    bool taken = true;  ///< since the last free_unused()
  };
  std::vector<Piece> pieces_;
};

}  // namespace binade::autocast
