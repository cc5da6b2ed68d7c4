// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/values/spill_file.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace binade::views {

/// An append-only list in bounded memory: all but the newest values are stored in the SpillFile and read back unchanged
/// when accessed. Elements are returned by value. If spilling fails, all stays in memory. Move-only. Not thread-safe.
template <class T>
class LongList {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 4096);

 public:
  /// Number of values written together.
  static constexpr std::size_t kChunk = SpillFile::kSlot / sizeof(T);

  class Iterator {
   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T*;
    using reference = T;

    Iterator() = default;
    Iterator(const LongList* list, std::size_t index) : list_(list), index_(index) {}
    T operator*() const { return (*list_)[index_]; }
    Iterator& operator++() { return *this += 1; }
    Iterator& operator--() { return *this += -1; }
    Iterator operator++(int) { return std::exchange(*this, *this + 1); }
    Iterator& operator+=(difference_type by) {
      index_ = static_cast<std::size_t>(static_cast<difference_type>(index_) + by);
      return *this;
    }
    Iterator operator+(difference_type by) const { return Iterator(*this) += by; }
    difference_type operator-(const Iterator& other) const {
      return static_cast<difference_type>(index_) - static_cast<difference_type>(other.index_);
    }
    bool operator==(const Iterator& other) const { return index_ == other.index_; }

   private:
    const LongList* list_ = nullptr;
    std::size_t index_ = 0;
  };

  LongList() = default;
  ~LongList() { clear(); }
  LongList(LongList&& other) noexcept { swap(other); }
  LongList& operator=(LongList&& other) noexcept {
    clear();
    swap(other);
    return *this;
  }

  std::size_t size() const { return slots_.size() * kChunk + recent_.size(); }
  bool empty() const { return size() == 0; }
  T operator[](std::size_t index) const {
    const std::size_t spilled = slots_.size() * kChunk;
    return index >= spilled ? recent_[index - spilled] : spilledAt(index);
  }
  T front() const { return (*this)[0]; }
  T back() const { return recent_.empty() ? spilledAt(size() - 1) : recent_.back(); }
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size()}; }

  void push_back(const T& value) {
    recent_.push_back(value);
    if (recent_.size() >= 2 * kChunk && !full_) spill();
  }

  /// Keeps the first `size` values.
  void truncate(std::size_t size) {
    while (size < slots_.size() * kChunk) {
      // Reads the last chunk back from the file.
      std::vector<T> chunk(kChunk);
      SpillFile::shared().get(slots_.back(), 0, chunk.data(), kChunk * sizeof(T));
      SpillFile::shared().release(slots_.back());
      slots_.pop_back();
      recent_ = std::move(chunk);
    }
    recent_.resize(std::min(recent_.size(), size - slots_.size() * kChunk));
    forget();
  }

  void clear() {
    for (const std::int64_t slot : slots_) SpillFile::shared().release(slot);
    slots_.clear();
    recent_ = {};
    full_ = false;
    forget();
  }

  /// Bytes of memory held; tests check that they are bounded.
  std::size_t bytes() const { return recent_.capacity() * sizeof(T) + slots_.capacity() * sizeof(slots_.front()); }

 private:
  /// Number of values read together. The two newest blocks stay in memory, so loops that compare two places read each
  /// block once.
  static constexpr std::size_t kBlock = 4096 / sizeof(T);
  struct Block {
    std::size_t first = 0;  ///< index of its first value
    std::vector<T> values;
  };

  void spill() {
    std::array<char, SpillFile::kSlot> bytes{};
    std::memcpy(bytes.data(), recent_.data(), kChunk * sizeof(T));
    const std::int64_t slot = SpillFile::shared().put(bytes.data());
    if (slot < 0) {
      full_ = true;  // further values stay in memory
      return;
    }
    slots_.push_back(slot);
    recent_.erase(recent_.begin(), recent_.begin() + static_cast<std::ptrdiff_t>(kChunk));
  }

  T spilledAt(std::size_t index) const {
    for (const Block& block : blocks_) {
      if (index >= block.first && index - block.first < block.values.size()) return block.values[index - block.first];
    }
    const std::size_t within = index % kChunk / kBlock * kBlock;
    Block& block = blocks_[next_block_++ % blocks_.size()];
    block.first = index / kChunk * kChunk + within;
    block.values.resize(std::min(kBlock, kChunk - within));
    if (!SpillFile::shared().get(slots_[index / kChunk], within * sizeof(T), block.values.data(),
                                 block.values.size() * sizeof(T))) {
      std::fill(block.values.begin(), block.values.end(), T{});  // the disk failed
    }
    return block.values[index - block.first];
  }

  void forget() {
    for (Block& block : blocks_) block = {};
  }

  void swap(LongList& other) noexcept {
    std::swap(slots_, other.slots_);
    std::swap(recent_, other.recent_);
    std::swap(full_, other.full_);
    std::swap(blocks_, other.blocks_);
  }

  std::vector<std::int64_t> slots_;  ///< full chunks in the file, oldest first
  std::vector<T> recent_;            ///< the values after them
  bool full_ = false;
  mutable std::array<Block, 2> blocks_;
  mutable std::size_t next_block_ = 0;
};

}  // namespace binade::views
