// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/frame.h"

#include "engine/formats/error.h"
#include "engine/wire/cbor_check.h"
#include "engine/wire/codec.h"

namespace binade::wire {

namespace {

constexpr std::size_t kHeader = 4;

std::size_t length_at(const std::string& bytes, std::size_t at) {
  std::size_t length = 0;
  for (std::size_t i = kHeader; i-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes[at + i]);
  return length;
}

}  // namespace

std::string frame(const Message& message) {
  std::string bytes(kHeader, '\0');
  nlohmann::json::to_cbor(encode_message(message), bytes);
  const std::size_t length = bytes.size() - kHeader;
  if (length > kLargestFrame) {
    throw Error(ErrorCode::kInternal,
                "A message of " + std::to_string(length) + " bytes is too large for the protocol");
  }
  for (std::size_t i = 0; i < kHeader; ++i) bytes[i] = static_cast<char>(length >> 8 * i);
  return bytes;
}

void FrameReader::feed(std::string_view bytes) {
  if (lost_) return;
  // Drops bytes already read, so that the buffer never exceeds one message and one chunk.
  if (begin_ > 0) {
    buffer_.erase(0, begin_);
    begin_ = 0;
  }
  buffer_.append(bytes);
}

std::optional<Message> FrameReader::next() {
  if (lost_) throw Error(ErrorCode::kUsage, "The message stream is out of step", "Restart the engine.");
  if (pending() < kHeader) return std::nullopt;
  const std::size_t length = length_at(buffer_, begin_);
  if (length > kLargestFrame) {
    lost_ = true;
    buffer_ = {};
    begin_ = 0;
    throw Error(
        ErrorCode::kUsage,
        "A message announces " + std::to_string(length) + " bytes; the maximum is " + std::to_string(kLargestFrame),
        "Another program writes to this pipe, or the two programs are incompatible.");
  }
  if (pending() < kHeader + length) return std::nullopt;
  const std::string_view body(buffer_.data() + begin_ + kHeader, length);
  begin_ += kHeader + length;
  check_cbor(body);
  try {
    return decode_message(nlohmann::json::from_cbor(body));
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorCode::kUsage, std::string("A message cannot be read: ") + error.what());
  }
}

}  // namespace binade::wire
