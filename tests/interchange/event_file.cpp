// SPDX-License-Identifier: Apache-2.0
#include "tests/interchange/event_file.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace binade::test {

namespace {

[[noreturn]] void invalid(const std::string& what) {
  throw std::runtime_error(what);
}

class Bytes {
 public:
  explicit Bytes(std::string_view rest) : rest_(rest) {}

  bool atEnd() const { return rest_.empty(); }

  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) invalid("the data ends early");
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  /// Little-endian.
  std::uint64_t fixed(int size) {
    std::uint64_t value = 0;
    const std::string_view bytes = take(static_cast<std::uint64_t>(size));
    for (int i = size - 1; i >= 0; --i)
      value = value * 256 + static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
    return value;
  }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      const std::uint64_t byte = fixed(1);
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    invalid("a varint of more than ten bytes");
  }

 private:
  std::string_view rest_;
};

double doubleOf(std::uint64_t bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

float floatOf(std::uint64_t bits) {
  const auto low = static_cast<std::uint32_t>(bits);
  float value = 0;
  std::memcpy(&value, &low, sizeof value);
  return value;
}

std::vector<double> packedDoubles(const std::string& bytes) {
  std::vector<double> all;
  Bytes rest(bytes);
  while (!rest.atEnd()) all.push_back(doubleOf(rest.fixed(8)));
  return all;
}

ReadHistogram histogramIn(const std::string& message) {
  ReadHistogram histogram;
  for (const ProtoField& field : protoFields(message)) {
    if (field.number == 1)
      histogram.smallest = doubleOf(field.bits);
    else if (field.number == 2)
      histogram.largest = doubleOf(field.bits);
    else if (field.number == 3)
      histogram.values = doubleOf(field.bits);
    else if (field.number == 6)
      histogram.limits = packedDoubles(field.bytes);
    else if (field.number == 7)
      histogram.counts = packedDoubles(field.bytes);
    else
      invalid("field " + std::to_string(field.number) + " of a histogram");
  }
  return histogram;
}

/// The text of a TensorProto of one string.
std::string textIn(const std::string& message) {
  std::string text;
  bool is_string = false;
  for (const ProtoField& field : protoFields(message)) {
    if (field.number == 1) is_string = field.bits == 7;  // DT_STRING
    if (field.number == 8) text = field.bytes;
  }
  if (!is_string) invalid("a tensor that is no text");
  return text;
}

std::string pluginIn(const std::string& metadata) {
  for (const ProtoField& field : protoFields(metadata)) {
    if (field.number != 1) continue;
    for (const ProtoField& inner : protoFields(field.bytes))
      if (inner.number == 1) return inner.bytes;
  }
  return {};
}

ReadValue valueIn(const std::string& message) {
  ReadValue value;
  for (const ProtoField& field : protoFields(message)) {
    if (field.number == 1) {
      value.tag = field.bytes;
    } else if (field.number == 2) {
      value.scalar = floatOf(field.bits);
    } else if (field.number == 5) {
      value.kind = ReadValue::Kind::kHistogram;
      value.histogram = histogramIn(field.bytes);
    } else if (field.number == 8) {
      value.kind = ReadValue::Kind::kText;
      value.text = textIn(field.bytes);
    } else if (field.number == 9) {
      value.plugin = pluginIn(field.bytes);
    } else {
      invalid("field " + std::to_string(field.number) + " of a value");
    }
  }
  return value;
}

ReadEvent eventIn(std::string_view message) {
  ReadEvent event;
  for (const ProtoField& field : protoFields(message)) {
    if (field.number == 1) {
      event.timed = true;
      event.wall = doubleOf(field.bits);
    } else if (field.number == 2) {
      event.step = static_cast<std::int64_t>(field.bits);
    } else if (field.number == 3) {
      event.version = field.bytes;
    } else if (field.number == 5) {
      for (const ProtoField& value : protoFields(field.bytes)) event.values.push_back(valueIn(value.bytes));
    } else if (field.number == 7) {
      for (const ProtoField& inner : protoFields(field.bytes)) event.restarts = inner.number == 1 && inner.bits == 1;
    } else {
      invalid("field " + std::to_string(field.number) + " of an event");
    }
  }
  return event;
}

std::uint32_t unmasked(std::uint64_t masked) {
  const auto rotated = static_cast<std::uint32_t>(masked - 0xa282ead8u);
  return (rotated << 15) | (rotated >> 17);
}

}  // namespace

std::vector<ProtoField> protoFields(std::string_view message) {
  std::vector<ProtoField> fields;
  Bytes rest(message);
  while (!rest.atEnd()) {
    const std::uint64_t key = rest.varint();
    ProtoField field{.number = static_cast<int>(key >> 3), .type = static_cast<unsigned>(key & 7)};
    if (field.type == 0)
      field.bits = rest.varint();
    else if (field.type == 1)
      field.bits = rest.fixed(8);
    else if (field.type == 2)
      field.bytes = rest.take(rest.varint());
    else if (field.type == 5)
      field.bits = rest.fixed(4);
    else
      invalid("wire type " + std::to_string(field.type));
    if (field.number == 0) invalid("field 0");
    fields.push_back(field);
  }
  return fields;
}

std::uint32_t bitwiseCrc32c(std::string_view bytes) {
  std::uint32_t remainder = 0xffffffffu;
  for (const char each : bytes) {
    remainder ^= static_cast<unsigned char>(each);
    for (int bit = 0; bit < 8; ++bit) remainder = (remainder & 1) ? (remainder >> 1) ^ 0x82f63b78u : remainder >> 1;
  }
  return remainder ^ 0xffffffffu;
}

std::vector<ReadEvent> readEvents(const std::string& bytes) {
  std::vector<ReadEvent> events;
  Bytes rest(bytes);
  while (!rest.atEnd()) {
    const std::string_view length = rest.take(8);
    if (unmasked(rest.fixed(4)) != bitwiseCrc32c(length)) invalid("the checksum of a length");
    const std::string_view data = rest.take(Bytes(length).fixed(8));
    if (unmasked(rest.fixed(4)) != bitwiseCrc32c(data)) invalid("the checksum of an event");
    events.push_back(eventIn(data));
  }
  return events;
}

std::string readBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) invalid("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace binade::test
