// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/reused_memory.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <c10/util/accumulate.h>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace binade::autocast {

namespace {

/// Two pieces of one class differ by less than a factor of 2.
std::uint64_t size_class(std::int64_t count) {
  return std::bit_floor(static_cast<std::uint64_t>(count));
}

std::int64_t count_of(const c10::Storage& storage) {
  return static_cast<std::int64_t>(storage.nbytes() / sizeof(float));
}

}  // namespace

at::Tensor ReusedMemory::take(at::IntArrayRef sizes) {
  const at::NoGradGuard no_history;
  const std::int64_t count = c10::multiply_integers(sizes);
  const auto fits = [count](const Piece& each) {
    return each.storage.use_count() == 1 && size_class(count_of(each.storage)) == size_class(count);
  };
  auto piece = std::find_if(pieces_.begin(), pieces_.end(), fits);
  // A smaller one of the class is replaced, so that as many remain as are used at once.
  if (piece != pieces_.end() && count_of(piece->storage) < count) {
    pieces_.erase(piece);
    piece = pieces_.end();
  }
  if (piece == pieces_.end()) {
    piece = pieces_.insert(pieces_.end(), {.storage = at::empty({count}, at::kFloat).storage()});
  }
  piece->taken = true;
  return at::empty({0}, at::kFloat).set_(piece->storage, 0, sizes);
}

void ReusedMemory::free_unused() {
  std::erase_if(pieces_, [](const Piece& each) { return !each.taken; });
  for (Piece& each : pieces_) each.taken = false;
}

}  // namespace binade::autocast
