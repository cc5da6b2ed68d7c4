// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/read_lesson.h"
#include "tests/support/suite.h"

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace binade::test {

// What is wrong with a lesson, with lines and next steps.
class LessonProblems : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aFaultIsFoundInItsLine_data();
  void aFaultIsFoundInItsLine();
  void anUnknownFactNamesTheNearestOnesAndWhereAllAreListed();
  void theTitleNeedsASummary();
  void allProblemsOfAFileAreCollected();
  void aFaultyFigureIsReportedOnce();
  void textThatIsNotUtf8IsFoundInItsLine_data();
  void textThatIsNotUtf8IsFoundInItsLine();
  void imagesAreFoundOutsideOfCode();
  void noTextEndsTheReader();
};

namespace {

// Each row of the test replaces one line.
const std::vector<std::string> kValid = {
    "# Title",                    // 1
    "Summary.",                   // 2
    "",                           // 3
    "Text with {sums.changed}.",  // 4
    "```figure",                  // 5
    "name: sums",                 // 6
    "kind: sum",                  // 7
    "count: 4096",                // 8
    "caption: A sum.",            // 9
    "```",                        // 10
    "```predict",                 // 11
    "What comes out?",            // 12
    "- [ ] 1 :: No.",             // 13
    "- [x] 2 :: Yes.",            // 14
    "```",                        // 15
    "```run",                     // 16
    "kind: train",                // 17
    "sample: mlp",                // 18
    "policy: cuda-amp",           // 19
    "```",                        // 20
    "## Reveal",                  // 21
    "```check",                   // 22
    "ask: How many?",             // 23
    "answer: 2048",               // 24
    "wrong 4096: All?",           // 25
    "```",                        // 26
};

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

std::vector<lessons::Problem> problems_of(const std::string& text) {
  auto read = lessons::read_lesson(text, "a.md");
  const auto* problems = std::get_if<1>(&read);
  return problems ? *problems : std::vector<lessons::Problem>();
}

}  // namespace

void LessonProblems::aFaultIsFoundInItsLine_data() {
  QTest::addColumn<int>("line");  // that is replaced
  QTest::addColumn<QString>("with");
  QTest::addColumn<int>("reported");
  QTest::addColumn<QString>("part");
  const auto add = [](const char* name, int line, const char* with, int reported, const char* part) {
    QTest::newRow(name) << line << QString(with) << reported << QString(part);
  };
  add("no title", 1, "Title", 1, "begins with its title");
  add("a second title", 3, "# Again", 3, "second title");
  add("an unknown figure", 4, "{sum.changed}", 4, "Did you mean \"sums\"?");
  add("an unknown fact", 4, "{sums.change}", 4, "Did you mean \"changed\"?");
  add("a directive with a typing error", 5, "```figur", 5, "Did you mean \"figure\"?");
  add("no name", 6, "", 5, "no \"name\"");
  add("an impossible name", 6, "name: My sums", 6, "small letters");
  add("an unknown kind", 7, "kind: summ", 7, "Did you mean \"sum\"?");
  add("an unknown parameter", 8, "counts: 4096", 8, "Did you mean \"count\"?");
  add("a malformed number", 8, "count: 4o96", 8, "number");
  add("a number out of range", 8, "count: 0", 8, "1 to 65536");
  add("no caption", 9, "", 5, "no \"caption\"");
  add("a line that is no field", 9, "caption A sum.", 9, "key: value");
  add("a key that stands twice", 9, "count: 5", 9, "twice");
  add("no question", 12, "", 11, "asks nothing");
  add("no feedback", 13, "- [ ] 1", 13, "no feedback");
  add("two right options", 13, "- [x] 1 :: No.", 14, "second option");
  add("no right option", 14, "- [ ] 2 :: Yes.", 11, "No option");
  add("one option", 13, "", 11, "fewer than two");
  add("a line that is no option", 14, "2 :: Yes.", 14, "no option");
  add("an unknown kind of run", 17, "kind: trian", 17, "Did you mean \"train\"?");
  add("no sample", 18, "", 16, "no \"sample\"");
  add("an unknown policy", 19, "policy: cuda-map", 19, "Did you mean \"cuda-amp\"?");
  add("two policies for one training", 19, "policy: apex-o0 apex-o1", 19, "needs one");
  add("one policy for a comparison", 17, "kind: compare", 19, "2 to 4");
  add("an unknown part of the recipe", 19, "policy: apex-o2\nwithout: los-scale", 20, "Did you mean \"loss-scale\"?");
  add("a part named twice", 19, "policy: apex-o2\nwithout: loss-scale loss-scale", 20, "twice");
  add("no part", 19, "policy: apex-o2\nwithout:", 20, "names no part");
  add("a part of a single training", 19, "policy: apex-o2\nwithout: loss-scale", 20, "kind: compare");
  add("a part of another policy", 17, "kind: compare\nwithout: loss-scale", 20, "policy: apex-o2");
  add("a learning rate of 0", 19, "policy: cuda-amp\nlearning_rate: 0", 20, "learning_rate");
  add("an unknown view", 19, "policy: cuda-amp\nshow: scaled-tale", 20, "Did you mean \"scaled-tail\"?");
  add("no question of an exercise", 23, "", 22, "no \"ask\"");
  add("no answer", 24, "", 22, "no answer");
  add("an answer that is no number", 24, "answer: 2o48", 24, "number");
  add("an unknown fact as answer", 24, "answer: {sums.chnged}", 24, "Did you mean \"changed\"?");
  add("a wrong answer that is right", 25, "wrong 2048: All?", 25, "counts as right");
  add("a wrong answer that is no number", 25, "wrong all: All?", 25, "number");
  add("a negative tolerance", 25, "tolerance: -1", 25, "negative");
  add("both kinds of answer", 25, "names: two", 25, "both");
  add("an unknown key", 25, "hints: Count.", 25, "Did you mean \"hint\"?");
  add("a block without an end", 26, "", 22, "has no end");
}

