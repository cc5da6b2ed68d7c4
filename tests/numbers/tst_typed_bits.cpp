// SPDX-License-Identifier: Apache-2.0
#include "engine/numbers/parse_number.h"
#include "tests/support/suite.h"

#include <cmath>

namespace binade::test {

// Bit patterns that a person typed.
class TypedBits : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void isThePattern_data();
  void isThePattern();
  void wrongTextSaysWhy_data();
  void wrongTextSaysWhy();
  void allOnesIsNoInfinityInAFormatWithoutOne();
};

void TypedBits::isThePattern_data() {
  QTest::addColumn<QString>("format");
  QTest::addColumn<QString>("text");
  QTest::addColumn<uint>("bits");
  QTest::newRow("digits") << "float16"
                          << "0011110000000000" << 0x3c00u;
  QTest::newRow("fields") << "float16"
                          << " 0 01111 0000000000 " << 0x3c00u;
  QTest::newRow("spaces anywhere") << "float8_e5m2"
                                   << "1 0\t0 0 0 0 0 1" << 0x81u;
  QTest::newRow("hexadecimal") << "float16"
                               << "0x7BFF" << 0x7bffu;
  QTest::newRow("short hexadecimal") << "float16"
                                     << "0x1" << 0x1u;
  QTest::newRow("leading zeros") << "float16"
                                 << "0X000000000000000003c00" << 0x3c00u;
  QTest::newRow("odd width") << "tfloat32"
                             << "0x7ffff" << 0x7ffffu;
  QTest::newRow("32 bits") << "float32"
                           << "0xffffffff" << 0xffffffffu;
  QTest::newRow("4 bits") << "e2m1"
                          << "1111" << 0xfu;
}

void TypedBits::isThePattern() {
  QFETCH(QString, format);
  QFETCH(QString, text);
  QFETCH(uint, bits);
  const auto parsed = numbers::parse_bits(text.toStdString(), formats::parse(format.toStdString()).value());
  QVERIFY(std::holds_alternative<numbers::Number>(parsed));
  QCOMPARE(std::get<numbers::Number>(parsed).bits, bits);
}

void TypedBits::wrongTextSaysWhy_data() {
  QTest::addColumn<QString>("format");
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("message");
  QTest::newRow("empty") << "float16"
                         << ""
                         << "The text is empty.";
  QTest::newRow("spaces") << "float16"
                          << "  "
                          << "The text is empty.";
  QTest::newRow("too short") << "float16"
                             << "001111000000000"
                             << "The pattern has 15 bits, and float16 has 16 bits.";
  QTest::newRow("too long") << "float8_e4m3fn"
                            << "0 0000 0000"
                            << "The pattern has 9 bits, and float8_e4m3fn has 8 bits.";
  QTest::newRow("one bit") << "e4m3"
                           << "1"
                           << "The pattern has 1 bit, and e4m3 has 8 bits.";
  QTest::newRow("another digit") << "float16"
                                 << "0011110000000002"
                                 << "\"2\" is no binary digit.";
  QTest::newRow("another alphabet") << "float16"
                                    << "0µ"
                                    << "\"µ\" is no binary digit.";
  QTest::newRow("no digits") << "float16"
                             << "0x"
                             << "\"0x\" has no hexadecimal digits behind it.";
  QTest::newRow("no hexadecimal digit") << "float16"
                                        << "0x3c0g"
                                        << "\"g\" is no hexadecimal digit.";
  QTest::newRow("17 bits") << "float16"
                           << "0x10000"
                           << "The pattern is too long: float16 has 16 bits.";
  QTest::newRow("20 bits") << "tfloat32"
                           << "0x80000"
                           << "The pattern is too long: tfloat32 has 19 bits.";
  QTest::newRow("33 bits") << "float32"
                           << "0x100000000"
                           << "The pattern is too long: float32 has 32 bits.";
  QTest::newRow("40 bits") << "float32"
                           << "0xff00000000"
                           << "The pattern is too long: float32 has 32 bits.";
}

void TypedBits::wrongTextSaysWhy() {
  QFETCH(QString, format);
  QFETCH(QString, text);
  QFETCH(QString, message);
  const auto parsed = numbers::parse_bits(text.toStdString(), formats::parse(format.toStdString()).value());
  QVERIFY(std::holds_alternative<numbers::NotANumber>(parsed));
  const auto& wrong = std::get<numbers::NotANumber>(parsed);
  QCOMPARE(QString::fromStdString(wrong.message), message);
  QVERIFY(QString::fromStdString(wrong.hint).startsWith("Type "));
}

void TypedBits::allOnesIsNoInfinityInAFormatWithoutOne() {
  const auto valueOf = [](const char* text, const formats::Format& format) {
    return numbers::value(std::get<numbers::Number>(numbers::parse_bits(text, format)));
  };
  QVERIFY(valueOf("0 1111 000", formats::kFloat8E4M3fn) == 256);  // infinity in IEEE's layout
  QVERIFY(valueOf("0 1111 110", formats::kFloat8E4M3fn) == 448);
  QVERIFY(std::isnan(valueOf("0 1111 111", formats::kFloat8E4M3fn)));
  QVERIFY(std::isinf(valueOf("0 1111 000", formats::Format{4, 3})));
  QVERIFY(valueOf("0 1110 111", formats::Format{4, 3}) == 240);
}

BINADE_SUITE(TypedBits);

}  // namespace binade::test

#include "tst_typed_bits.moc"
