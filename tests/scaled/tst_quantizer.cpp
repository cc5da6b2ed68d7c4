// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/float16.h"
#include "tests/formats/by_definition.h"
#include "tests/scaled/recorded.h"
#include "tests/support/suite.h"

#include <bit>
#include <cmath>
#include <utility>

using namespace binade;
using scaled::InputView;
using scaled::OutputView;
using scaled::Quantizer;
using scaled::RandomBits;
using scaled::Storage;

// The quantizer on views of every kind.
class Quantizing : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void followsTheDefinition_data() { formatColumn(); }
  void followsTheDefinition();
  void columnsGiveWhatTheirTransposeGives_data() { formatColumn(); }
  void columnsGiveWhatTheirTransposeGives();
  void rowsMayBeDividedAnyhow_data() { formatColumn(); }
  void rowsMayBeDividedAnyhow();
  void inPlaceAndWithGaps_data() { formatColumn(); }
  void inPlaceAndWithGaps();
  void halvesAreReadAndWrittenAsFloats_data() { formatColumn(); }
  void halvesAreReadAndWrittenAsFloats();
  void everyFloat16IsRead();
  void detailChangesNothing_data() { formatColumn(); }
  void detailChangesNothing();
  void transformingFirstChangesNothing_data() { formatColumn(); }
  void transformingFirstChangesNothing();
  void matricesOfATensorHaveTheirOwnDraws();
  void emptyMatricesAreLeftAlone();
  void aSingleValue();

 private:
  static void formatColumn();
};

namespace {

constexpr std::int64_t kRows = 40;
constexpr std::int64_t kColumns = 72;  // no multiple of 16, 32, 128
const RandomBits kRandom(7, 3);

std::vector<float> matrix() {
  return test::randomValues(77, kRows, kColumns, 5);
}

InputView viewOf(const std::vector<float>& values) {
  return {.data = values.data(), .rows = kRows, .columns = kColumns, .row_stride = kColumns};
}

std::vector<float> whole(const scaled::ScaledFormat& format) {
  const std::vector<float> values = matrix();
  std::vector<float> result(values.size());
  Quantizer(format, kRandom, 5).whole(viewOf(values), {.data = result.data(), .row_stride = kColumns});
  return result;
}

std::vector<float> transposed(const std::vector<float>& values, std::int64_t rows, std::int64_t columns) {
  std::vector<float> result(values.size());
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < columns; ++c) {
      result[static_cast<std::size_t>(c * rows + r)] = values[static_cast<std::size_t>(r * columns + c)];
    }
  }
  return result;
}

/// The scale of the whole tensor, from its own values.
scaled::Scale scaleOf(const Quantizer& quantizer, const InputView& view) {
  if (!quantizer.format().needs_largest()) return {};
  return scaled::tensor_scale(quantizer.format(), quantizer.largest(view, {0, view.rows}));
}

}  // namespace

void Quantizing::formatColumn() {
  QTest::addColumn<QByteArray>("name");
  for (const scaled::NamedScaledFormat& each : scaled::named_formats()) {
    const QByteArray name(each.name.data(), static_cast<qsizetype>(each.name.size()));
    for (const char* options : {"", "+stochastic", "+hadamard", "+stochastic+hadamard"}) {
      QTest::newRow(name + options) << QByteArray(name + options);
    }
  }
}

