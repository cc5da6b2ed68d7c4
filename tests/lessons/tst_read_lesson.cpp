// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/compute_figure.h"
#include "engine/lessons/read_lesson.h"
#include "engine/lessons/trainings.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QFile>

#include <algorithm>
#include <string>

namespace binade::test {

// Lesson files as values.
class LessonFiles : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aShortLesson();
  void factsAreFilledIn();
  void everyKindOfBlock();
  void aComparisonSwitchesPartsOfTheRecipeOff();
  void aRunMayShowAScaledTail();
  void aValueGoesOnInIndentedLines();
  void codeStaysAsItIs();
  void everyLineEndIsRead_data();
  void everyLineEndIsRead();
  void aByteOrderMarkIsNoPartOfTheTitle();
  void theLessonInTheGuideIsValid();
  void everyShippedLessonIsValid();
};

namespace {

// Twelve lines, and a teacher has a lesson.
const std::string kShort = R"(# Halves
float16 is half as long as float32.
```predict
How many bytes has a float16?
- [x] 2 :: 16 bits are 2 bytes.
- [ ] 4 :: That is a float32.
```
## Check
```check
ask: How many bits has a float16?
answer: 16
```
)";

lessons::Lesson lesson_of(const std::string& text) {
  auto read = lessons::read_lesson(text, "lesson.md");
  if (const auto* problems = std::get_if<1>(&read)) qFatal("%s", problems->front().text().c_str());
  return std::get<0>(std::move(read));
}

template <class Block>
const Block& block_of(const lessons::Lesson& lesson, std::size_t section, std::size_t index) {
  return std::get<Block>(lesson.sections.at(section).blocks.at(index));
}

const std::string kWhole = R"(# Sums {of braces}

A summary
in two lines.

Sixteen times {sums.sequential}.

```predict
The sum ends at
- [ ] {sums.exact} :: The true sum.
- [x] {sums.sequential} :: Half a step
  is lost.
```
```run
kind: compare
sample: mlp
steps: 50
policy: apex-o0 apex-o3
scale: 2^10
show: loss-scale
limit_s: 10
```

## Reveal
Look.

```figure
name: sums
kind: sum
count: 4096
value: 16
caption: {sums.changed} additions
```
```python
f"{sums.exact}"
```
And on.

## Check

```check
ask: How many additions change the sum?
answer: {sums.changed}
tolerance: 1
hint: Count.
wrong {sums.exact}: All of them?
wrong 4096: {sums.changed}
  and no more.
otherwise: No.
right: Yes.
```
```check
ask: Which call?
names: conv1/aten::conv2d | conv1
wrong aten::exp: Not this one.
```
)";

}  // namespace

void LessonFiles::aShortLesson() {
  const lessons::Lesson lesson = lesson_of(kShort);
  QCOMPARE(lesson.title, std::string("Halves"));
  QCOMPARE(lesson.summary, std::string("float16 is half as long as float32."));
  QCOMPARE(lesson.sections.size(), std::size_t{2});
  QVERIFY(lesson.sections[0].title.empty());
  QCOMPARE(lesson.sections[1].title, std::string("Check"));
  const auto& prediction = block_of<lessons::Prediction>(lesson, 0, 0);
  QCOMPARE(prediction.question, std::string("How many bytes has a float16?"));
  QCOMPARE(prediction.options.size(), std::size_t{2});
  QVERIFY(prediction.options[0].right && !prediction.options[1].right);
  QCOMPARE(prediction.options[1].feedback, std::string("That is a float32."));
  const auto& exercise = block_of<lessons::Exercise>(lesson, 1, 0);
  QCOMPARE(std::get<double>(exercise.answer), 16.0);
  QVERIFY(!exercise.right.empty() && !exercise.otherwise.empty());
  QCOMPARE(std::count(kShort.begin(), kShort.end(), '\n'), 12);
}

