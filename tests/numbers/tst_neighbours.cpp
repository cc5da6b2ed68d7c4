// SPDX-License-Identifier: Apache-2.0
#include "engine/numbers/number.h"
#include "tests/numbers/pattern_value.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace binade::test {

// Steps from a number to the next, and the distance between them.
class NeighboursInOrder : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aWalkVisitsEveryValueOnce_data();
  void aWalkVisitsEveryValueOnce();
  void zerosAreOneNumber();
  void theEndsStay();
  void theUlpIsTheDistanceToTheNext();
};

void NeighboursInOrder::aWalkVisitsEveryValueOnce_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<uint>("lowest");
  QTest::addColumn<int>("count");  // with the infinities, 0 once
  QTest::newRow("float16") << "float16" << 0xfc00u << 63489;
  QTest::newRow("bfloat16") << "bfloat16" << 0xff80u << 65281;
  QTest::newRow("float8_e4m3fn") << "float8_e4m3fn" << 0xfeu << 253;
  QTest::newRow("float8_e5m2") << "float8_e5m2" << 0xfcu << 249;
  QTest::newRow("e4m3") << "e4m3" << 0xf8u << 241;
}

void NeighboursInOrder::aWalkVisitsEveryValueOnce() {
  QFETCH(QString, name);
  QFETCH(uint, lowest);
  QFETCH(int, count);
  const formats::Format format = formats::parse(name.toStdString()).value();
  std::vector<double> up;
  numbers::Number number{format, lowest};
  up.push_back(patternValue(number.bits, format));
  for (numbers::Number after = numbers::next(number); after != number; after = numbers::next(number)) {
    number = after;
    up.push_back(patternValue(number.bits, format));
    QVERIFY(up.size() <= static_cast<std::size_t>(count));
  }
  QCOMPARE(up.size(), static_cast<std::size_t>(count));
  for (std::size_t i = 1; i < up.size(); ++i) QVERIFY(up[i - 1] < up[i]);
  for (const double value : finiteValues(format)) QVERIFY(std::binary_search(up.begin(), up.end(), value));

  std::vector<double> down{patternValue(number.bits, format)};
  for (numbers::Number before = numbers::previous(number); before != number; before = numbers::previous(number)) {
    number = before;
    down.push_back(patternValue(number.bits, format));
    QVERIFY(down.size() <= up.size());
  }
  std::reverse(down.begin(), down.end());
  QVERIFY(down == up);
}

void NeighboursInOrder::zerosAreOneNumber() {
  const formats::Format format = formats::kFloat16;
  for (const std::uint32_t zero : {0x0000u, 0x8000u}) {
    QCOMPARE(numbers::next({format, zero}).bits, 0x0001u);
    QCOMPARE(numbers::previous({format, zero}).bits, 0x8001u);
  }
  QCOMPARE(numbers::next({format, 0x8001}).bits, 0x0000u);
  QCOMPARE(numbers::previous({format, 0x0001}).bits, 0x0000u);
}

void NeighboursInOrder::theEndsStay() {
  const auto next = [](const formats::Format& format, std::uint32_t bits) {
    return numbers::next({format, bits}).bits;
  };
  const auto previous = [](const formats::Format& format, std::uint32_t bits) {
    return numbers::previous({format, bits}).bits;
  };
  QCOMPARE(next(formats::kFloat16, 0x7bff), 0x7c00u);  // 65504, then infinity
  QCOMPARE(next(formats::kFloat16, 0x7c00), 0x7c00u);
  QCOMPARE(previous(formats::kFloat16, 0x7c00), 0x7bffu);
  QCOMPARE(next(formats::kFloat16, 0xfc00), 0xfbffu);
  QCOMPARE(previous(formats::kFloat16, 0xfc00), 0xfc00u);
  QCOMPARE(next(formats::kFloat16, 0x7e01), 0x7e01u);
  QCOMPARE(previous(formats::kFloat16, 0xfe01), 0xfe01u);
  QCOMPARE(next(formats::kFloat8E4M3fn, 0x7e), 0x7eu);  // 448, no infinity
  QCOMPARE(previous(formats::kFloat8E4M3fn, 0xfe), 0xfeu);
  QCOMPARE(next(formats::kFloat8E4M3fn, 0x7f), 0x7fu);
  QCOMPARE(previous(formats::kFloat8E4M3fn, 0xff), 0xffu);
  QCOMPARE(next(formats::kFloat8E4M3fn, 0x77), 0x78u);  // 240, then 256
  QCOMPARE(next(kE4M3, 0x77), 0x78u);                   // 240, then infinity
  QCOMPARE(numbers::value({kE4M3, 0x78}), HUGE_VAL);
  QCOMPARE(next(formats::kFloat32, 0x7f7fffff), 0x7f800000u);
  QCOMPARE(previous(formats::kFloat32, 0xff800000), 0xff800000u);
}

void NeighboursInOrder::theUlpIsTheDistanceToTheNext() {
  for (const formats::Format& format : {formats::kFloat16, formats::kBFloat16, formats::kFloat8E4M3fn, kE4M3}) {
    const std::vector<double> values = finiteValues(format);
    for (std::uint32_t bits = 0; patternValue(bits, format) < values.back(); ++bits) {
      const double distance = patternValue(bits + 1, format) - patternValue(bits, format);
      QCOMPARE(numbers::ulp({format, bits}), distance);
      const std::uint32_t sign = 1u << (numbers::width(format) - 1);
      QCOMPARE(numbers::ulp({format, bits | sign}), distance);
    }
  }
  QCOMPARE(numbers::ulp({formats::kFloat16, 0x7bff}), 32.0);
  QCOMPARE(numbers::ulp({formats::kFloat16, 0x0000}), 0x1p-24);
  QCOMPARE(numbers::ulp({formats::kFloat8E4M3fn, 0x7e}), 32.0);
  QCOMPARE(numbers::ulp({formats::kFloat32, 0x00000001}), 0x1p-149);
  QVERIFY(std::isnan(numbers::ulp({formats::kFloat16, 0x7c00})));
  QVERIFY(std::isnan(numbers::ulp({formats::kFloat8E4M3fn, 0x7f})));
}

BINADE_SUITE(NeighboursInOrder);

}  // namespace binade::test

#include "tst_neighbours.moc"