void Quantizing::followsTheDefinition() {
  QFETCH(QByteArray, name);
  const scaled::ScaledFormat format = test::formatOf(name);
  std::vector<float> values = matrix();
  const std::vector<float> result = whole(format);
  const scaled::Scale tensor = scaleOf(Quantizer(format, kRandom, 5), viewOf(values));
  const auto at = [](std::int64_t r, std::int64_t c) { return static_cast<std::size_t>(r * kColumns + c); };
  if (format.transform) {
    const scaled::Hadamard hadamard(5);
    for (std::int64_t r = 0; r < kRows; ++r) hadamard.forward_rows(values.data() + at(r, 0), kColumns / 16);
  }
  const bool blocks = format.scaling == scaled::Scaling::kBlocks;
  const std::int64_t height = blocks ? format.block.rows : kRows;
  const std::int64_t width = blocks ? format.block.length : kColumns;
  for (std::int64_t row = 0; row < kRows; row += height) {
    for (std::int64_t column = 0; column < kColumns; column += width) {
      float largest = 0;
      for (std::int64_t r = row; r < std::min(row + height, kRows); ++r) {
        for (std::int64_t c = column; c < std::min(column + width, kColumns); ++c) {
          largest = std::max(largest, std::fabs(values[at(r, c)]));
        }
      }
      const scaled::Scale scale = blocks ? scaled::block_scale(format, largest, tensor) : tensor;
      for (std::int64_t r = row; r < std::min(row + height, kRows); ++r) {
        for (std::int64_t c = column; c < std::min(column + width, kColumns); ++c) {
          const float quotient = values[at(r, c)] * scale.multiply;
          const float element = format.rounding == scaled::Rounding::kNearest
                                    ? scaled::round(quotient, format.element)
                                    : scaled::round_stochastic(quotient, format.element,
                                                               kRandom.at(static_cast<std::uint32_t>(at(r, c))));
          QVERIFY(test::same(result[at(r, c)], element * scale.restore));
        }
      }
    }
  }
}

void Quantizing::columnsGiveWhatTheirTransposeGives() {
  QFETCH(QByteArray, name);
  const scaled::ScaledFormat format = test::formatOf(name);
  const std::vector<float> values = transposed(matrix(), kRows, kColumns);
  std::vector<float> result(values.size());
  const InputView view{
      .data = values.data(), .rows = kRows, .columns = kColumns, .row_stride = 1, .column_stride = kRows};
  const OutputView to{.data = result.data(), .row_stride = 1, .column_stride = kRows};
  scaled::Codes codes(format, kRows, kColumns);
  scaled::BlockStats stats;
  Quantizer(format, kRandom, 5).whole(view, to, {&codes, &stats});
  QCOMPARE(transposed(result, kColumns, kRows), whole(format));
  const test::Quantized rows = test::quantized(format, matrix(), kRows, kRandom);
  if (format.transform) return;  // its signs have another seed
  QCOMPARE(codes.elements, rows.codes.elements);
  QCOMPARE(codes.scale_codes, rows.codes.scale_codes);
  QCOMPARE(codes.scales, rows.codes.scales);
  QCOMPARE(stats.to_zero, rows.stats.to_zero);
  QCOMPARE(stats.saturated, rows.stats.saturated);
  QCOMPARE(stats.outlier_blocks, rows.stats.outlier_blocks);
  QCOMPARE(stats.scales, rows.stats.scales);
}

void Quantizing::rowsMayBeDividedAnyhow() {
  QFETCH(QByteArray, name);
  const scaled::ScaledFormat format = test::formatOf(name);
  const std::vector<float> values = matrix();
  const Quantizer quantizer(format, kRandom, 5);
  const scaled::Scale scale = scaleOf(quantizer, viewOf(values));
  std::vector<float> result(values.size());
  const OutputView to{.data = result.data(), .row_stride = kColumns};
  const std::int64_t step = format.block.rows * (format.block.rows == 1 ? 7 : 1);
  for (std::int64_t row = (kRows - 1) / step * step; row >= 0; row -= step) {
    quantizer(viewOf(values), to, {row, std::min(row + step, kRows)}, scale);
  }
  QCOMPARE(result, whole(format));
}

