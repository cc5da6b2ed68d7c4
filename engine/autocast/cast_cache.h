// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <unordered_map>

namespace binade::autocast {

/// Casts, keeping those of trainable float32 leaves for one forward, so that a weight used twice is cast once and has
/// one gradient path. Unlike PyTorch's own cache the key holds dtype and version too (pytorch#65766).
class CastCache {
 public:
  /// `tensor` in `dtype`: itself where it already is, the kept copy where there is one.
  at::Tensor cast(const at::Tensor& tensor, at::ScalarType dtype);
  void clear() { kept_.clear(); }
  std::size_t size() const { return kept_.size(); }

 private:
  struct Key {
    const void* impl;
    std::uint32_t version;
    at::ScalarType dtype;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  struct Entry {
    at::Tensor original;  ///< keeps the address from being reused
    at::Tensor copy;
  };
  std::unordered_map<Key, Entry, Hash> kept_;
};

}  // namespace binade::autocast
