// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace binade::interchange {

/// Encodes one protobuf message (wire format of proto3), field by field in the order of the calls. A field that is not
/// written is absent.
class ProtoMessage {
 public:
  ProtoMessage& integer(int field, std::int64_t value);   ///< int32, int64, enum
  ProtoMessage& number(int field, double value);          ///< double
  ProtoMessage& single(int field, float value);           ///< float
  ProtoMessage& text(int field, std::string_view value);  ///< string, bytes
  ProtoMessage& message(int field, const ProtoMessage& value);
  ProtoMessage& numbers(int field, std::span<const double> values);  ///< packed repeated double

  const std::string& bytes() const { return bytes_; }

 private:
  void key(int field, unsigned wire_type);
  void varint(std::uint64_t value);

  std::string bytes_;
};

/// Appends an unsigned integer, least significant byte first.
void append_fixed(std::string& bytes, std::uint32_t value);
void append_fixed(std::string& bytes, std::uint64_t value);

}  // namespace binade::interchange