void LessonFiles::factsAreFilledIn() {
  const lessons::Lesson lesson = lesson_of(kWhole);
  QCOMPARE(lesson.title, std::string("Sums {of braces}"));
  QCOMPARE(lesson.summary, std::string("A summary in two lines."));
  QCOMPARE(block_of<lessons::Prose>(lesson, 0, 0).markdown, std::string("Sixteen times 32768."));
  const auto& prediction = block_of<lessons::Prediction>(lesson, 0, 1);
  QCOMPARE(prediction.options[0].text, std::string("65536"));
  QCOMPARE(prediction.options[1].text, std::string("32768"));
  const auto& figure = block_of<lessons::Figure>(lesson, 1, 1);
  QCOMPARE(figure.caption, std::string("2048 additions"));
  const auto& exercise = block_of<lessons::Exercise>(lesson, 2, 0);
  QCOMPARE(std::get<double>(exercise.answer), 2048.0);
  QCOMPARE(std::get<double>(exercise.wrong[0].answer), 65536.0);
  QCOMPARE(exercise.wrong[1].feedback, std::string("2048 and no more."));
}

void LessonFiles::everyKindOfBlock() {
  const lessons::Lesson lesson = lesson_of(kWhole);
  const auto& run = block_of<lessons::Experiment>(lesson, 0, 2);
  QVERIFY(run.kind == lessons::RunKind::kCompare && run.show == lessons::RunView::kLossScale);
  QCOMPARE(run.sample, std::string("mlp"));
  QCOMPARE(run.steps, 50);
  QCOMPARE(run.limit_s, 10);
  QCOMPARE(run.scale.value_or(0), 1024.0);
  QVERIFY(run.policies == std::vector<policy::Base>({policy::Base::kApexO0, policy::Base::kApexO3}));
  const auto& figure = block_of<lessons::Figure>(lesson, 1, 1);
  QVERIFY(figure.kind == lessons::find_kind("sum"));
  QCOMPARE(figure.parameters.count("count"), 4096);
  QVERIFY(figure.parameters.format("format") == formats::kFloat16);  // the preset
  const auto& exercise = block_of<lessons::Exercise>(lesson, 2, 0);
  QCOMPARE(exercise.tolerance, 1.0);
  QCOMPARE(exercise.hint, std::string("Count."));
  const auto& words = block_of<lessons::Exercise>(lesson, 2, 1);
  QVERIFY(std::get<1>(words.answer) == std::vector<std::string>({"conv1/aten::conv2d", "conv1"}));
  QCOMPARE(std::get<std::string>(words.wrong[0].answer), std::string("aten::exp"));
}

namespace {

// kShort with a run block after its prediction.
lessons::Experiment run_of(const std::string& fields) {
  std::string text = kShort;
  text.insert(text.find("## Check"), "```run\n" + fields + "```\n");
  return block_of<lessons::Experiment>(lesson_of(text), 0, 1);
}

}  // namespace

void LessonFiles::aComparisonSwitchesPartsOfTheRecipeOff() {
  const lessons::Experiment run = run_of(
      "kind: compare\nsample: mlp\npolicy: apex-o2\nwithout: loss-scale master-weights\nscale: 256\n"
      "learning_rate: 3e-5\n");
  QCOMPARE(run.learning_rate.value_or(0), 3e-5);
  const std::vector<lessons::Training> trainings = lessons::trainings_of(run);
  QCOMPARE(trainings.size(), std::size_t{3});
  QCOMPARE(trainings[0].name, std::string("apex-o2"));
  QCOMPARE(trainings[0].scale.value_or(0), 256.0);
  QCOMPARE(trainings[1].name, std::string("apex-o2 without loss scaling"));
  QVERIFY(trainings[1].policy == policy::Base::kApexO2);
  QCOMPARE(trainings[1].scale.value_or(0), 1.0);
  QCOMPARE(trainings[2].name, std::string("apex-o2 without master weights"));
  QVERIFY(trainings[2].policy == policy::Base::kApexO3 && !trainings[2].scale);
}

