// SPDX-License-Identifier: Apache-2.0
#include "engine/report/html.h"
#include "engine/report/typography.h"
#include "tests/report/page_reader.h"
#include "tests/support/suite.h"

using namespace binade;

namespace {

class Htmls : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void textReadsBackAsItWas_data() {
    QTest::addColumn<QByteArray>("plain");
    QTest::addColumn<QString>("shown");
    QTest::newRow("markup") << QByteArray("<b a=\"1\">&amp;'</b>") << QStringLiteral("<b a=\"1\">&amp;'</b>");
    QTest::newRow("a comment's end") << QByteArray("--> ]]>") << QStringLiteral("--> ]]>");
    QTest::newRow("beyond ASCII") << QByteArray("größer → 2¹⁶") << QStringLiteral("größer → 2¹⁶");
    QTest::newRow("line breaks") << QByteArray("a\nb\tc") << QStringLiteral("a\nb\tc");
    QTest::newRow("control characters") << QByteArray("a\x1b[31m\r\0z", 9) << QStringLiteral("a\\x1b[31m\\x0d\\x00z");
    QTest::newRow("invalid UTF-8") << QByteArray("a\xff z") << QStringLiteral("a\uFFFD z");
    QTest::newRow("no character of XML") << QByteArray("a\xef\xbf\xbf z") << QStringLiteral("a\uFFFD z");
    QTest::newRow("nothing") << QByteArray() << QString();
  }
  void textReadsBackAsItWas() {
    QFETCH(QByteArray, plain);
    QFETCH(QString, shown);
    const std::string text(plain.constData(), static_cast<std::size_t>(plain.size()));
    const auto page = test::readPage("<p>" + report::text(text).markup + "</p>");
    QCOMPARE(page.error, QString());
    QCOMPARE(page.elements.first().text, shown);
  }

  void textIsSafeInAttributes() {
    const auto page = test::readPage("<p title=\"" + report::text("\" onclick='x' <&>").markup + "\"/>");
    QCOMPARE(page.error, QString());
    QCOMPARE(page.elements.first().attributes.size(), 1);
    QCOMPARE(page.elements.first().attributes.value(QStringLiteral("title")), QStringLiteral("\" onclick='x' <&>"));
  }

  void powersOfTwoAreRaised() {
    QCOMPARE(report::typeset("from 2^-12 to 2^16, not 12^3, 2^x or 2^"),
             std::string("from 2⁻¹² to 2¹⁶, not 12^3, 2^x or 2^"));
    QCOMPARE(report::typeset(""), std::string());
    QCOMPARE(report::scale_label(65536), std::string("2¹⁶"));
    QCOMPARE(report::scale_label(3), std::string("3"));
    QCOMPARE(report::number_text(-0.5), std::string("−0.5"));
  }

  void everyRowHasACellForEachColumn() {
    report::Table table({{"Name"}, {"Count", true}});
    table.add({report::text("a"), report::text("1")});
    table.add({report::text("b")});
    const auto page = test::readPage(table.html().markup);
    QCOMPARE(page.error, QString());
    int cells = 0;
    int numbers = 0;
    for (const auto& each : page.elements) {
      cells += each.name == QStringLiteral("td");
      numbers += each.name == QStringLiteral("td") && each.hasClass(QStringLiteral("n"));
    }
    QCOMPARE(cells, 4);
    QCOMPARE(numbers, 2);
  }
};
BINADE_SUITE(Htmls);

}  // namespace

#include "tst_html.moc"
