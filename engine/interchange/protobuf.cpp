// SPDX-License-Identifier: Apache-2.0
#include "engine/interchange/protobuf.h"

#include <bit>

namespace binade::interchange {

namespace {

// Wire types of the encoding, as protobuf's documentation "Encoding" (proto3) lists them.
constexpr unsigned kVarint = 0;
constexpr unsigned kFixed64 = 1;
constexpr unsigned kWithLength = 2;
constexpr unsigned kFixed32 = 5;

template <class Unsigned>
void append_bytes(std::string& bytes, Unsigned value) {
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i) {
    bytes += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
  }
}

}  // namespace

void append_fixed(std::string& bytes, std::uint32_t value) {
  append_bytes(bytes, value);
}
void append_fixed(std::string& bytes, std::uint64_t value) {
  append_bytes(bytes, value);
}

ProtoMessage& ProtoMessage::integer(int field, std::int64_t value) {
  key(field, kVarint);
  varint(static_cast<std::uint64_t>(value));
  return *this;
}

ProtoMessage& ProtoMessage::number(int field, double value) {
  key(field, kFixed64);
  append_fixed(bytes_, std::bit_cast<std::uint64_t>(value));
  return *this;
}

ProtoMessage& ProtoMessage::single(int field, float value) {
  key(field, kFixed32);
  append_fixed(bytes_, std::bit_cast<std::uint32_t>(value));
  return *this;
}

ProtoMessage& ProtoMessage::text(int field, std::string_view value) {
  key(field, kWithLength);
  varint(value.size());
  bytes_ += value;
  return *this;
}

ProtoMessage& ProtoMessage::message(int field, const ProtoMessage& value) {
  return text(field, value.bytes());
}

ProtoMessage& ProtoMessage::numbers(int field, std::span<const double> values) {
  key(field, kWithLength);
  varint(values.size() * sizeof(double));
  for (const double each : values) append_fixed(bytes_, std::bit_cast<std::uint64_t>(each));
  return *this;
}

void ProtoMessage::key(int field, unsigned wire_type) {
  varint(static_cast<std::uint64_t>(field) << 3 | wire_type);
}

void ProtoMessage::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(static_cast<unsigned char>(value | 0x80));
  bytes_ += static_cast<char>(value);
}

}  // namespace binade::interchange
