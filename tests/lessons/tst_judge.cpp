// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/judge.h"
#include "tests/support/suite.h"

#include <limits>
#include <string>

namespace binade::test {

// Typed answers and their feedback.
class JudgedAnswers : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aNumberMayBeWrittenInSeveralWays_data();
  void aNumberMayBeWrittenInSeveralWays();
  void aWrongAnswerHasItsOwnFeedback();
  void theToleranceCountsOnBothSides();
  void infinityAndNanAreAnswers();
  void wordsAreComparedWithoutCase();
  void aFormatHasSeveralNames_data();
  void aFormatHasSeveralNames();
  void articleAndPluralDoNotMatter();
  void thousandsMayBeGrouped_data();
  void thousandsMayBeGrouped();
  void whatIsNoNumberIsExplained();
};

using Verdict = lessons::Judgement::Verdict;

namespace {

lessons::Exercise exercise_with(double answer, double tolerance = 0) {
  lessons::Exercise exercise;
  exercise.answer = answer;
  exercise.tolerance = tolerance;
  exercise.wrong = {{4096.0, "All of them?"}};
  exercise.otherwise = "No.";
  exercise.right = "Yes.";
  return exercise;
}

}  // namespace

void JudgedAnswers::aNumberMayBeWrittenInSeveralWays_data() {
  QTest::addColumn<QString>("text");
  for (const char* text : {"2048", " 2048 ", "2^11", "2048.0", "2.048e3", "0x1p11"})
    QTest::newRow(text) << QString(text);
}

void JudgedAnswers::aNumberMayBeWrittenInSeveralWays() {
  QFETCH(QString, text);
  const lessons::Judgement judged = lessons::judge(exercise_with(2048), text.toStdString());
  QVERIFY(judged.verdict == Verdict::kRight);
  QCOMPARE(judged.feedback, std::string("Yes."));
}

void JudgedAnswers::aWrongAnswerHasItsOwnFeedback() {
  QCOMPARE(lessons::judge(exercise_with(2048), "4096").feedback, std::string("All of them?"));
  QCOMPARE(lessons::judge(exercise_with(2048), "4097").feedback, std::string("No."));
  QVERIFY(lessons::judge(exercise_with(2048), "2^12").verdict == Verdict::kWrong);
}

void JudgedAnswers::theToleranceCountsOnBothSides() {
  const lessons::Exercise exercise = exercise_with(0.5, 0.125);
  for (const char* text : {"0.375", "0.5", "0.625"}) QVERIFY(lessons::judge(exercise, text).verdict == Verdict::kRight);
  for (const char* text : {"0.37", "0.63"}) QVERIFY(lessons::judge(exercise, text).verdict == Verdict::kWrong);
}

void JudgedAnswers::infinityAndNanAreAnswers() {
  const lessons::Exercise infinite = exercise_with(std::numeric_limits<double>::infinity());
  QVERIFY(lessons::judge(infinite, "inf").verdict == Verdict::kRight);
  QVERIFY(lessons::judge(infinite, "-inf").verdict == Verdict::kWrong);
  QVERIFY(lessons::judge(infinite, "65504").verdict == Verdict::kWrong);
  QVERIFY(lessons::judge(exercise_with(std::numeric_limits<double>::quiet_NaN()), "nan").verdict == Verdict::kRight);
}

void JudgedAnswers::wordsAreComparedWithoutCase() {
  lessons::Exercise exercise;
  exercise.answer = std::vector<std::string>{"conv1", "layer 1"};
  exercise.wrong = {{std::string("conv2"), "The next one."}};
  exercise.otherwise = "No.";
  for (const char* text : {"conv1", "Conv1", " layer 1 "}) {
    QVERIFY(lessons::judge(exercise, text).verdict == Verdict::kRight);
  }
  QCOMPARE(lessons::judge(exercise, "CONV2").feedback, std::string("The next one."));
  QCOMPARE(lessons::judge(exercise, "").feedback, std::string("No."));
}

void JudgedAnswers::aFormatHasSeveralNames_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("format");
  for (const char* text : {"float32", "FP32", "float 32", "the float32"}) QTest::newRow(text) << text << "float32";
  for (const char* text : {"fp16", "half", "Float  16"}) QTest::newRow(text) << text << "float16";
  for (const char* text : {"BF16", "bfloat16"}) QTest::newRow(text) << text << "bfloat16";
}

void JudgedAnswers::aFormatHasSeveralNames() {
  QFETCH(QString, text);
  QFETCH(QString, format);
  for (const char* asked : {"float32", "float16", "bfloat16"}) {
    lessons::Exercise exercise;
    exercise.answer = std::vector<std::string>{asked};
    const bool right = lessons::judge(exercise, text.toStdString()).verdict == Verdict::kRight;
    QCOMPARE(right, format == QString(asked));
  }
}

void JudgedAnswers::articleAndPluralDoNotMatter() {
  lessons::Exercise exercise;
  exercise.answer = std::vector<std::string>{"input"};
  for (const char* text : {"the input", "inputs", "The Inputs"}) {
    QVERIFY2(lessons::judge(exercise, text).verdict == Verdict::kRight, text);
  }
  for (const char* text : {"the", "inputting", "s"}) {
    QVERIFY2(lessons::judge(exercise, text).verdict == Verdict::kWrong, text);
  }
}

void JudgedAnswers::thousandsMayBeGrouped_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<double>("number");
  QTest::newRow("commas") << "2,000,000" << 2e6;
  QTest::newRow("spaces") << "2 000 000" << 2e6;
  QTest::newRow("sign and fraction") << "-65,519.5" << -65519.5;
  QTest::newRow("no groups") << "2000000" << 2e6;
}

void JudgedAnswers::thousandsMayBeGrouped() {
  QFETCH(QString, text);
  QFETCH(double, number);
  QVERIFY(lessons::judge(exercise_with(number), text.toStdString()).verdict == Verdict::kRight);
}

void JudgedAnswers::whatIsNoNumberIsExplained() {
  for (const char* text : {"", "many", "20 48 x", "20 48", "2,0", "0,001", "1,0000", "1,", "1e", "--1"}) {
    const lessons::Judgement judged = lessons::judge(exercise_with(2048), text);
    QVERIFY2(judged.verdict == Verdict::kUnreadable, text);
    QVERIFY(judged.feedback.size() > 10);
  }
}

BINADE_SUITE(JudgedAnswers);

}  // namespace binade::test

#include "tst_judge.moc"
