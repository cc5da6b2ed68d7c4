// SPDX-License-Identifier: Apache-2.0
// Numbers within sentences.
#include "engine/words/numbers.h"
#include "engine/words/scale_text.h"
#include "tests/support/suite.h"

#include <cmath>
#include <limits>

using namespace binade;

class NumbersText : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void onlyAllIsAHundredPercentAndOnlyNothingIsZero() {
    QCOMPARE(words::percent(1), std::string("100 %"));
    QCOMPARE(words::percent(0.996), std::string("> 99 %"));
    QCOMPARE(words::percent(0.993), std::string("99 %"));
    QCOMPARE(words::percent(0.043), std::string("4.3 %"));
    QCOMPARE(words::percent(0.0002), std::string("0.02 %"));
    QCOMPARE(words::percent(1e-7), std::string("< 0.001 %"));
    QCOMPARE(words::percent(0), std::string("0 %"));
    QCOMPARE(words::percent(2.5), std::string("250 %"));  // an error may exceed the value
  }

  void aFormatsEndIsWrittenOut() {
    QCOMPARE(words::figure(65504), std::string("65504"));
    QCOMPARE(words::figure(71000.25), std::string("71000"));
    QCOMPARE(words::figure(345000), std::string("345000"));
    QCOMPARE(words::figure(448), std::string("448"));
    QCOMPARE(words::figure(-57344), std::string("-57344"));
    QCOMPARE(words::figure(0.0134), std::string("0.0134"));
    QCOMPARE(words::figure(std::numeric_limits<float>::max()), std::string("3.403e+38"));
    QCOMPARE(words::figure(std::numeric_limits<double>::infinity()), std::string("inf"));
    QCOMPARE(words::figure(std::copysign(std::numeric_limits<double>::quiet_NaN(), -1)), std::string("nan"));
  }

  void unitsSuitTheSize() {
    QCOMPARE(words::duration(0.0125), std::string("12.5 ms"));
    QCOMPARE(words::duration(1.25), std::string("1.25 s"));
    QCOMPARE(words::duration(0.00034), std::string("340 µs"));
    QCOMPARE(words::duration(5.274e-8), std::string("52.74 ns"));
    QCOMPARE(words::duration(0), std::string("0 ms"));
    QCOMPARE(words::bytes(512), std::string("512 B"));
    QCOMPARE(words::bytes(1536), std::string("1.536 kB"));
    QCOMPARE(words::bytes(3e9), std::string("3 GB"));
    QCOMPARE(words::bytes(999999), std::string("1 MB"));
  }

  void aLossScaleIsAPowerOfTwoOrHasAllItsDigits() {
    QCOMPARE(words::scale_text(65536), std::string("2^16"));
    QCOMPARE(words::scale_text(0.25), std::string("2^-2"));
    QCOMPARE(words::scale_text(49152), std::string("49152"));  // the mean of two
    QCOMPARE(words::scale_text(0.3), std::string("0.3"));
  }
};

BINADE_SUITE(NumbersText);
#include "tst_numbers.moc"