void LessonFiles::aRunMayShowAScaledTail() {
  const lessons::Experiment run = run_of("kind: train\nsample: deep\npolicy: all-float32\nshow: scaled-tail\n");
  QVERIFY(run.show == lessons::RunView::kScaledTail);
  QVERIFY(!run.learning_rate && run.without.empty());
  QCOMPARE(lessons::trainings_of(run).size(), std::size_t{1});
}

void LessonFiles::aValueGoesOnInIndentedLines() {
  QCOMPARE(block_of<lessons::Prediction>(lesson_of(kWhole), 0, 1).options[1].feedback,
           std::string("Half a step is lost."));
}

void LessonFiles::codeStaysAsItIs() {
  QCOMPARE(block_of<lessons::Prose>(lesson_of(kWhole), 1, 2).markdown,
           std::string("```python\nf\"{sums.exact}\"\n```\n\nAnd on."));
}

void LessonFiles::everyLineEndIsRead_data() {
  QTest::addColumn<QString>("end");
  QTest::newRow("Windows") << "\r\n";
  QTest::newRow("old Mac") << "\r";
}

void LessonFiles::everyLineEndIsRead() {
  QFETCH(QString, end);
  std::string text;
  for (const char each : kWhole) text += each == '\n' ? end.toStdString() : std::string(1, each);
  QCOMPARE(block_of<lessons::Prose>(lesson_of(text), 0, 0).markdown, std::string("Sixteen times 32768."));
  QCOMPARE(std::get<double>(block_of<lessons::Exercise>(lesson_of(text), 2, 0).answer), 2048.0);
}

void LessonFiles::aByteOrderMarkIsNoPartOfTheTitle() {
  QCOMPARE(lesson_of("\xEF\xBB\xBF" + kShort).title, std::string("Halves"));
}

void LessonFiles::theLessonInTheGuideIsValid() {
  QFile page(QStringLiteral(BINADE_SOURCE_DIR "/docs/guide/lessons.md"));
  QVERIFY(page.open(QIODevice::ReadOnly));
  const std::string text = page.readAll().toStdString();
  const std::string fence = "````markdown\n";
  const std::size_t begin = text.find(fence);
  QVERIFY(begin != std::string::npos);
  const std::size_t end = text.find("\n````\n", begin);
  const lessons::Lesson lesson = lesson_of(text.substr(begin + fence.size(), end - begin - fence.size()));
  const auto& exercise = std::get<lessons::Exercise>(lesson.sections.back().blocks.back());
  QCOMPARE(std::get<double>(exercise.answer), 2048.0);
}

void LessonFiles::everyShippedLessonIsValid() {
  const QDir folder(QStringLiteral(BINADE_SOURCE_DIR "/resources/lessons"));
  const QStringList names = folder.entryList({QStringLiteral("[0-9]*.md")});
  QVERIFY(names.size() >= 10);
  for (const QString& name : names) {
    QFile file(folder.filePath(name));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto read = lessons::read_lesson(file.readAll().toStdString(), name.toStdString());
    std::string all;
    if (const auto* problems = std::get_if<1>(&read)) {
      for (const lessons::Problem& problem : *problems) all += problem.text() + '\n';
    }
    QVERIFY2(all.empty(), all.c_str());
    // A lesson of ours explains its typical wrong answers.
    for (const lessons::Section& section : std::get<0>(read).sections) {
      for (const lessons::Block& block : section.blocks) {
        if (const auto* exercise = std::get_if<lessons::Exercise>(&block)) {
          QVERIFY2(!exercise->wrong.empty() && !exercise->hint.empty(), qPrintable(name));
        }
      }
    }
  }
}

BINADE_SUITE(LessonFiles);

}  // namespace binade::test

#include "tst_read_lesson.moc"
