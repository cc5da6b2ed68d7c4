// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/formats/tensor_stats.h"
#include "tests/formats/by_definition.h"
#include "tests/formats/format_metatype.h"
#include "tests/support/suite.h"

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

using namespace binade;
using formats::Format;
using formats::TensorStats;

namespace {

constexpr float kUnbounded = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// The same statistics, each counted by its own sentence: what rounding to the format does to the value.
TensorStats countedNaively(const std::vector<float>& values, const Format& format) {
  TensorStats stats;
  for (const float value : values) {
    ++stats.count;
    if (std::isnan(value)) {
      ++stats.nan;
      continue;
    }
    if (std::isinf(value)) {
      ++(value > 0 ? stats.positive_infinity : stats.negative_infinity);
      continue;
    }
    if (value == 0) {
      ++stats.zero;
      continue;
    }
    const double rounded = test::roundedByDefinition(value, format);
    if (!std::isfinite(rounded)) ++stats.overflow;
    if (rounded == 0) ++stats.underflow;
    const float magnitude = std::fabs(value);
    stats.largest = std::max(stats.largest, magnitude);
    stats.smallest = stats.smallest == 0 ? magnitude : std::min(stats.smallest, magnitude);
    stats.sum_of_squares += static_cast<double>(value) * static_cast<double>(value);
    ++stats.binades[static_cast<std::size_t>(static_cast<int>(std::floor(std::log2(magnitude))) + 149)];
  }
  return stats;
}

std::vector<float> mixture(int count, std::uint64_t seed) {
  test::Patterns patterns(seed);
  std::vector<float> values;
  for (int i = 0; i < count; ++i) {
    switch (i % 8) {
      case 0:
        values.push_back(std::bit_cast<float>(patterns.next()));  // anything, NaN and infinity among it
        break;
      case 1:
        values.push_back(patterns.next() % 2 == 0 ? 0.0f : -0.0f);
        break;
      case 2:
        values.push_back(std::bit_cast<float>(patterns.next() & 0x807fffffu));  // subnormal float32
        break;
      case 3:
        values.push_back(patterns.next() % 3 == 0 ? kUnbounded : patterns.next() % 2 == 0 ? -kUnbounded : kNan);
        break;
      default:  // where float16 ends at either side
        values.push_back(
            std::bit_cast<float>((patterns.next() & 0x80600000u) | ((100u + patterns.next() % 45u) << 23)));
    }
  }
  return values;
}

TensorStats sample() {
  return formats::measure(mixture(4096, 5), formats::kFloat16);
}

/// With everything that statistics can hold.
TensorStats closest() {
  return formats::measure(mixture(2048, 6), formats::kFloat16, formats::Depth::kWhatIf);
}

}  // namespace

// One pass over a tensor, and the bytes that hold it.
class TensorStatistics : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void equalANaiveCount_data();
  void equalANaiveCount();
  void limitsCountOnTheRightSide();
  void ofNothing();
  void headroomIsDoublingsLeft();
  void headroomOfInfinities();
  void packedAndReadBack_data();
  void packedAndReadBack();
  void onlyOccupiedBinadesArePacked();
  void everyTruncationIsRefused();
  void everyChangedByteIsRefusedOrReadBackAsItself();
  void junkIsRefused();
};

void TensorStatistics::equalANaiveCount_data() {
  QTest::addColumn<Format>("format");
  for (const char* name :
       {"float32", "tfloat32", "bfloat16", "float16", "float8_e4m3fn", "float8_e5m2", "e3m2", "e8m22"}) {
    QTest::newRow(name) << *formats::parse(name);
  }
}

