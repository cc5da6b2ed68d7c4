// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/format.h"
#include "engine/scaled/element.h"
#include "tests/formats/by_definition.h"
#include "tests/scaled/recorded.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

using namespace binade;
using scaled::Element;

// Element and scale formats against ml_dtypes and gfloat.
class Elements : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyCodeAndMidpointIsAsRecorded();
  void everyCodeRoundTrips();
  void everythingBeyondTheLargestSaturates();
  void nanStaysNan();
  void everyFloat32IsRoundedToTheNearestValue();
  void ordinaryFormatsRoundAlike();
};

void Elements::everyCodeAndMidpointIsAsRecorded() {
  int decoded = 0;
  int rounded = 0;
  for (const QList<QByteArray>& row : test::recordedRows("elements.csv")) {
    QCOMPARE(row.size(), 4);
    const auto code = static_cast<std::uint8_t>(row[2].toUInt());
    const auto value = std::bit_cast<float>(row[3].toUInt(nullptr, 16));
    const QByteArray where = row.join(' ');
    const std::optional<Element> element = scaled::parse_element(row[0].toStdString());
    if (row[1] == "decode") {
      const float ours = element ? scaled::decode(code, *element) : scaled::decode_e8m0(code);
      QVERIFY2(test::same(ours, value), where);
      ++decoded;
    } else {
      const int ours = element ? scaled::encode(scaled::round(value, *element), *element) : scaled::encode_e8m0(value);
      QVERIFY2(ours == code, where);
      ++rounded;
    }
  }
  QCOMPARE(decoded, 3 * 256 + 2 * 64 + 16);
  QVERIFY(rounded > 3000);
}

void Elements::everyCodeRoundTrips() {
  for (const Element element : scaled::kElements) {
    const int codes = 1 << scaled::layout(element).bits();
    for (int code = 0; code < codes; ++code) {
      const float value = scaled::decode(static_cast<std::uint8_t>(code), element);
      if (!std::isfinite(value)) continue;
      QVERIFY(test::same(scaled::round(value, element), value));
      QCOMPARE(int{scaled::encode(value, element)}, code);
    }
  }
}

void Elements::everythingBeyondTheLargestSaturates() {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const Element element : scaled::kElements) {
    const float largest = scaled::layout(element).largest;
    for (const float value : {std::nextafter(largest, kInfinity), 2 * largest, 3e38F, kInfinity}) {
      QCOMPARE(scaled::round(value, element), largest);
      QCOMPARE(scaled::round(-value, element), -largest);
      QCOMPARE(scaled::round_stochastic(value, element, 0xffffffffu), largest);
      QCOMPARE(scaled::round_stochastic(-value, element, 0), -largest);
    }
  }
}

void Elements::nanStaysNan() {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Element element : scaled::kElements) {
    QVERIFY(std::isnan(scaled::round(nan, element)));
    QVERIFY(std::isnan(scaled::round_stochastic(nan, element, 7)));
    const std::uint8_t code = scaled::encode(nan, element);
    if (scaled::layout(element).has_nan) {
      QVERIFY(std::isnan(scaled::decode(code, element)));
    } else {
      QVERIFY(test::same(scaled::decode(code, element), -0.0));
    }
  }
}

void Elements::everyFloat32IsRoundedToTheNearestValue() {
  test::Patterns patterns(11);
  for (const Element element : scaled::kElements) {
    const scaled::ElementLayout& format = scaled::layout(element);
    for (int i = 0; i < 200'000; ++i) {
      // Exponents about those of the format.
      const auto fields = static_cast<std::uint32_t>(format.emax - format.min_exponent() + format.mantissa_bits + 6);
      const auto first = static_cast<std::uint32_t>(format.min_exponent() - format.mantissa_bits - 3 + 127);
      const std::uint32_t bits = (patterns.next() & 0x807fffffu) | ((first + patterns.next() % fields) << 23);
      const auto value = std::bit_cast<float>(bits);
      const float rounded = scaled::round(value, element);
      // By definition: a multiple of the spacing at the value, in double arithmetic.
      const double magnitude = std::fabs(static_cast<double>(value));
      const int exponent = std::max(std::ilogb(magnitude), format.min_exponent());
      const double spacing = std::ldexp(1.0, exponent - format.mantissa_bits);
      const double expected = std::min(std::nearbyint(magnitude / spacing) * spacing, double{format.largest});
      QVERIFY2(test::same(rounded, std::copysign(expected, static_cast<double>(value))),
               QByteArray::number(value, 'g', 9));
    }
  }
}

/// The elements that the number formats show bit by bit are those of scaled formats.
void Elements::ordinaryFormatsRoundAlike() {
  test::Patterns patterns(12);
  const std::vector<std::pair<formats::Format, Element>> pairs{{formats::kFloat4E2M1fn, Element::kE2M1},
                                                               {formats::kFloat6E2M3fn, Element::kE2M3},
                                                               {formats::kFloat6E3M2fn, Element::kE3M2}};
  for (const auto& [format, element] : pairs) {
    for (int i = 0; i < 200'000; ++i) {
      const auto value = std::bit_cast<float>(patterns.next());
      const float rounded = scaled::round(value, element);
      QCOMPARE(formats::encode(value, format), std::uint32_t{scaled::encode(rounded, element)});
      if (std::isnan(value)) continue;
      QVERIFY(test::same(formats::round(value, format), rounded));
    }
  }
}

BINADE_SUITE(Elements);
#include "tst_elements.moc"
