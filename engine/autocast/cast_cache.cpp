// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/cast_cache.h"

#include "engine/autocast/tf32.h"

#include <ATen/CachedTensorUtils.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace binade::autocast {

namespace {

/// Condition of both behaviours for keeping a tensor's copy.
bool may_be_kept(const at::Tensor& tensor) {
  return at::autocast::is_autocast_cache_enabled() && tensor.scalar_type() == at::kFloat && tensor.requires_grad() &&
         tensor.is_leaf() && !tensor.is_view() && !at::caching::is_cached_tensor(tensor) &&
         !c10::InferenceMode::is_enabled();
}

/// Made with gradients even under no_grad, because a later use in grad mode needs a copy with history (pytorch#158232).
at::Tensor make_with_history(const at::Tensor& tensor, const Precision& to, CastCache::Make make) {
  const at::AutoGradMode with_gradients(true);
  return make(tensor, to);
}

/// Address of a tensor's values; `tensor.data = ...` in Python changes neither the tensor nor its version.
const void* data_of(const at::Tensor& tensor) {
  return tensor.has_storage() ? tensor.storage().data() : nullptr;
}

/// Whether two precisions give the same copy, however it is used afterwards.
bool same_copy(Precision a, const Precision& b) {
  a.wide = b.wide;
  return a == b;
}

class PyTorchCache final : public CastCache {
 public:
  Found cast(const at::Tensor& tensor, const Precision& to, at::ScalarType low, Make make) override {
    if (to.dtype != low || !may_be_kept(tensor)) return {make(tensor, to)};
    const std::lock_guard lock(mutex_);
    c10::TensorImpl* const key = tensor.unsafeGetTensorImpl();
    if (const auto kept = kept_.find(key); kept != kept_.end()) return {kept->second.second, true};
    at::Tensor copy = make_with_history(tensor, to, make);
    kept_.emplace(key, std::make_pair(Weak(tensor.getIntrusivePtr()), copy));
    return {std::move(copy)};
  }
  void clear() override {
    const std::lock_guard lock(mutex_);
    kept_.clear();
  }
  std::size_t size() const override {
    const std::lock_guard lock(mutex_);
    return kept_.size();
  }

 private:
  using Weak = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
  mutable std::mutex mutex_;
  /// The weak pointer keeps the address from being reused.
  std::unordered_map<c10::TensorImpl*, std::pair<Weak, at::Tensor>> kept_;
};

class FixedCache final : public CastCache {
 public:
  Found cast(const at::Tensor& tensor, const Precision& to, at::ScalarType /*low*/, Make make) override {
    if (!may_be_kept(tensor)) return {make(tensor, to)};
    std::vector<Entry>& entries = kept_[tensor.unsafeGetTensorImpl()];
    const std::int64_t version = tensor._version();
    const void* const data = data_of(tensor);
    const auto known =
        std::find_if(entries.begin(), entries.end(), [&to](const Entry& entry) { return same_copy(entry.to, to); });
    if (known != entries.end() && known->version == version && known->data == data) return {known->copy, true};
    at::Tensor copy = make_with_history(tensor, to, make);
    if (known != entries.end()) {
      *known = {tensor, copy, to, version, data};  // the old copy is outdated
    } else {
      entries.push_back({tensor, copy, to, version, data});
    }
    return {std::move(copy)};
  }
  void clear() override { kept_.clear(); }
  std::size_t size() const override {
    std::size_t copies = 0;
    for (const auto& [impl, entries] : kept_) copies += entries.size();
    return copies;
  }

 private:
  struct Entry {
    at::Tensor original;  ///< keeps the address from being reused
    at::Tensor copy;
    Precision to;
    std::int64_t version;
    const void* data;
  };
  std::unordered_map<c10::TensorImpl*, std::vector<Entry>> kept_;
};

PyTorchCache& pytorch_cache() {
  static PyTorchCache cache;
  return cache;
}

FixedCache& fixed_cache() {
  thread_local FixedCache cache;
  return cache;
}

}  // namespace

CastCache& CastCache::of(policy::Behaviour behaviour) {
  if (behaviour == policy::Behaviour::kPyTorch211) return pytorch_cache();
  return fixed_cache();
}

void enter_scope() {
  if (at::autocast::increment_nesting() != 1) return;
  // A region of LibTorch may have left copies here. The process-wide cache is not cleared, as another thread may use
  // it.
  fixed_cache().clear();
  end_tf32();  // a failed backward may have left it on
}

void leave_scope() {
  if (at::autocast::decrement_nesting() != 0) return;
  at::autocast::clear_cache();
  clear_kept_casts();
}

void clear_kept_casts() {
  pytorch_cache().clear();
  fixed_cache().clear();
}

}  // namespace binade::autocast
