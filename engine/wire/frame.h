// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/envelope.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace binade::wire {

/// Limits of one message. The decoder enforces them before it allocates, so that no peer can exhaust memory or stack.
inline constexpr std::size_t kLargestFrame = 64u << 20;  ///< bytes of CBOR
inline constexpr std::size_t kMostValues = 4u << 20;     ///< values in one message, keys included
inline constexpr std::size_t kDeepestNesting = 32;

/// Bytes of one message on the wire: the length (4 bytes, little-endian), then CBOR. Throws Error{kInternal} if the
/// message is larger than kLargestFrame.
std::string frame(const Message& message);

/// Decodes messages from a stream of bytes that is fed in chunks of any size. Not thread-safe. Buffers at most one
/// message and the last chunk.
class FrameReader {
 public:
  /// Appends received bytes; ignored once lost() is true.
  void feed(std::string_view bytes);

  /// The next complete message; empty until more bytes are fed. Throws Error{kUsage} for a malformed message, after
  /// which the next call continues behind it. A length beyond kLargestFrame makes the position in the stream unknown:
  /// `lost()` becomes true and every further call throws.
  std::optional<Message> next();

  bool lost() const { return lost_; }
  /// Bytes of an incomplete message; above 0 at the end of a stream means that the stream was cut.
  std::size_t pending() const { return buffer_.size() - begin_; }

 private:
  std::string buffer_;
  std::size_t begin_ = 0;
  bool lost_ = false;
};

}  // namespace binade::wire