void Quantizing::inPlaceAndWithGaps() {
  QFETCH(QByteArray, name);
  const scaled::ScaledFormat format = test::formatOf(name);
  constexpr std::int64_t kStride = kColumns + 5;
  constexpr float kGap = 12345;
  const std::vector<float> values = matrix();
  std::vector<float> padded(static_cast<std::size_t>(kRows * kStride), kGap);
  for (std::size_t r = 0; r < kRows; ++r) {
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(r * kColumns), kColumns,
                padded.begin() + static_cast<std::ptrdiff_t>(r * kStride));
  }
  const InputView view{.data = padded.data(), .rows = kRows, .columns = kColumns, .row_stride = kStride};
  Quantizer(format, kRandom, 5).whole(view, {.data = padded.data(), .row_stride = kStride});
  const std::vector<float> expected = whole(format);
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t c = 0; c < kStride; ++c) {
      QVERIFY(padded[r * kStride + c] == (c < kColumns ? expected[r * kColumns + c] : kGap));
    }
  }
  // Neither stride is 1.
  std::vector<float> sparse(2 * values.size());
  for (std::size_t i = 0; i < values.size(); ++i) sparse[2 * i] = values[i];
  const InputView every_second{
      .data = sparse.data(), .rows = kRows, .columns = kColumns, .row_stride = 2 * kColumns, .column_stride = 2};
  std::vector<float> result(values.size());
  Quantizer(format, kRandom, 5).whole(every_second, {.data = result.data(), .row_stride = kColumns});
  QCOMPARE(result, expected);
}

void Quantizing::halvesAreReadAndWrittenAsFloats() {
  QFETCH(QByteArray, name);
  const scaled::ScaledFormat format = test::formatOf(name);
  for (const Storage storage : {Storage::kBFloat16, Storage::kFloat16}) {
    std::vector<std::uint16_t> halves;
    std::vector<float> floats;
    for (const float value : matrix()) {
      const bool brain = storage == Storage::kBFloat16;
      const std::uint32_t bits = brain ? formats::encode(value, formats::kBFloat16) : formats::float16_bits(value);
      halves.push_back(static_cast<std::uint16_t>(bits));
      floats.push_back(brain ? formats::decode(bits, formats::kBFloat16) : formats::float16_value(halves.back()));
    }
    const Quantizer quantizer(format, kRandom, 5);
    std::vector<float> expected(floats.size());
    quantizer.whole(viewOf(floats), {.data = expected.data(), .row_stride = kColumns});
    InputView view = viewOf(floats);
    view.data = halves.data();
    view.storage = storage;
    std::vector<float> result(floats.size());
    quantizer.whole(view, {.data = result.data(), .row_stride = kColumns});
    QCOMPARE(result, expected);
    std::vector<std::uint16_t> narrow(floats.size());
    quantizer.whole(view, {.data = narrow.data(), .storage = Storage::kBFloat16, .row_stride = kColumns});
    for (std::size_t i = 0; i < narrow.size(); ++i) {
      QCOMPARE(std::uint32_t{narrow[i]}, formats::encode(expected[i], formats::kBFloat16));
    }
  }
}

void Quantizing::everyFloat16IsRead() {
  std::vector<std::uint16_t> halves(65536);
  for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<std::uint16_t>(i);
  // A row each, so that a NaN or a large value does not hide the others.
  const InputView view{
      .data = halves.data(), .storage = Storage::kFloat16, .rows = 65536, .columns = 1, .row_stride = 1};
  const Quantizer quantizer(test::formatOf("fp8_delayed"));
  std::vector<float> largest;
  for (std::int64_t row = 0; row < view.rows; ++row) {
    const float value = quantizer.largest(view, {row, row + 1});
    QVERIFY(test::same(value, std::fabs(formats::float16_value(halves[static_cast<std::size_t>(row)]))));
  }
}

