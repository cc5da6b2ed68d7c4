// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/quoting.h"
#include "tests/support/suite.h"

#include <string>

using namespace binade;

// Characters with a meaning in HTML and in CSV.
class Quoting : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void charactersOfHtmlHaveEntities() {
    QCOMPARE(std::string(formats::html_entity('<')), std::string("&lt;"));
    QCOMPARE(std::string(formats::html_entity('\'')), std::string("&#39;"));
    for (const char plain : {'a', ' ', '\n', '\0', '\xc3', ';'}) QVERIFY(formats::html_entity(plain).empty());
  }

  void fieldsOfCsvAreQuotedWhereTheyMustBe() {
    QCOMPARE(formats::csv_field("a b;c"), std::string("a b;c"));
    QCOMPARE(formats::csv_field(""), std::string());
    QCOMPARE(formats::csv_field("a,b"), std::string("\"a,b\""));
    QCOMPARE(formats::csv_field("say \"a\""), std::string("\"say \"\"a\"\"\""));
    QCOMPARE(formats::csv_field("a\r\nb"), std::string("\"a\r\nb\""));
  }
};

BINADE_SUITE(Quoting);
#include "tst_quoting.moc"