void TensorStatistics::equalANaiveCount() {
  QFETCH(Format, format);
  const std::vector<float> values = mixture(40'000, 11);
  const TensorStats measured = formats::measure(values, format);
  const TensorStats naive = countedNaively(values, format);
  QVERIFY(measured == naive);
  // Something was there to count.
  QVERIFY(measured.zero > 0 && measured.nan > 0 && measured.negative_infinity > 0 && measured.positive_infinity > 0);
  if (format.exponent_bits < 8) QVERIFY(measured.overflow > 0 && measured.underflow > 0);
}

void TensorStatistics::limitsCountOnTheRightSide() {
  const float values[] = {65519.996f, 65520.0f, -65520.0f, 0x1p-25f, -0x1p-25f, 0x1.000002p-25f, 0x1p-149f};
  const TensorStats stats = formats::measure(values, formats::kFloat16);
  QCOMPARE(stats.overflow, std::uint64_t{2});
  QCOMPARE(stats.underflow, std::uint64_t{3});
  QVERIFY(stats.largest == 65520.0f);  // QCOMPARE would forgive a float's last digits
  QVERIFY(stats.smallest == 0x1p-149f);
  QCOMPARE(stats.binades[0], 1u);
  QCOMPARE(stats.binades[15 + 149], 3u);
  // The tie of a finite-only format still rounds down to 448.
  const float ties[] = {464.0f, std::nextafter(464.0f, 500.0f)};
  QCOMPARE(formats::measure(ties, formats::kFloat8E4M3fn).overflow, std::uint64_t{1});
}

void TensorStatistics::ofNothing() {
  QVERIFY(formats::measure({}, formats::kFloat16) == TensorStats{});
  QCOMPARE(formats::headroom(TensorStats{}, formats::kFloat16), std::numeric_limits<double>::infinity());
}

void TensorStatistics::headroomIsDoublingsLeft() {
  const auto doublings = [](float largest) {
    const float values[] = {largest, -1e-3f};
    return formats::headroom(formats::measure(values, formats::kFloat16), formats::kFloat16);
  };
  for (const float largest : {1.0f, 3.0f, 1000.0f, 32759.0f, 32760.0f, 65504.0f}) {
    int count = 0;
    for (float value = largest; std::isfinite(formats::round(2 * value, formats::kFloat16)); value *= 2) ++count;
    QCOMPARE(static_cast<int>(std::floor(doublings(largest))), count);
  }
  QVERIFY(doublings(65519.0f) > 0);
  QVERIFY(doublings(65520.0f) < 0);
  QVERIFY(std::fabs(doublings(4 * 65520.0f) + 2) < 1e-9);
}

void TensorStatistics::headroomOfInfinities() {
  const float masked[] = {1.0f, -kUnbounded};
  TensorStats stats = formats::measure(masked, formats::kFloat16);
  QVERIFY(formats::headroom(stats, formats::kFloat16) > 15);  // a mask is no overflow
  stats.censored = true;                                      // but after rounding it may have been one
  QCOMPARE(formats::headroom(stats, formats::kFloat16), -std::numeric_limits<double>::infinity());
  const float lost[] = {kUnbounded, 0.0f};
  QCOMPARE(formats::headroom(formats::measure(lost, formats::kFloat16), formats::kFloat16),
           -std::numeric_limits<double>::infinity());
}

void TensorStatistics::packedAndReadBack_data() {
  QTest::addColumn<QByteArray>("kind");
  for (const char* kind : {"empty", "sample", "censored", "ends", "full", "formats", "what-if"})
    QTest::newRow(kind) << QByteArray(kind);
}

void TensorStatistics::packedAndReadBack() {
  QFETCH(QByteArray, kind);
  TensorStats stats;
  if (kind == "sample") stats = sample();
  if (kind == "censored") {
    stats = sample();
    stats.censored = true;
  }
  if (kind == "ends") stats.binades.front() = stats.binades.back() = 1;
  if (kind == "full") {
    stats.binades.fill(std::numeric_limits<std::uint32_t>::max());
    stats.count = stats.zero = stats.nan = stats.overflow = stats.underflow = ~std::uint64_t{0};
    stats.positive_infinity = stats.negative_infinity = ~std::uint64_t{0};
    stats.largest = stats.smallest = std::numeric_limits<float>::max();
    stats.sum_of_squares = std::numeric_limits<double>::max();
  }
  if (kind == "formats") stats = formats::measure(mixture(4096, 5), formats::kFloat16, formats::Depth::kFormats);
  if (kind == "what-if") stats = closest();
  const std::string bytes = formats::pack(stats);
  QVERIFY(formats::unpack(bytes) == stats);
  QCOMPARE(formats::pack(formats::unpack(bytes)), bytes);
}

void TensorStatistics::onlyOccupiedBinadesArePacked() {
  QVERIFY(formats::pack(TensorStats{}).size() == 29);
  const float values[] = {1.0f, 2.0f, 2.5f};
  const std::string bytes = formats::pack(formats::measure(values, formats::kFloat16));
  QCOMPARE(bytes.size(), std::size_t{31});
  QCOMPARE(bytes.substr(25, 6),
           std::string("\x95\x00\x02\x00\x01\x02", 6));  // from binade 0 = -149 + 0x95, two of them
}

void TensorStatistics::everyTruncationIsRefused() {
  const std::string bytes = formats::pack(closest());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    try {
      formats::unpack(std::string_view(bytes).substr(0, size));
      QFAIL(qPrintable(QStringLiteral("accepted %1 bytes").arg(size)));
    } catch (const Error& error) {
      QVERIFY(error.code == ErrorCode::kBadFile);
      QVERIFY(!error.hint.empty());
    }
  }
  QVERIFY_THROWS_EXCEPTION(Error, formats::unpack(bytes + '\0'));
}

void TensorStatistics::everyChangedByteIsRefusedOrReadBackAsItself() {
  const std::string bytes = formats::pack(closest());
  int refused = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int value : {0, 1, 0x7f, 0x80, 0xff}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(value);
      try {
        QCOMPARE(formats::pack(formats::unpack(changed)), changed);
      } catch (const Error&) {
        ++refused;
      }
    }
  }
  QVERIFY(refused > 0);
}

void TensorStatistics::junkIsRefused() {
  test::Patterns patterns(99);
  const std::string good = formats::pack(closest()).substr(0, 2);
  int accepted = 0;
  for (int i = 0; i < 50'000; ++i) {
    std::string junk = i % 2 == 0 ? good : std::string();
    const std::uint32_t size = patterns.next() % 80;
    for (std::uint32_t j = 0; j < size; ++j)
      junk.push_back(static_cast<char>(patterns.next() & (i % 3 == 0 ? 0x7f : 0xff)));
    try {
      QCOMPARE(formats::pack(formats::unpack(junk)), junk);
      ++accepted;
    } catch (const Error&) {
    }
  }
  QVERIFY(accepted < 50);
}

BINADE_SUITE(TensorStatistics);
#include "tst_tensor_stats.moc"