void LessonProblems::aFaultIsFoundInItsLine() {
  QFETCH(int, line);
  QFETCH(QString, with);
  QFETCH(int, reported);
  QFETCH(QString, part);
  QVERIFY(problems_of(joined(kValid)).empty());
  std::vector<std::string> lines = kValid;
  lines[static_cast<std::size_t>(line - 1)] = with.toStdString();
  const std::vector<lessons::Problem> problems = problems_of(joined(lines));
  std::string all;
  bool found = false;
  for (const lessons::Problem& problem : problems) {
    all += problem.text() + '\n';
    QVERIFY(!problem.message.empty() && !problem.hint.empty());
    const bool there = problem.text().find(part.toStdString()) != std::string::npos;
    found = found || (there && problem.line == static_cast<std::size_t>(reported));
  }
  QVERIFY2(found, all.c_str());
  QVERIFY2(all.find("a.md:" + std::to_string(reported) + ": ") != std::string::npos, all.c_str());
}

void LessonProblems::anUnknownFactNamesTheNearestOnesAndWhereAllAreListed() {
  std::vector<std::string> lines = kValid;
  lines[6] = "kind: mma";
  lines[7] = "step: 3";
  for (const auto& [fact, near] : std::initializer_list<std::pair<const char*, const char*>>{
           {"wide15", "Did you mean \"wide11\", \"wide12\" or \"wide13\"? "}, {"nothing_of_that_kind", ""}}) {
    lines[3] = std::string("{sums.") + fact + '}';
    const auto problems = problems_of(joined(lines));
    QCOMPARE(problems.size(), std::size_t{1});
    QCOMPARE(problems[0].line, std::size_t{4});
    QCOMPARE(problems[0].hint,
             near + std::string("The guide, docs/guide/lessons.md#mma, lists the facts of the kind \"mma\"."));
  }
}

void LessonProblems::theTitleNeedsASummary() {
  std::vector<std::string> lines = kValid;
  lines.erase(lines.begin() + 1, lines.begin() + 4);
  const auto problems = problems_of(joined(lines));
  QCOMPARE(problems.size(), std::size_t{1});
  QCOMPARE(problems[0].line, std::size_t{1});
  QVERIFY(problems[0].message.find("no summary") != std::string::npos);
}

