// SPDX-License-Identifier: Apache-2.0
#include "tests/support/suite.h"
#include "views/plot/axis.h"
#include "views/plot/csv.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QImage>
#include <QLocale>

#include <cmath>
#include <limits>
#include <optional>

namespace binade::views {

class Numbers : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

  void textOfNumbers_data() {
    QTest::addColumn<QString>("found");
    QTest::addColumn<QString>("expected");
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    const auto row = [](const char* name, const QString& found, const char* expected) {
      QTest::newRow(name) << found << QString::fromUtf8(expected);
    };
    row("power", powerOfTwo(19), "2¹⁹");
    row("negative power", powerOfTwo(-24), "2⁻²⁴");
    row("scale", scaleText(65536), "2¹⁶");
    row("scale below one", scaleText(0.25), "2⁻²");
    row("scale that is no power", scaleText(1000), "1,000");
    row("grouped", grouped(524288), "524,288");
    row("true minus", grouped(-1234), "−1,234");
    row("share", share(0.0016), "0.16 %");
    row("tiny share", share(1e-9), "< 0.01 %");
    row("no share", share(0), "0");
    row("all", share(1), "100 %");
    row("nearly all is not all", share(0.999999), "99.99 %");
    row("unknown share", share(nan), "–");
    row("microseconds", duration(21e-6), "21.0 µs");
    row("milliseconds", duration(0.00142), "1.42 ms");
    row("just below a second", duration(0.99999), "1.00 s");
    row("seconds", duration(12.345), "12.3 s");
    row("unknown time", duration(nan), "–");
    row("doublings", doublings(0.5), "0.5");
    row("doublings lost", doublings(-2), "−2.0");
    row("no negative zero", doublings(-0.01), "0.0");
    row("doublings of zeros", doublings(inf), "∞");
    row("figure", figure(0.34449), "0.344");
    row("figure rounds up a place", figure(9.996), "10.0");
    row("small figure", figure(1.234e-5), "1.23 × 10⁻⁵");
    row("large figure", figure(-2.5e8), "−2.50 × 10⁸");
    row("NaN", figure(nan), "NaN");
    row("minus infinity", figure(-inf), "−inf");
  }

  void textOfNumbers() {
    QFETCH(QString, found);
    QFETCH(QString, expected);
    QCOMPARE(found, expected);
  }

  void raisedFiguresAreSmallerThanTheirBase() {
    const QFont font = figureFont(20);
    const double plain = textWidth(font, QStringLiteral("219"));
    const double raised = textWidth(font, QStringLiteral("2¹⁹"));
    QVERIFY(raised < plain);
    QVERIFY(raised > textWidth(font, QStringLiteral("2")));
  }

