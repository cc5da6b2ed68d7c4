// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/sha256.h"
#include "engine/scaled/quantizer.h"

#include <QByteArray>
#include <QList>

#include <cstdint>
#include <vector>

namespace binade::test {

/// Rows of a CSV file of tests/data/scaled, without its header. Throws std::runtime_error if it cannot be read.
QList<QList<QByteArray>> recordedRows(const char* file);

/// float32 values of little-endian hexadecimal bytes.
std::vector<float> floatsOf(const QByteArray& hex);

/// Rows of random values, as `random_values` of make_scaled.py makes them.
std::vector<float> randomValues(std::uint64_t seed, std::size_t rows, std::size_t columns, std::uint32_t spread);

/// A matrix quantized whole, with everything that the quantizer records.
struct Quantized {
  std::vector<float> values;
  scaled::Codes codes;
  scaled::BlockStats stats;
};
Quantized quantized(const scaled::ScaledFormat& format, const std::vector<float>& values, std::int64_t rows,
                    const scaled::RandomBits& random = {});

/// The format of a name. Aborts the test on a name that is none.
scaled::ScaledFormat formatOf(const char* name);

/// The SHA-256 of arrays, one after the other, as the recorded files have it: its first 16 digits.
class ShortHash {
 public:
  void add(const std::uint8_t* bytes, std::size_t count) { hash_.add({bytes, count}); }
  void add(const float* values, std::size_t count);
  QByteArray finish() { return QByteArray::fromStdString(hash_.finish()).left(16); }

 private:
  formats::Sha256 hash_;
};

}  // namespace binade::test
