// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/messages.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace binade::wire {

/// Limits of one message. The decoder holds to them before it allocates, so that no peer can exhaust memory or stack.
inline constexpr std::size_t kLargestFrame = 64u << 20;  ///< bytes of CBOR
inline constexpr std::size_t kMostValues = 4u << 20;     ///< values in one message, keys included
inline constexpr std::size_t kDeepestNesting = 32;

/// The bytes of one message on the wire: its length (4 bytes, little-endian), then CBOR.
/// Throws Error{kInternal} where the message is larger than kLargestFrame.
std::string frame(const Message& message);

/// Takes bytes as they arrive, in chunks of any size, and gives messages. Not thread-safe. Holds at most one
/// message's bytes and what was fed last.
class FrameReader {
 public:
  void feed(std::string_view bytes);

  /// The next whole message; nothing until more bytes are fed. Throws Error{kUsage} for a malformed one. A malformed
  /// message in a sound frame is skipped: the next call goes on behind it. After an impossible length the stream's
  /// place is lost: `lost()` is true and every further call throws.
  std::optional<Message> next();

  bool lost() const { return lost_; }
  /// Bytes of a message that has begun and not ended; not 0 at the end of a stream means that it was cut.
  std::size_t pending() const { return buffer_.size() - begin_; }

 private:
  std::string buffer_;
  std::size_t begin_ = 0;
  bool lost_ = false;
};

}  // namespace binade::wire
