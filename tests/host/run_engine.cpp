// SPDX-License-Identifier: Apache-2.0
#include "tests/host/run_engine.h"

#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>

namespace binade::test {

QList<QJsonObject> EngineResult::lines() const {
  QList<QJsonObject> objects;
  for (const QString& line : out.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
    objects.append(QJsonDocument::fromJson(line.toUtf8()).object());
  }
  return objects;
}

QProcessEnvironment engineEnvironment() {
  QProcessEnvironment variables = QProcessEnvironment::systemEnvironment();
  variables.insert(QStringLiteral("XDG_DATA_HOME"), temporaryFolder());
  return variables;
}

EngineResult engine(const QStringList& arguments) {
  QProcess process;
  process.setProcessEnvironment(engineEnvironment());
  process.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"), arguments);
  process.waitForFinished(60000);
  return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
          QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
}

QString modelFile(const char* name) {
  return QStringLiteral(BINADE_TEST_DATA "/models/") + QLatin1String(name);
}

QString written(const QString& name, const QByteArray& text) {
  const QString path = temporaryFolder() + QLatin1Char('/') + name;
  QFile file(path);
  if (file.open(QIODevice::WriteOnly)) file.write(text);
  return path;
}

QString runFile(const QJsonObject& more) {
  QJsonObject run{{QStringLiteral("binade_run"), 1},
                  {QStringLiteral("name"), QStringLiteral("test")},
                  {QStringLiteral("model"), QStringLiteral("sample:mlp")},
                  {QStringLiteral("data"),
                   QJsonObject{{QStringLiteral("kind"), QStringLiteral("synthetic")},
                               {QStringLiteral("inputs"), QJsonArray{QStringLiteral("float32[8,1,28,28]")}}}},
                  {QStringLiteral("batch"), 8},
                  {QStringLiteral("steps"), 5}};
  for (auto field = more.begin(); field != more.end(); ++field) run.insert(field.key(), field.value());
  return written(QStringLiteral("run.json"), QJsonDocument(run).toJson());
}

}  // namespace binade::test
