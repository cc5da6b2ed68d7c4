// SPDX-License-Identifier: Apache-2.0
#include "engine/scaled/element_rounding.h"
#include "tests/formats/by_definition.h"
#include "tests/scaled/recorded.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <set>

using namespace binade;
using scaled::Element;
using scaled::RandomBits;

// Stochastic rounding and the generator behind it.
class Stochastic : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void isUnbiased_data();
  void isUnbiased();
  void returnsOneOfTheTwoNeighbours();
  void leavesElementsAsTheyAre();
  void drawsDependOnSeedStreamAndIndexOnly();
  void everyBitIsUniform();
  void neighbouringDrawsAreIndependent();
  void streamsAreIndependent();
};

void Stochastic::isUnbiased_data() {
  QTest::addColumn<int>("element");
  QTest::addColumn<float>("value");
  // A value of each kind: normal, between 0 and the smallest subnormal, in the subnormals, near the top, negative.
  QTest::newRow("e2m1 2.3") << int(Element::kE2M1) << 2.3F;
  QTest::newRow("e2m1 0.1") << int(Element::kE2M1) << 0.1F;
  QTest::newRow("e2m1 0.7") << int(Element::kE2M1) << 0.7F;
  QTest::newRow("e2m1 5.9") << int(Element::kE2M1) << 5.9F;
  QTest::newRow("e2m1 -3.01") << int(Element::kE2M1) << -3.01F;
  QTest::newRow("e4m3 300") << int(Element::kE4M3) << 300.0F;
  QTest::newRow("e4m3 0.0013") << int(Element::kE4M3) << 0.0013F;
  QTest::newRow("e5m2 1e-5") << int(Element::kE5M2) << 1e-5F;
  QTest::newRow("e2m3 0.93") << int(Element::kE2M3) << 0.93F;
  QTest::newRow("e3m2 -0.11") << int(Element::kE3M2) << -0.11F;
}

void Stochastic::isUnbiased() {
  QFETCH(int, element);
  QFETCH(float, value);
  const RandomBits random(20, 5);
  const scaled::ElementRounding rounding(static_cast<Element>(element));
  constexpr int kDraws = 10'000'000;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double error = double{rounding.stochastic(value, random.at(static_cast<std::uint32_t>(i)))} - double{value};
    sum += error;
    squares += error * error;
  }
  const double mean = sum / kDraws;
  const double standard_error = std::sqrt((squares / kDraws - mean * mean) / kDraws);
  QVERIFY2(standard_error > 0 && std::fabs(mean) <= 4 * standard_error,
           QByteArray::number(mean) + " +- " + QByteArray::number(standard_error));
}

void Stochastic::returnsOneOfTheTwoNeighbours() {
  test::Patterns patterns(5);
  for (const Element element : scaled::kElements) {
    std::vector<float> values;
    for (int code = 0; code < 1 << scaled::layout(element).bits(); ++code) {
      const float value = scaled::decode(static_cast<std::uint8_t>(code), element);
      if (std::isfinite(value)) values.push_back(value);
    }
    std::sort(values.begin(), values.end());
    for (int i = 0; i < 50'000; ++i) {
      const float value =
          std::bit_cast<float>((patterns.next() & 0x80ffffffu) | (0x3du << 24)) * scaled::layout(element).largest;
      const float rounded = scaled::round_stochastic(value, element, patterns.next());
      const auto above = std::lower_bound(values.begin(), values.end(), value);
      QVERIFY(above != values.end());
      QVERIFY(rounded == *above || (above != values.begin() && rounded == *(above - 1)));
    }
  }
}

void Stochastic::leavesElementsAsTheyAre() {
  for (const Element element : scaled::kElements) {
    for (int code = 0; code < 1 << scaled::layout(element).bits(); ++code) {
      const float value = scaled::decode(static_cast<std::uint8_t>(code), element);
      if (!std::isfinite(value)) continue;
      for (const std::uint32_t draw : {0u, 0x80000000u, 0xffffffffu}) {
        QVERIFY(test::same(scaled::round_stochastic(value, element, draw), value));
      }
    }
  }
}

void Stochastic::drawsDependOnSeedStreamAndIndexOnly() {
  const RandomBits random(3, 9);
  const std::uint32_t late = random.at(1'000'000);
  for (std::uint32_t i = 0; i < 100; ++i) random.at(i);
  QCOMPARE(RandomBits(3, 9).at(1'000'000), late);
  QVERIFY(RandomBits(4, 9).at(1'000'000) != late);
  QVERIFY(RandomBits(3, 10).at(1'000'000) != late);
  // Computed in Python by the definition: another version must repeat the draws of a training that is resumed.
  QCOMPARE(random.at(0), 0xa7e5db7du);
  QCOMPARE(random.at(1), 0xf84c14c0u);
  QCOMPARE(late, 0x43ff4f9bu);
}

void Stochastic::everyBitIsUniform() {
  const RandomBits random(1, 1);
  constexpr int kDraws = 1 << 20;
  std::array<int, 32> ones{};
  for (std::uint32_t i = 0; i < kDraws; ++i) {
    const std::uint32_t draw = random.at(i);
    for (std::size_t bit = 0; bit < 32; ++bit) ones[bit] += int((draw >> bit) & 1u);
  }
  for (const int count : ones) QVERIFY(std::abs(count - kDraws / 2) < 5 * 512);  // 5 standard deviations
}

void Stochastic::neighbouringDrawsAreIndependent() {
  const RandomBits random(2, 7);
  constexpr int kDraws = 1 << 20;
  // Pairs of the top four bits: 256 cells of 4096 expected.
  for (const std::uint32_t step : {1u, 2u, 32u, 4096u}) {
    std::array<int, 256> cells{};
    for (std::uint32_t i = 0; i < kDraws; ++i) ++cells[(random.at(i) >> 28) * 16 + (random.at(i + step) >> 28)];
    double chi = 0;
    for (const int count : cells) chi += (count - 4096.0) * (count - 4096.0) / 4096.0;
    QVERIFY2(chi < 255 + 6 * std::sqrt(2 * 255.0), QByteArray::number(chi));
  }
}

void Stochastic::streamsAreIndependent() {
  constexpr int kDraws = 1 << 20;
  const std::array<RandomBits, 3> others{RandomBits(8, 1), RandomBits(9, 0), RandomBits(8, std::uint64_t{1} << 32)};
  const RandomBits random(8, 0);
  std::set<std::uint64_t> keys;
  for (const RandomBits& other : others) {
    std::array<int, 256> cells{};
    for (std::uint32_t i = 0; i < kDraws; ++i) ++cells[(random.at(i) >> 28) * 16 + (other.at(i) >> 28)];
    double chi = 0;
    for (const int count : cells) chi += (count - 4096.0) * (count - 4096.0) / 4096.0;
    QVERIFY2(chi < 255 + 6 * std::sqrt(2 * 255.0), QByteArray::number(chi));
    keys.insert((std::uint64_t{other.keys().first} << 32) | other.keys().second);
  }
  QCOMPARE(keys.size(), others.size());
}

BINADE_SUITE(Stochastic);
#include "tst_stochastic.moc"
