// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/read_lesson.h"
#include "tests/support/suite.h"

#include <map>
#include <string>

namespace binade::test {

// The order of a lesson's steps: predict, run, reveal, check.
class LessonOrder : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void stepsStandInOrder_data();
  void stepsStandInOrder();
};

void LessonOrder::stepsStandInOrder_data() {
  QTest::addColumn<QString>("steps");  // a letter for each
  QTest::addColumn<QString>("problem");
  QTest::newRow("all") << "prRc"
                       << "";
  QTest::newRow("no run, no reveal") << "pc"
                                     << "";
  QTest::newRow("two rounds") << "prRcprc"
                              << "";
  QTest::newRow("a check before the reveal and one after it") << "prcRc"
                                                              << "";
  QTest::newRow("run first") << "rpRc"
                             << "The run stands before the predict.";
  QTest::newRow("reveal before run") << "pRrc"
                                     << "The reveal stands before the run.";
  QTest::newRow("reveal first") << "Rpc"
                                << "The reveal stands before the predict.";
  QTest::newRow("all checks before the reveal") << "prcR"
                                                << "The check stands before the reveal.";
  QTest::newRow("no predict") << "rRc"
                              << "no predict block";
  QTest::newRow("no check") << "prR"
                            << "no check block";
}

void LessonOrder::stepsStandInOrder() {
  QFETCH(QString, steps);
  QFETCH(QString, problem);
  static const std::map<char, std::string> texts = {
      {'p', "```predict\nWhat?\n- [x] 1 :: Yes.\n- [ ] 2 :: No.\n```\n"},
      {'r', "```run\nkind: train\nsample: mlp\npolicy: cuda-amp\n```\n"},
      {'R', "## Reveal\nText.\n"},
      {'c', "```check\nask: What?\nanswer: 1\n```\n"},
  };
  std::string text = "# Title\nSummary.\n\n";
  for (const char step : steps.toStdString()) text += texts.at(step);
  const auto read = lessons::read_lesson(text, "a.md");
  const auto* problems = std::get_if<1>(&read);
  QCOMPARE(problems == nullptr, problem.isEmpty());
  if (!problems) return;
  QCOMPARE(problems->size(), std::size_t{1});
  QVERIFY2(problems->front().text().find(problem.toStdString()) != std::string::npos, problems->front().text().c_str());
}

BINADE_SUITE(LessonOrder);

}  // namespace binade::test

#include "tst_lesson_order.moc"