void LessonProblems::allProblemsOfAFileAreCollected() {
  std::vector<std::string> lines = kValid;
  lines[3] = "{sums.nothing} {other.fact}";
  lines[7] = "count: none";
  lines[12] = "- [x] 1 :: No.";
  lines[18] = "policy: none";
  lines[23] = "answer: none";
  const std::vector<lessons::Problem> problems = problems_of(joined(lines));
  std::vector<std::size_t> at;
  for (const lessons::Problem& problem : problems) at.push_back(problem.line);
  // The facts of a figure that is faulty itself are not reported.
  QVERIFY(at == std::vector<std::size_t>({4, 8, 14, 19, 24}));
}

void LessonProblems::aFaultyFigureIsReportedOnce() {
  std::vector<std::string> lines = kValid;
  lines[6] = "kind: nothing";
  QCOMPARE(problems_of(joined(lines)).size(), std::size_t{1});
  lines = kValid;
  const std::vector<std::string> figure(lines.begin() + 4, lines.begin() + 10);
  lines.insert(lines.begin() + 10, figure.begin(), figure.end());  // the same figure again
  const auto problems = problems_of(joined(lines));
  QCOMPARE(problems.size(), std::size_t{1});
  QCOMPARE(problems[0].line, std::size_t{11});
  QVERIFY(problems[0].text().find("line 5") != std::string::npos);
}

void LessonProblems::textThatIsNotUtf8IsFoundInItsLine_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::newRow("Latin-1") << QByteArray("caf\xE9 au lait");
  QTest::newRow("cut") << QByteArray("\xE2\x82");
  QTest::newRow("overlong") << QByteArray("\xC0\xAF");
  QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80");
}

void LessonProblems::textThatIsNotUtf8IsFoundInItsLine() {
  QFETCH(QByteArray, bytes);
  std::vector<std::string> lines = kValid;
  lines[3] = bytes.toStdString();
  lines[8] = bytes.toStdString();
  const auto read = lessons::read_lesson(joined(lines), "lesson.md");
  const auto* problems = std::get_if<1>(&read);
  QVERIFY(problems);
  QCOMPARE(problems->size(), std::size_t{1});
  QCOMPARE(problems->front().text(), std::string("lesson.md:4: This line is not UTF-8. Save the file as UTF-8."));
}

void LessonProblems::imagesAreFoundOutsideOfCode() {
  for (const char* image : {"See ![a plot](plot.png).", "![plot](https://example.org/p.png)", "![plot][1]"}) {
    std::vector<std::string> lines = kValid;
    lines[3] = image;
    const auto read = lessons::read_lesson(joined(lines), "lesson.md");
    const auto* problems = std::get_if<1>(&read);
    QVERIFY2(problems && problems->size() == 1 && problems->front().line == 4, image);
    QVERIFY(problems->front().message.find("image") != std::string::npos);
  }
  for (const char* text : {"`![a plot](plot.png)`", "Look![1]", "A [link](plot.png)!"}) {
    std::vector<std::string> lines = kValid;
    lines[3] = text;
    QVERIFY2(std::holds_alternative<lessons::Lesson>(lessons::read_lesson(joined(lines), "lesson.md")), text);
  }
}

void LessonProblems::noTextEndsTheReader() {
  const std::string whole = joined(kValid);
  for (std::size_t length = 0; length < whole.size(); ++length) {  // cut anywhere
    lessons::read_lesson(whole.substr(0, length), "a.md");
    std::string without = whole;
    without.erase(length, 1);
    lessons::read_lesson(without, "a.md");
  }
  for (const char* text : {"", "\n", "#", "# ", "```", "``````", "{", "{a.", "{a.b}", "\xff\xfe", "- [x] "}) {
    QVERIFY(!problems_of(text).empty());
  }
}

BINADE_SUITE(LessonProblems);

}  // namespace binade::test

#include "tst_lesson_problems.moc"
