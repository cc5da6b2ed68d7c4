// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/compute_figure.h"
#include "engine/lessons/judge.h"
#include "engine/lessons/read_lesson.h"
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
  void everyFactIsAcceptedAsTheLessonShowsIt();
  void aWrongFactIsRecognizedAsTheLessonShowsIt();
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

/// A lesson with a figure `shown` and an exercise whose answer is one of its facts.
std::string asking_for(std::string_view kind, const std::string& fact) {
  return "# Facts\nA fact is asked for.\n```predict\nOne?\n- [x] Yes :: Yes.\n- [ ] No :: No.\n```\n## "
         "Reveal\n```figure\nname: shown\ncaption: Facts.\nkind: " +
         std::string(kind) + "\n```\n```check\nask: Which?\nanswer: {shown." + fact + "}\n```\n";
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

void JudgedAnswers::everyFactIsAcceptedAsTheLessonShowsIt() {
  for (const lessons::FigureKind& kind : lessons::figure_kinds()) {
    for (const lessons::Fact& fact : lessons::compute(kind, lessons::Parameters(kind)).facts) {
      const std::string name = std::string(kind.name) + '.' + fact.name;
      const std::string text = asking_for(kind.name, fact.name);
      const auto read = lessons::read_lesson(text, "test.md");
      const auto* lesson = std::get_if<lessons::Lesson>(&read);
      QVERIFY2(lesson, lesson ? "" : std::get<1>(read).front().text().c_str());
      const auto& exercise = std::get<lessons::Exercise>(lesson->sections.back().blocks.back());
      QCOMPARE(exercise.answer_text, fact.text);
      QVERIFY2(lessons::judge(exercise, fact.text).verdict == Verdict::kRight, name.c_str());
      if (!fact.text.ends_with(" %") || fact.text.starts_with('<')) continue;
      const std::string number = fact.text.substr(0, fact.text.size() - 2);
      QVERIFY2(lessons::judge(exercise, number).verdict == Verdict::kRight, name.c_str());
    }
  }
}

void JudgedAnswers::aWrongFactIsRecognizedAsTheLessonShowsIt() {
  lessons::Exercise exercise = exercise_with(2048);
  exercise.answer_text = "2048";
  exercise.wrong = {{65519.99609375, "It is the last that rounds down.", "65519.996"}};
  for (const char* text : {"65519.996", "65519.99609375"}) {
    QCOMPARE(lessons::judge(exercise, text).feedback, std::string("It is the last that rounds down."));
  }
  QCOMPARE(lessons::judge(exercise, "65519.997").feedback, std::string("No."));
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
