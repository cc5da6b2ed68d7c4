// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// A reader of TensorBoard's event files that shares no code with the writer. It throws std::runtime_error for anything
// that TFRecord or protobuf does not allow.

namespace binade::test {

/// A field of a message: its number, and its value as bytes (length-delimited), bits (fixed) or integer (varint).
struct ProtoField {
  int number = 0;
  unsigned type = 0;
  std::uint64_t bits = 0;
  std::string bytes{};
};
std::vector<ProtoField> protoFields(std::string_view message);

struct ReadHistogram {
  double smallest = 0, largest = 0, values = 0;
  std::vector<double> limits, counts;
};

struct ReadValue {
  std::string tag;
  enum class Kind { kScalar, kHistogram, kText } kind = Kind::kScalar;
  float scalar = 0;
  ReadHistogram histogram;
  std::string text;
  std::string plugin;
};

struct ReadEvent {
  bool timed = false;
  double wall = 0;
  std::int64_t step = 0;
  std::string version;
  bool restarts = false;
  std::vector<ReadValue> values;
};

/// CRC-32C bit by bit.
std::uint32_t bitwiseCrc32c(std::string_view bytes);

/// Returns the events of a file; both checksums of every record are checked.
std::vector<ReadEvent> readEvents(const std::string& bytes);

std::string readBytes(const std::string& path);

}  // namespace binade::test