void Quantizing::detailChangesNothing() {
  QFETCH(QByteArray, name);
  const scaled::ScaledFormat format = test::formatOf(name);
  const std::vector<float> values = matrix();
  std::vector<float> result(values.size());
  scaled::Codes codes(format, kRows, kColumns);
  scaled::BlockStats stats;
  Quantizer(format, kRandom, 5)
      .whole(viewOf(values), {.data = result.data(), .row_stride = kColumns}, {&codes, &stats});
  QCOMPARE(result, whole(format));
  QCOMPARE(stats.values, std::uint64_t{kRows * kColumns});
  // The codes and the scales give the values back.
  for (std::int64_t r = 0; r < kRows; ++r) {
    for (std::int64_t c = 0; c < kColumns; ++c) {
      const auto at = static_cast<std::size_t>(r * kColumns + c);
      const bool blocks = format.scaling == scaled::Scaling::kBlocks;
      const auto block =
          static_cast<std::size_t>(blocks ? r / format.block.rows * codes.block_columns + c / format.block.length : 0);
      QVERIFY(test::same(scaled::decode(codes.elements[at], format.element) * codes.scales[block], result[at]));
    }
  }
}

void Quantizing::transformingFirstChangesNothing() {
  QFETCH(QByteArray, name);
  const scaled::ScaledFormat format = test::formatOf(name);
  const Quantizer quantizer(format, kRandom, 5);
  const std::vector<float> original = matrix();
  std::vector<float> values = original;
  const OutputView to{.data = values.data(), .row_stride = kColumns};
  const float largest = quantizer.transform(viewOf(values), to, {0, kRows});
  QCOMPARE(largest, quantizer.largest(viewOf(original), {0, kRows}));
  QVERIFY(format.transform == (values != original));
  const scaled::Scale scale = scaleOf(quantizer, viewOf(original));
  quantizer.without_transform()(viewOf(values), to, {0, kRows}, scale);
  QCOMPARE(values, whole(format));
}

void Quantizing::matricesOfATensorHaveTheirOwnDraws() {
  const std::vector<float> values(64, 0.3F);
  const Quantizer quantizer(test::formatOf("fp8_delayed+stochastic"), kRandom);
  const auto draw = [&](std::int64_t first) {
    std::vector<float> result(64);
    const InputView view{.data = values.data(), .rows = 2, .columns = 32, .row_stride = 32, .first = first};
    quantizer(view, {.data = result.data(), .row_stride = 32}, {0, 2});
    return result;
  };
  QVERIFY(draw(0) != draw(64));
  const std::vector<float> tail = draw(32);
  const std::vector<float> head = draw(0);
  QVERIFY(std::equal(head.begin() + 32, head.end(), tail.begin()));
}

void Quantizing::emptyMatricesAreLeftAlone() {
  float untouched = 5;
  for (const scaled::NamedScaledFormat& each : scaled::named_formats()) {
    for (const auto& [rows, columns] : {std::pair{0, 8}, std::pair{8, 0}, std::pair{0, 0}}) {
      const InputView view{.data = &untouched, .rows = rows, .columns = columns, .row_stride = columns};
      const Quantizer quantizer(each.format);
      QCOMPARE(quantizer.largest(view, {0, rows}), 0.0F);
      quantizer.whole(view, {.data = &untouched, .row_stride = columns});
      QCOMPARE(untouched, 5.0F);
    }
  }
}

void Quantizing::aSingleValue() {
  for (const scaled::NamedScaledFormat& each : scaled::named_formats()) {
    const float value = 1.5F;
    float result = 0;
    const InputView view{.data = &value, .rows = 1, .columns = 1, .row_stride = 1};
    scaled::BlockStats stats;
    Quantizer(each.format).whole(view, {.data = &result, .row_stride = 1}, {nullptr, &stats});
    QVERIFY(std::fabs(result - value) < 0.05F);
    QCOMPARE(stats.values, std::uint64_t{1});
    QCOMPARE(stats.outlier_blocks, std::uint64_t{0});
  }
}

BINADE_SUITE(Quantizing);
#include "tst_quantizer.moc"
