// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/format.h"
#include "tests/formats/by_definition.h"
#include "tests/formats/format_metatype.h"
#include "tests/support/suite.h"

#include <bit>
#include <cmath>
#include <limits>

using namespace binade;
using formats::Format;

// What a format is: its limits and its name.
class FormatLayout : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void limits_data();
  void limits();
  void limitsAreWhereRoundingChanges_data();
  void limitsAreWhereRoundingChanges();
  void namesAreReadBack();
  void everyCustomFormatHasAName();
  void otherTextIsNoFormat_data();
  void otherTextIsNoFormat();
  void binadeOfEveryPowerOfTwo();
};

void FormatLayout::limits_data() {
  QTest::addColumn<Format>("format");
  QTest::addColumn<double>("largest");
  QTest::addColumn<double>("overflow");
  QTest::addColumn<double>("normal");
  QTest::addColumn<double>("subnormal");
  QTest::addColumn<int>("maxExponent");
  QTest::newRow("float32") << formats::kFloat32 << double(std::numeric_limits<float>::max()) << 0x1.ffffffp127
                           << 0x1p-126 << 0x1p-149 << 127;
  QTest::newRow("tfloat32") << formats::kTFloat32 << 0x1.ffcp127 << 0x1.ffep127 << 0x1p-126 << 0x1p-136 << 127;
  QTest::newRow("bfloat16") << formats::kBFloat16 << 0x1.fep127 << 0x1.ffp127 << 0x1p-126 << 0x1p-133 << 127;
  QTest::newRow("float16") << formats::kFloat16 << 65504.0 << 65520.0 << 0x1p-14 << 0x1p-24 << 15;
  QTest::newRow("float8_e4m3fn") << formats::kFloat8E4M3fn << 448.0 << double(std::nextafter(464.0f, 500.0f)) << 0x1p-6
                                 << 0x1p-9 << 8;
  QTest::newRow("float8_e5m2") << formats::kFloat8E5M2 << 57344.0 << 61440.0 << 0x1p-14 << 0x1p-16 << 15;
  QTest::newRow("e2m1") << Format{2, 1} << 3.0 << 3.5 << 1.0 << 0.5 << 1;
}

void FormatLayout::limits() {
  QFETCH(Format, format);
  QFETCH(double, largest);
  QFETCH(double, overflow);
  QFETCH(double, normal);
  QFETCH(double, subnormal);
  QFETCH(int, maxExponent);
  QVERIFY(format.largest() == largest);
  QVERIFY(format.overflow_limit() == overflow);
  QVERIFY(format.smallest_normal() == normal);
  QVERIFY(format.smallest_subnormal() == subnormal);
  QVERIFY(format.underflow_limit() == subnormal / 2);
  QCOMPARE(format.max_exponent(), maxExponent);
}

void FormatLayout::limitsAreWhereRoundingChanges_data() {
  QTest::addColumn<Format>("format");
  for (const char* name : {"tfloat32", "bfloat16", "float16", "float8_e4m3fn", "float8_e5m2", "e2m1", "e3m2", "e5m22",
                           "e8m22", "e7m23", "e2m23"}) {
    QTest::newRow(name) << *formats::parse(name);
  }
  QTest::newRow("e7m22fn") << Format{7, 22, true};
  QTest::newRow("e5m23fn") << Format{5, 23, true};
  QTest::newRow("e2m1fn") << Format{2, 1, true};
}

void FormatLayout::limitsAreWhereRoundingChanges() {
  QFETCH(Format, format);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  // The least float32 at or above the limit overflows, the one below does not.
  auto first = static_cast<float>(format.overflow_limit());
  if (static_cast<double>(first) < format.overflow_limit()) first = std::nextafter(first, kInfinity);
  const float last = std::nextafter(first, 0.0f);
  QCOMPARE(static_cast<double>(formats::round(last, format)), format.largest());
  QVERIFY(!std::isfinite(formats::round(first, format)));
  QCOMPARE(static_cast<double>(formats::round(first, format, formats::Overflow::kSaturate)), format.largest());
  // At the underflow limit it is 0, right above it is not.
  const auto zero = static_cast<float>(format.underflow_limit());
  QCOMPARE(formats::round(zero, format), 0.0f);
  const float above = std::nextafter(zero, kInfinity);
  QCOMPARE(static_cast<double>(formats::round(above, format)), format.smallest_subnormal());
}

void FormatLayout::namesAreReadBack() {
  for (const auto& [text, format] :
       {std::pair("float32", formats::kFloat32), std::pair("tfloat32", formats::kTFloat32),
        std::pair("bfloat16", formats::kBFloat16), std::pair("float16", formats::kFloat16),
        std::pair("float8_e4m3fn", formats::kFloat8E4M3fn), std::pair("float8_e5m2", formats::kFloat8E5M2)}) {
    QCOMPARE(formats::name(format), std::string(text));
    QVERIFY(formats::parse(text) == format);
  }
  // The same layout is the same format, whatever it was called.
  QCOMPARE(formats::name(*formats::parse("e5m10")), std::string("float16"));
  QVERIFY(formats::parse("e4m3") != formats::kFloat8E4M3fn);
}

void FormatLayout::everyCustomFormatHasAName() {
  for (int e = 2; e <= 8; ++e) {
    for (int m = 1; m <= 23; ++m) {
      const Format format{e, m};
      QVERIFY2(formats::parse(formats::name(format)) == format, formats::name(format).c_str());
      QVERIFY(formats::parse("e" + std::to_string(e) + "m" + std::to_string(m)) == format);
    }
  }
}

void FormatLayout::otherTextIsNoFormat_data() {
  QTest::addColumn<QByteArray>("text");
  for (const char* text :
       {"",      "e",     "e5",        "e5m",    "m5",    "e1m5",  "e9m5",  "e5m0",   "e5m24",           "e05m2",
        "e5m02", "e5m2 ", " e5m2",     "e5m2fn", "e-5m2", "e+5m2", "e5m-2", "e5m100", "e999999999999m2", "Float16",
        "half",  "fp16",  "float16\n", "e5M2"}) {
    QTest::newRow(text) << QByteArray(text);
  }
  QTest::newRow("a zero byte") << QByteArray("e5m2\0", 5);
}

void FormatLayout::otherTextIsNoFormat() {
  QFETCH(QByteArray, text);
  QVERIFY(!formats::parse(text.toStdString()));
}

void FormatLayout::binadeOfEveryPowerOfTwo() {
  for (int e = -149; e <= 127; ++e) {
    const auto power = static_cast<float>(std::ldexp(1.0, e));
    QCOMPARE(formats::binade(power), e);
    QCOMPARE(formats::binade(-power), e);
    if (e > -149) QCOMPARE(formats::binade(std::nextafter(power, 0.0f)), e - 1);
    if (e > -149) QCOMPARE(formats::binade(std::nextafter(power, std::numeric_limits<float>::infinity())), e);
  }
}

BINADE_SUITE(FormatLayout);
#include "tst_format.moc"