  void raisedFiguresStandAboveTheBaseline() {
    QImage image(60, 30, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setFont(figureFont(20));
    drawText(painter, image.rect(), Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("2⁹"));
    painter.end();
    const int base = static_cast<int>(textWidth(figureFont(20), QStringLiteral("2")));
    const auto lowestInk = [&](int from, int to) {
      for (int y = image.height() - 1; y >= 0; --y) {
        for (int x = from; x < to; ++x) {
          if (qGray(image.pixel(x, y)) < 128) return y;
        }
      }
      return -1;
    };
    QVERIFY(lowestInk(base, image.width()) < lowestInk(0, base) - 3);
  }

  void ticksStandAtOneTwoOrFive_data() {
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<QString>("labels");
    QTest::newRow("loss") << 0.0 << 2.5 << QStringLiteral("0.0 0.5 1.0 1.5 2.0 2.5");
    QTest::newRow("steps of two") << 0.0 << 10.0 << QStringLiteral("0 2 4 6 8 10");
    QTest::newRow("across zero") << -1.0 << 1.0 << QStringLiteral("−1.0 −0.5 0.0 0.5 1.0");
    QTest::newRow("hundredths") << 0.0 << 0.05 << QStringLiteral("0.00 0.01 0.02 0.03 0.04 0.05");
    QTest::newRow("nothing in an empty range") << 1.0 << 1.0 << QString();
  }

  void ticksStandAtOneTwoOrFive() {
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(QString, labels);
    QStringList found;
    for (const Tick& tick : linearTicks({low, high}, 5)) found << tick.label;
    QCOMPARE(found.join(QLatin1Char(' ')), labels);
  }

  void stepTicksAreWholeNumbers() {
    const auto close = stepTicks({10, 12.5}, 10);
    QCOMPARE(close.size(), std::size_t{3});
    QCOMPARE(close.front().label, QStringLiteral("10"));
    QCOMPARE(stepTicks({0, 1444}, 8).back().label, QStringLiteral("1,400"));
  }

  void labelsOfALowChartDoNotOverprintEachOther() {
    const auto ticks = binadeTicks({8, 24}, 4);
    QVERIFY(ticks.size() >= 3);
    QCOMPARE(labelsApart(ticks, 20, 15), ticks);  // 20 pixels for each binade
    const auto low = labelsApart(ticks, 40.0 / 16, 15);
    QVERIFY(low.size() < ticks.size());
    for (std::size_t i = 1; i < low.size(); ++i) QVERIFY((low[i].value - low[i - 1].value) * 40 / 16 >= 15);
    QCOMPARE(low.back(), ticks.back());  // it may carry the unit
    QCOMPARE(labelsApart(ticks, 0.01, 15).size(), std::size_t{1});
    QVERIFY(labelsApart({}, 1, 15).empty());
  }

  void binadeTicksStandOnWholeEights() {
    const auto ticks = binadeTicks({-32, 24}, 8);
    QCOMPARE(ticks.size(), std::size_t{8});
    QCOMPARE(ticks.front().label, QStringLiteral("2⁻³²"));
    QCOMPARE(ticks.back().label, QStringLiteral("2²⁴"));
    QCOMPARE(binadeTicks({13, 26}, 4).front().value, 16.0);
  }

  void aWidenedRangeHoldsItsDataAndEndsOnTicks() {
    const Range wide = widened({0, 2.71});
    QCOMPARE(wide.low, 0.0);
    QCOMPARE(wide.high, 3.0);
    const Range flat = widened({0.05, 0.05});
    QVERIFY(flat.low < 0.05 && flat.high > 0.05);
  }

  void csvFieldsAreQuotedWhereNeeded() {
    QCOMPARE(csvLine({QStringLiteral("a,b"), QStringLiteral("say \"x\""), QStringLiteral("c")}),
             QStringLiteral("\"a,b\",\"say \"\"x\"\"\",c\r\n"));
  }

  void aPlainNumberReadsBackAsTheSame() {
    QCOMPARE(plainNumber(0.1), QStringLiteral("0.1"));
    QCOMPARE(plainNumber(1e-8), QStringLiteral("1e-08"));
    QCOMPARE(plainNumber(1e300).toDouble(), 1e300);
    QCOMPARE(plainNumber(std::nan("")), QStringLiteral("nan"));
    QCOMPARE(plainNumber(-std::numeric_limits<double>::infinity()), QStringLiteral("-inf"));
    // No locale groups or separates its digits.
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    const QString text = plainNumber(1234567.5);
    QLocale::setDefault(before);
    QCOMPARE(text, QStringLiteral("1234567.5"));
  }

  void numbersFollowTheLocale() {
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    const QStringList texts{grouped(1234567),  percent(41.54),    figure(0.125),  share(0.0016),
                            duration(1.42e-3), decimals(-0.5, 2), doublings(-2.5)};
    QLocale::setDefault(before);
    QCOMPARE(texts, QStringList({QStringLiteral("1.234.567"), QStringLiteral("41,5 %"), QStringLiteral("0,125"),
                                 QStringLiteral("0,16 %"), QStringLiteral("1,42 ms"), QStringLiteral("−0,50"),
                                 QStringLiteral("−2,5")}));
  }

  void aTypedNumberIsReadAsInFilesAndAsInTheWindow_data() {
    QTest::addColumn<bool>("german");
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("value");
    QTest::newRow("point") << false << QStringLiteral(" 0.001 ") << 0.001;
    QTest::newRow("groups") << false << QStringLiteral("1,024.5") << 1024.5;
    QTest::newRow("true minus") << false << QStringLiteral("−0.5") << -0.5;
    QTest::newRow("point in German") << true << QStringLiteral("0.001") << 0.001;
    QTest::newRow("exponent in German") << true << QStringLiteral("1.5e-5") << 1.5e-5;
    QTest::newRow("comma in German") << true << QStringLiteral("0,001") << 0.001;
    QTest::newRow("groups in German") << true << QStringLiteral("1.024.000,5") << 1024000.5;
  }
  void aTypedNumberIsReadAsInFilesAndAsInTheWindow() {
    QFETCH(const bool, german);
    QFETCH(const QString, text);
    QFETCH(const double, value);
    const QLocale before;
    if (german) QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    const std::optional<double> read = typedNumber(text);
    QLocale::setDefault(before);
    QVERIFY(read.has_value());
    QCOMPARE(*read, value);
  }

  void whatIsNoFiniteNumberIsNotRead() {
    for (const char* text : {"", "abc", "nan", "inf", "0,001", "1..5"}) {
      QVERIFY2(!typedNumber(QString::fromLatin1(text)).has_value(), text);
    }
  }
};

BINADE_SUITE(Numbers);

}  // namespace binade::views

#include "tst_numbers.moc"
