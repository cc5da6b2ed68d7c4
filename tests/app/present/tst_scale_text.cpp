// SPDX-License-Identifier: Apache-2.0
#include "app/present/scale_text.h"
#include "app/present/scaler_text.h"
#include "tests/support/suite.h"
#include "views/values/typography.h"

#include <QLocale>
#include <QScopeGuard>
#include <QTest>

#include <limits>
#include <optional>
#include <string>

namespace {

class ScaleTexts : public binade::test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aScaleIsReadAsPeopleWriteIt_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("scale");
    QTest::newRow("power") << QStringLiteral("2^17") << 131072.0;
    QTest::newRow("negative power") << QStringLiteral("2^-3") << 0.125;
    QTest::newRow("python") << QStringLiteral("2**16") << 65536.0;
    QTest::newRow("raised") << QStringLiteral("2¹⁹") << 524288.0;
    QTest::newRow("raised negative") << QStringLiteral("2⁻²") << 0.25;
    QTest::newRow("plain") << QStringLiteral("131072") << 131072.0;
    QTest::newRow("grouped") << QStringLiteral("131,072") << 131072.0;
    QTest::newRow("spaces") << QStringLiteral("  2 ^ 4 ") << 16.0;
    QTest::newRow("decimal") << QStringLiteral("1.5e3") << 1500.0;
  }
  void aScaleIsReadAsPeopleWriteIt() {
    QFETCH(QString, text);
    QFETCH(double, scale);
    const auto read = binade::app::parseScale(text);
    QVERIFY(read.has_value());
    QCOMPARE(*read, scale);
  }

  void aScaleIsReadAsAReaderOfGermanWritesIt() {
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    const auto grouped = binade::app::parseScale(QStringLiteral("65.536"));
    const auto comma = binade::app::parseScale(QStringLiteral("0,5"));
    const auto point = binade::app::parseScale(QStringLiteral("0.001"));
    QLocale::setDefault(before);
    QCOMPARE(grouped, std::optional(65536.0));
    QCOMPARE(comma, std::optional(0.5));
    QCOMPARE(point, std::optional(0.001));
  }

  void whatIsNoScaleIsRefused_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"", "abc", "0", "-4", "2^", "2^x", "2^5000", "inf", "nan", "2^1.5", "1 2 x"}) {
      QTest::newRow(text) << QString::fromLatin1(text);
    }
  }
  void whatIsNoScaleIsRefused() {
    QFETCH(QString, text);
    QVERIFY(!binade::app::parseScale(text).has_value());
  }

  void powersInASentenceAreRaised() {
    QCOMPARE(binade::views::typeset(QStringLiteral("from 2^24 down to 2^-3, not 2^")),
             QStringLiteral("from 2²⁴ down to 2⁻³, not 2^"));
  }

  void signedNumbersInASentenceHaveAMinus() {
    QCOMPARE(binade::views::typesetFigures("Loss -0.5 (-1.2e-05 to 2e+07), -inf; layer-1, 2^-3, --steps 3, at 10-20"),
             QStringLiteral("Loss −0.5 (−1.2 × 10⁻⁵ to 2 × 10⁷), −inf; layer-1, 2⁻³, --steps 3, at 10-20"));
  }

  void exponentsOfNumbersAreRaised_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");
    const auto row = [](const char* text, const QString& shown) {
      QTest::newRow(text) << QString(QLatin1String(text)) << shown;
    };
    row("3.4028235e38", QStringLiteral("3.4028235 × 10³⁸"));
    row("1.5e+38, 12e2.", QStringLiteral("1.5 × 10³⁸, 12 × 10²."));
    row("1e-05 or -1e-8", QStringLiteral("10⁻⁵ or −10⁻⁸"));
    row("1.0e-5", QStringLiteral("1.0 × 10⁻⁵"));
    for (const char* kept : {"0x1e38", "0x1.8e38", "e4m3", "float8_e4m3fn", "layer1e5", "block.1e5", "layer-1e5",
                             "1e5.pt", "1e5m2", "3e8f"}) {
      row(kept, QString(QLatin1String(kept)));
    }
  }
  void exponentsOfNumbersAreRaised() {
    QFETCH(const QString, text);
    QTEST(binade::views::typesetFigures(text.toStdString()), "shown");
  }

  void aTextThatIsOneNumberIsGrouped_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("english");
    QTest::addColumn<QString>("german");
    const auto row = [](const char* text, const QString& english, const QString& german) {
      QTest::newRow(text) << QString(QLatin1String(text)) << english << german;
    };
    row("65504", QStringLiteral("65,504"), QStringLiteral("65.504"));
    row("-65504", QStringLiteral("−65,504"), QStringLiteral("−65.504"));
    row("8388608", QStringLiteral("8,388,608"), QStringLiteral("8.388.608"));
    row("65519.996", QStringLiteral("65,519.996"), QStringLiteral("65.519,996"));
    row("0.0244 %", QStringLiteral("0.0244 %"), QStringLiteral("0,0244 %"));
    row("3.4028235e38", QStringLiteral("3.4028235 × 10³⁸"), QStringLiteral("3,4028235 × 10³⁸"));
    row("1e-5", QStringLiteral("10⁻⁵"), QStringLiteral("10⁻⁵"));
    row("1024", QStringLiteral("1024"), QStringLiteral("1024"));
    row("2^-24", QStringLiteral("2⁻²⁴"), QStringLiteral("2⁻²⁴"));
    for (const char* kept : {"00101", "0111101111111111", "scaled by 65536", "10000, 20000", "10000 20000", "0x7bff",
                             "float16", "inf", ""}) {
      row(kept, QString(QLatin1String(kept)), QString(QLatin1String(kept)));
    }
  }
  void aTextThatIsOneNumberIsGrouped() {
    QFETCH(const QString, text);
    const QLocale before;
    const auto restore = qScopeGuard([&before] { QLocale::setDefault(before); });
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    QTEST(binade::views::typesetNumber(text.toStdString()), "english");
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    QTEST(binade::views::typesetNumber(text.toStdString()), "german");
  }

  void stepsInASentenceAreGrouped() {
    QCOMPARE(binade::views::typeset(
                 std::string("overflowed at step 1051, scale 2^18; not at step 999, nor in steps 12000 to 2")),
             QStringLiteral("overflowed at step 1,051, scale 2¹⁸; not at step 999, nor in steps 12,000 to 2"));
  }

  void aPowerOfTwoIsShownWithItsValue() {
    QCOMPARE(binade::app::scaleWithValue(524288), QStringLiteral("2¹⁹ (524,288)"));
    QCOMPARE(binade::app::parseScale(QStringLiteral("2¹⁹")), std::optional(524288.0));
    QVERIFY(!binade::app::scaleWithValue(1000).contains(u'('));
  }

  void anEditOfAScalerSaysWhatChangedAndOfWhich() {
    using binade::app::scalerEditText;
    binade::app::ScalerEdit edit{.step = 7, .before = std::nullopt, .after = {}, .scale = 1024};
    QCOMPARE(scalerEditText(edit), QStringLiteral("scale set to 2¹⁰"));
    edit.before = edit.after;
    QCOMPARE(scalerEditText(edit), QStringLiteral("scale set to 2¹⁰"));
    edit.after.growth_interval = 200;
    edit.after.minimum = 1;
    QCOMPARE(scalerEditText(edit), QStringLiteral("growth interval 2,000 to 200, floor none to 2⁰"));
    edit.after.id = "critic";
    QVERIFY(scalerEditText(edit).startsWith(QStringLiteral("critic: growth interval")));
  }
};

BINADE_SUITE(ScaleTexts);

}  // namespace

#include "tst_scale_text.moc"
