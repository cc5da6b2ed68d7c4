// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/prints.h"
#include "tests/support/suite.h"

#include <string>

using namespace binade;

class TestPrints : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aModelCannotControlTheTerminal() {
    QCOMPARE(graph::model_output("\x1b]0;mine\a\r\n"), std::string("model: \\x1b]0;mine\\x07\\x0d\n"));
  }
  void everyLineIsMarkedAndEnds() {
    QCOMPARE(graph::model_output("one\nerror: two\n"), std::string("model: one\nmodel: error: two\n"));
    QCOMPARE(graph::model_output("\nno end"), std::string("model: \nmodel: no end\n"));
    QCOMPARE(graph::model_output(""), std::string());
  }
};

BINADE_SUITE(TestPrints);
#include "tst_prints.moc"
