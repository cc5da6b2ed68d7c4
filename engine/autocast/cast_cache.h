// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/precision.h"
#include "engine/policy/policy.h"

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <functional>
#include <memory>

namespace binade::autocast {

/// Casts of trainable float32 leaves, kept while a scope is open, so that a weight used twice is cast once and has one
/// gradient path. Kept under PyTorch's conditions (`cached_cast` of ATen/autocast_mode.h): anything else may change, or
/// would hold memory for one use. Whether casts may be kept at all is LibTorch's flag of this thread
/// (set_autocast_cache_enabled).
///
/// Under `pytorch-2.11` the rule is PyTorch's own with its defects: one cache for the whole process, only casts to the
/// low dtype, looked up by the tensor alone, so that a copy of another dtype or an old copy may be served.
/// Under `fixed` each thread has its own, and the precision and the tensor's version must agree.
class CastCache {
 public:
  /// The cache of a behaviour, as this thread sees it.
  static CastCache& of(policy::Behaviour behaviour);

  virtual ~CastCache() = default;
  CastCache() = default;
  CastCache(const CastCache&) = delete;
  CastCache& operator=(const CastCache&) = delete;

  struct Found {
    at::Tensor copy;
    bool served = false;  ///< the copy was there already
  };
  using Make = at::Tensor (*)(const at::Tensor& tensor, const Precision& to);

  /// `tensor` in `to`, made by `make` unless it is kept. `low` is the policy's low dtype.
  virtual Found cast(const at::Tensor& tensor, const Precision& to, at::ScalarType low, Make make) = 0;
  virtual void clear() = 0;
  virtual std::size_t size() const = 0;
};

/// Scopes of this thread, on LibTorch's own count, so that its regions and ours nest: whoever leaves the last one
/// clears the caches, the process-wide one of `pytorch-2.11` too, as LibTorch does. Whoever enters the first ends what
/// this thread's last backward left open, where it failed: see end_tf32(). Each enter_scope() needs its leave_scope()
/// on the same thread.
void enter_scope();
void leave_scope();

/// Forgets every kept cast: this thread's, and the process-wide ones of `pytorch-2.11`.
void clear_kept_casts();

}  // namespace binade::autocast
