// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/cbor_check.h"

#include "engine/formats/error.h"
#include "engine/wire/frame.h"

#include <array>
#include <cstdint>

namespace binade::wire {

namespace {

enum Major : unsigned { kNatural, kNegative, kBytes, kText, kArray, kMap, kTag, kSimple };

class Walk {
 public:
  explicit Walk(std::string_view bytes) : bytes_(bytes) {}

  void run() {
    levels_[depth_++] = {1, false};
    while (depth_ > 0) {
      Level& level = levels_[depth_ - 1];
      if (level.left == 0) {
        --depth_;
        continue;
      }
      --level.left;
      value(level.map && level.left % 2 == 1);
    }
    if (at_ != bytes_.size()) fail("has bytes after its end");
  }

 private:
  struct Level {
    std::uint64_t left;  ///< values still expected; in a map, keys and values
    bool map;
  };

  [[noreturn]] void fail(const char* what) const {
    throw Error(ErrorCode::kUsage, "A message " + std::string(what) + " (byte " + std::to_string(at_) + ")");
  }

  void open(std::uint64_t count, bool map) {
    if (depth_ == levels_.size()) fail("is nested too deeply");
    // Each value takes at least one byte; this check also keeps 2 * pairs from overflowing.
    if (count > bytes_.size() - at_) fail("announces more values than it has bytes");
    levels_[depth_++] = {map ? 2 * count : count, map};
  }

  std::uint64_t argument(unsigned info) {
    if (info < 24) return info;
    if (info > 27) fail("has a length of an unsupported kind");
    const unsigned size = 1u << (info - 24);
    if (size > bytes_.size() - at_) fail("is truncated");
    std::uint64_t result = 0;
    for (unsigned i = 0; i < size; ++i) result = result << 8 | static_cast<unsigned char>(bytes_[at_++]);
    return result;
  }

  void value(bool key) {
    if (++values_ > kMostValues) fail("has too many values");
    if (at_ == bytes_.size()) fail("is truncated");
    const auto first = static_cast<unsigned char>(bytes_[at_++]);
    const unsigned major = first >> 5, info = first & 31;
    if (key && major != kText) fail("has a key that is not a string");
    if (major == kSimple) {
      if (info < 20 || info > 27 || info == 23 || info == 24) fail("has a value of an unsupported kind");
      if (info > 24) argument(info);
      return;
    }
    if (major == kTag) fail("has a tag");
    const std::uint64_t count = argument(info);
    if (major == kBytes || major == kText) {
      if (count > bytes_.size() - at_) fail("is truncated");
      at_ += count;
    } else if (major == kArray || major == kMap) {
      open(count, major == kMap);
    }
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::size_t values_ = 0;
  std::array<Level, kDeepestNesting> levels_{};
  std::size_t depth_ = 0;
};

}  // namespace

void check_cbor(std::string_view bytes) {
  Walk(bytes).run();
}

}  // namespace binade::wire
