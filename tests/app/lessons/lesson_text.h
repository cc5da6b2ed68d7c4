// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/suite.h"

#include <QtCore/QByteArray>
#include <QtCore/QFile>
#include <QtCore/QString>

namespace binade::test {

/// The guide's lesson of ten lines.
inline QByteArray shortLesson() {
  return "# A sum in float16\n"
         "Adding small numbers to a large one.\n"
         "```predict\n"
         "4096 values of 16 are added in float16. What is the result?\n"
         "- [ ] 65536 :: float16 ends at 65504.\n"
         "- [x] 32768 :: Right: there, 16 is only half of a step.\n"
         "```\n"
         "```figure\n"
         "name: s\n"
         "kind: sum\n"
         "caption: The running total.\n"
         "```\n"
         "```check\n"
         "ask: After how many additions does the sum stop growing?\n"
         "answer: {s.changed}\n"
         "```\n";
}

/// The same with an experiment.
inline QByteArray lessonWithRun(const QByteArray& run = "kind: train\nsample: mlp\nsteps: 30\npolicy: cuda-amp\n") {
  return shortLesson().replace("```check\n", "```run\n" + run + "```\n```check\n");
}

/// Writes a lesson into a folder of the test's own, and returns the name of the file.
inline QString writeLesson(const QByteArray& text) {
  const QString file = temporaryFolder() + QStringLiteral("/lesson.md");
  QFile out(file);
  if (!out.open(QIODevice::WriteOnly) || out.write(text) != text.size()) qWarning("lesson.md cannot be written");
  return file;
}

}  // namespace binade::test
