// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/precision.h"
#include "engine/policy/policy.h"

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <functional>
#include <memory>

namespace binade::autocast {

/// Caches casts of trainable float32 leaves while a scope is open, so that a weight used twice is cast once and has one
/// gradient path. The conditions are PyTorch's (`cached_cast` of ATen/autocast_mode.h): other tensors may change, or
/// would occupy memory for a single use. LibTorch's flag of this thread (set_autocast_cache_enabled) switches caching
/// off.
///
/// Under `pytorch-2.11` the cache has PyTorch's rules and defects: one for the whole process, only casts to the low
/// dtype, found by the tensor alone, so that a copy of another dtype or an outdated copy may be returned. Under `fixed`
/// each thread has its own cache, and precision, version and data pointer must match.
class CastCache {
 public:
  /// The cache of a behaviour, for this thread.
  static CastCache& of(policy::Behaviour behaviour);

  virtual ~CastCache() = default;
  CastCache() = default;
  CastCache(const CastCache&) = delete;
  CastCache& operator=(const CastCache&) = delete;

  struct Found {
    at::Tensor copy;
    bool served = false;  ///< the copy was in the cache
  };
  using Make = at::Tensor (*)(const at::Tensor& tensor, const Precision& to);

  /// Returns `tensor` cast to `to`, from the cache or made by `make`. `low` is the policy's low dtype.
  virtual Found cast(const at::Tensor& tensor, const Precision& to, at::ScalarType low, Make make) = 0;
  virtual void clear() = 0;
  virtual std::size_t size() const = 0;
};

/// Scopes of this thread, counted by LibTorch's own counter, so that LibTorch's regions and these nest. Leaving the
/// last one clears the caches, including the process-wide one of `pytorch-2.11`, as LibTorch does. Entering the first
/// one ends what a failed backward of this thread left open; see end_tf32(). Each enter_scope() needs a leave_scope()
/// on the same thread.
void enter_scope();
void leave_scope();

/// Clears this thread's cache and the process-wide one of `pytorch-2.11`.
void clear_kept_casts();

}  // namespace binade::autocast
