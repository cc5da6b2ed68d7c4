// SPDX-License-Identifier: Apache-2.0
#include "tests/views/shown_lesson.h"

#include "engine/lessons/read_lesson.h"
#include "tests/support/places.h"

#include <QDir>
#include <QFile>
#include <QTest>

namespace binade::views {

namespace {

const QString kLessons = QStringLiteral(BINADE_SOURCE_DIR "/resources/lessons/");

constexpr auto kSmall = R"(# Small numbers

This lesson shows what becomes 0.

Numbers below 2^-24 are lost.

```predict
What does float16 make of 1e-8?
- [x] It becomes 0 :: Right. It is below half of 2^-24.
- [ ] It stays 1e-8 :: float16 has no such number.
```

```figure
name: small
kind: rounding
values: 1e-8 65520
formats: float16
caption: Two numbers in float16.
```

```run
kind: train
sample: mlp
steps: 20
policy: cuda-amp
show: loss
```

## Reveal

float16 makes {small.float16_1} of it.

```check
ask: What does float16 make of 65520?
answer: {small.float16_2}
hint: The largest number is 65504.
wrong 65504: 65520 is the tie, and it rounds away.
otherwise: Look at the table.
right: Yes.
```

## Check

```figure
name: ruler
kind: ruler
formats: float16
caption: The ruler of float16.
```

```check
ask: Is the lost number too small or too large?
names: small | too small
wrong large: Too large numbers become inf.
otherwise: Answer small or large.
right: Yes, too small.
```
)";

lessons::Lesson read(const std::string& text, const QString& name) {
  auto result = lessons::read_lesson(text, name.toStdString());
  if (const auto* problems = std::get_if<std::vector<lessons::Problem>>(&result)) {
    QTest::qFail(problems->front().text().c_str(), __FILE__, __LINE__);
    return {};
  }
  return std::get<lessons::Lesson>(std::move(result));
}

}  // namespace

QStringList lessonFiles() {
  return QDir(kLessons).entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name);
}

lessons::Lesson programLesson(const QString& file) {
  QFile from(kLessons + file);
  if (!from.open(QIODevice::ReadOnly)) QTest::qFail(qPrintable(file), __FILE__, __LINE__);
  return read(from.readAll().toStdString(), file);
}

const lessons::Lesson& smallLesson() {
  static const lessons::Lesson lesson = read(kSmall, QStringLiteral("small.md"));
  return lesson;
}

ShownLesson::ShownLesson(const lessons::Lesson& lesson, const lessons::LessonWork& work, int width) {
  page.resize(width, 800);
  page.setLesson(lesson, {1, {true, false, false}, QStringLiteral("Sums that lose")}, work);
  page.show();
  // Keys go to the active window.
  QTest::qVerify(QTest::qWaitForWindowActive(&page), "active", "", __FILE__, __LINE__);
}

}  // namespace binade::views
