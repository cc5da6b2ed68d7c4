// SPDX-License-Identifier: Apache-2.0
#include "tests/support/suite.h"

#include "tests/support/warnings.h"

#include <QApplication>
#include <QFontInfo>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <cstdio>
#include <map>
#include <memory>
#include <string>

namespace binade::test {

namespace {
std::map<std::string, std::function<QObject*()>>& suites() {
  static std::map<std::string, std::function<QObject*()>> all;
  return all;
}
}  // namespace

void failOnWarnings() {
  // Allows warnings of the offscreen platform about itself; all others fail the test.
  QTest::failOnWarning(QRegularExpression(QStringLiteral(
      "^(?!This plugin does not support (propagateSizeHints\\(\\)|raise\\(\\)|grabbing the keyboard))")));
}

void Suite::init() {
  failOnWarnings();
}

bool addSuite(const char* name, std::function<QObject*()> make) {
  return suites().emplace(name, std::move(make)).second;
}

QString temporaryFolder() {
  static QTemporaryDir folder;
  static int count = 0;
  const QString path = folder.filePath(QString::number(count++));
  QDir().mkpath(path);
  return path;
}

}  // namespace binade::test

// tst_<folder> [Suite [QtTest arguments]]: runs one suite, or all of them in turn.
int main(int argc, char** argv) {
  using binade::test::suites;
  QStandardPaths::setTestModeEnabled(true);
  // Tests need no display. Without one, Qt would abort.
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication app(argc, argv);
  QApplication::setStyle(QStringLiteral("Fusion"));
  if (QFontInfo(QApplication::font()).family().isEmpty()) {
    std::fprintf(stderr, "No font is installed: text would be boxes. Install fonts-dejavu-core.\n");
    return 2;
  }
  const std::string wanted = argc > 1 && argv[1][0] != '-' ? argv[1] : "";
  if (!wanted.empty() && !suites().contains(wanted)) {
    std::fprintf(stderr, "No suite %s here.\n", wanted.c_str());
    return 2;
  }
  QStringList arguments = QApplication::arguments();
  if (!wanted.empty()) arguments.removeAt(1);
  int failures = 0;
  for (const auto& [name, make] : suites()) {
    if (!wanted.empty() && name != wanted) continue;
    const std::unique_ptr<QObject> suite(make());
    failures += QTest::qExec(suite.get(), arguments);
  }
  return failures == 0 ? 0 : 1;
}
