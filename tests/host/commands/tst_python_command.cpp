// SPDX-License-Identifier: Apache-2.0
#include "tests/host/run_engine.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QFile>
#include <QJsonObject>

using namespace binade;
using test::engine;
using test::EngineResult;

class TestPythonCommand : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theFolderIsThePackagesOwn() {
    const EngineResult said = engine({QStringLiteral("python"), QStringLiteral("--where")});
    QCOMPARE(said.code, 0);
    const QString folder = said.out.trimmed();
    QCOMPARE(folder, QDir(QStringLiteral(BINADE_SOURCE_DIR "/python")).canonicalPath());
    for (const char* file : {"/pyproject.toml", "/build_wheel.py", "/one_file.py", "/binade/__init__.py"}) {
      QVERIFY2(QFile::exists(folder + QString::fromLatin1(file)), file);
    }
    const QList<QJsonObject> lines =
        engine({QStringLiteral("python"), QStringLiteral("--where"), QStringLiteral("--json")}).lines();
    QCOMPARE(lines.size(), 1);
    QCOMPARE(lines[0].value(QLatin1String("event")).toString(), QStringLiteral("python"));
    QCOMPARE(lines[0].value(QLatin1String("folder")).toString(), folder);
  }

  void withoutWhereTheNextStepIsNamed() {
    const EngineResult said = engine({QStringLiteral("python")});
    QCOMPARE(said.code, 2);
    QVERIFY2(said.err.contains(QStringLiteral("python needs --where\n  For example: pip install")),
             qPrintable(said.err));
  }
};

BINADE_SUITE(TestPythonCommand);
#include "tst_python_command.moc"
