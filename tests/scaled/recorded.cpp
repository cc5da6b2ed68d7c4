// SPDX-License-Identifier: Apache-2.0
#include "tests/scaled/recorded.h"

#include "tests/formats/by_definition.h"
#include "tests/support/places.h"

#include <QFile>

#include <bit>
#include <cstring>
#include <stdexcept>

namespace binade::test {

QList<QList<QByteArray>> recordedRows(const char* file) {
  QFile in(QStringLiteral(BINADE_TEST_DATA "/scaled/") + QString::fromLatin1(file));
  if (!in.open(QIODevice::ReadOnly)) throw std::runtime_error(in.fileName().toStdString());
  QList<QList<QByteArray>> rows;
  in.readLine();
  while (!in.atEnd()) rows += in.readLine().trimmed().split(',');
  return rows;
}

std::vector<float> floatsOf(const QByteArray& hex) {
  const QByteArray bytes = QByteArray::fromHex(hex);
  std::vector<float> values(static_cast<std::size_t>(bytes.size()) / sizeof(float));
  std::memcpy(values.data(), bytes.constData(), values.size() * sizeof(float));
  return values;
}

std::vector<float> randomValues(std::uint64_t seed, std::size_t rows, std::size_t columns, std::uint32_t spread) {
  Patterns patterns(seed);
  std::vector<float> values;
  values.reserve(rows * columns);
  for (std::size_t r = 0; r < rows; ++r) {
    const std::uint32_t row = patterns.next();
    const std::uint32_t base = 127 - spread + row % (2 * spread + 1);
    const bool coarse = ((row >> 16) & 3u) == 0;
    for (std::size_t c = 0; c < columns; ++c) {
      const std::uint32_t word = patterns.next();
      const std::uint32_t exponent = base - ((word >> 23) & 15u) * ((word >> 27) & 3u) / 3u;
      const std::uint32_t mantissa = word & (coarse ? 0x780000u : 0x7fffffu);
      const std::uint32_t sign = word & 0x80000000u;
      const bool zero = (word >> 9) % 64 == 0;
      values.push_back(std::bit_cast<float>(zero ? sign : sign | (exponent << 23) | mantissa));
    }
  }
  return values;
}

Quantized quantized(const scaled::ScaledFormat& format, const std::vector<float>& values, std::int64_t rows,
                    const scaled::RandomBits& random) {
  const std::int64_t columns = static_cast<std::int64_t>(values.size()) / rows;
  Quantized result{std::vector<float>(values.size()), scaled::Codes(format, rows, columns), {}};
  const scaled::InputView from{.data = values.data(), .rows = rows, .columns = columns, .row_stride = columns};
  const scaled::OutputView to{.data = result.values.data(), .row_stride = columns};
  scaled::Quantizer(format, random).whole(from, to, {&result.codes, &result.stats});
  return result;
}

scaled::ScaledFormat formatOf(const char* name) {
  const std::optional<scaled::ScaledFormat> format = scaled::parse(name);
  if (!format) qFatal("%s", scaled::why_not(name).c_str());
  return *format;
}

void ShortHash::add(const float* values, std::size_t count) {
  hash_.add({reinterpret_cast<const std::uint8_t*>(values), count * sizeof(float)});
}

}  // namespace binade::test
