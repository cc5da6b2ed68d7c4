// SPDX-License-Identifier: Apache-2.0
#include "engine/scaled/scaled_format.h"
#include "tests/support/suite.h"

#include <QSet>

using namespace binade;
using scaled::ScaledFormat;

// Names of scaled formats.
class ScaledFormats : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void namedFormatsAreReadAndWritten();
  void optionsAreReadInAnyOrder();
  void everyCombinationHasItsName();
  void otherTextsAreRejected_data();
  void otherTextsAreRejected();
  void storedBits();
};

void ScaledFormats::namedFormatsAreReadAndWritten() {
  QSet<QByteArray> names;
  for (const scaled::NamedScaledFormat& each : scaled::named_formats()) {
    const std::string name(each.name);
    QVERIFY2(scaled::parse(name) == each.format, name.c_str());
    QCOMPARE(scaled::name(each.format), name);
    QVERIFY(scaled::why_not(name).empty());
    QVERIFY(!each.summary.empty());
    names += QByteArray::fromStdString(name);
  }
  QCOMPARE(names.size(), static_cast<qsizetype>(scaled::named_formats().size()));
}

void ScaledFormats::optionsAreReadInAnyOrder() {
  const std::optional<ScaledFormat> format = scaled::parse("nvfp4+hadamard+stochastic");
  QVERIFY(format.has_value());
  QVERIFY(format->transform && format->rounding == scaled::Rounding::kStochastic);
  QCOMPARE(scaled::name(*format), std::string("nvfp4+stochastic+hadamard"));
  QCOMPARE(scaled::parse("mxfp8+rceil")->rule, scaled::ScaleRule::kRceil);
  QCOMPARE(scaled::parse("fp8_block+pow2")->scale, scaled::ScaleFormat::kPowerOfTwo);
}

void ScaledFormats::everyCombinationHasItsName() {
  int formats = 0;
  for (const scaled::NamedScaledFormat& each : scaled::named_formats()) {
    for (const char* first : {"", "+rceil", "+ceil", "+even", "+pow2"}) {
      for (const char* second : {"", "+stochastic"}) {
        for (const char* third : {"", "+hadamard"}) {
          const std::string name = std::string(each.name) + first + second + third;
          const std::optional<ScaledFormat> format = scaled::parse(name);
          QCOMPARE(format.has_value(), scaled::why_not(name).empty());
          if (!format) continue;
          QCOMPARE(scaled::name(*format), name);
          ++formats;
        }
      }
    }
  }
  // 5 MX formats with 4 rules, 2 of NVFP4, 2 of delayed scaling, 5 other FP8 formats with 2 kinds of scale; 4 each.
  QCOMPARE(formats, 4 * (5 * 4 + 2 + 2 + 5 * 2));
}

void ScaledFormats::otherTextsAreRejected_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QByteArray>("reason");
  QTest::newRow("empty") << QByteArray("") << QByteArray("\"\" is not a scaled format");
  QTest::newRow("unknown") << QByteArray("mxfp9") << QByteArray("these are: mxfp8, mxfp8_e5m2");
  QTest::newRow("case") << QByteArray("MXFP8") << QByteArray("is not a scaled format");
  QTest::newRow("ordinary format") << QByteArray("float16") << QByteArray("is not a scaled format");
  QTest::newRow("unknown option") << QByteArray("mxfp8+up") << QByteArray("these are: rceil, ceil, even, stochastic, ");
  QTest::newRow("no option") << QByteArray("mxfp8+") << QByteArray("\"\" is not an option of mxfp8");
  QTest::newRow("foreign option") << QByteArray("nvfp4+rceil") << QByteArray("nvfp4 cannot have the option \"rceil\"");
  QTest::newRow("delayed") << QByteArray("fp8_delayed+pow2") << QByteArray("cannot have the option \"pow2\"");
  QTest::newRow("twice") << QByteArray("nvfp4+stochastic+stochastic") << QByteArray("twice");
  QTest::newRow("two rules") << QByteArray("mxfp4+rceil+even") << QByteArray("beside another rule");
}

void ScaledFormats::otherTextsAreRejected() {
  QFETCH(QByteArray, text);
  QFETCH(QByteArray, reason);
  QVERIFY(!scaled::parse(text.toStdString()));
  const QByteArray why = QByteArray::fromStdString(scaled::why_not(text.toStdString()));
  QVERIFY2(why.contains(reason), why);
}

void ScaledFormats::storedBits() {
  QCOMPARE(scaled::parse("mxfp8")->bits_per_value(), 8.25);
  QCOMPARE(scaled::parse("mxfp6_e2m3")->bits_per_value(), 6.25);
  QCOMPARE(scaled::parse("nvfp4")->bits_per_value(), 4.5);
  QCOMPARE(scaled::parse("fp8_current")->bits_per_value(), 8.0);
  QCOMPARE(scaled::parse("fp8_block")->bits_per_value(), 8.25);
}

BINADE_SUITE(ScaledFormats);
#include "tst_scaled_format.moc"
