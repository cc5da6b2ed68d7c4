// SPDX-License-Identifier: Apache-2.0
#include "tests/ranks/launched.h"

#include "tests/host/run_engine.h"
#include "tests/ranks/plain_model.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

namespace binade::test {

namespace {

constexpr int kPatience = 180'000;  // milliseconds

QByteArray contentOf(const QString& file) {
  QFile opened(file);
  return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
}

/// The number of the parent in /proc/PID/stat, behind the name in brackets.
qint64 parentOf(const QByteArray& stat) {
  const QList<QByteArray> fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
  return fields.size() > 1 ? fields[1].toLongLong() : 0;
}

}  // namespace

QString ranksRun(const QString& name, const QJsonObject& more) {
  QJsonObject run{{QStringLiteral("binade_run"), 1},
                  {QStringLiteral("name"), name},
                  {QStringLiteral("model"), QString::fromStdString(plainModel())},
                  {QStringLiteral("data"),
                   QJsonObject{{QStringLiteral("kind"), QStringLiteral("synthetic")},
                               {QStringLiteral("inputs"), QJsonArray{QStringLiteral("float32[8,1,28,28]")}}}},
                  {QStringLiteral("policy"), QStringLiteral("all-float32")},
                  {QStringLiteral("batch"), 8},
                  {QStringLiteral("steps"), 8}};
  for (auto field = more.begin(); field != more.end(); ++field) run.insert(field.key(), field.value());
  return written(name + QStringLiteral(".json"), QJsonDocument(run).toJson());
}

Launched::Launched(const QStringList& arguments, const QStringList& variables) {
  QProcessEnvironment environment = engineEnvironment();
  for (const QString& each : variables) {
    const qsizetype equals = each.indexOf(QLatin1Char('='));
    environment.insert(each.left(equals), each.mid(equals + 1));
  }
  process_.setProcessEnvironment(environment);
  process_.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"), arguments);
  process_.waitForStarted();
}

Launched::~Launched() {
  if (process_.state() == QProcess::NotRunning) return;
  process_.kill();  // its ranks end with it
  process_.waitForFinished();
}

void Launched::read() {
  out_ += process_.readAllStandardOutput();
  err_ += process_.readAllStandardError();
}

bool Launched::waitForStep(int step) {
  QElapsedTimer timer;
  timer.start();
  while (timer.elapsed() < kPatience) {
    process_.waitForReadyRead(20);
    read();
    const std::map<int, QString> steps = losses();
    if (!steps.empty() && steps.rbegin()->first >= step) return true;
    if (process_.state() == QProcess::NotRunning) return false;
  }
  return false;
}

bool Launched::waitForEnd(int milliseconds) {
  const bool ended = process_.state() == QProcess::NotRunning || process_.waitForFinished(milliseconds);
  read();
  return ended;
}

QString Launched::errors() {
  read();
  return QString::fromUtf8(err_);
}

qint64 Launched::rank(int rank) const {
  const QByteArray wanted = "RANK=" + QByteArray::number(rank);
  for (const QString& entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
    bool isProcess = false;
    const qint64 process = entry.toLongLong(&isProcess);
    const QString folder = QStringLiteral("/proc/") + entry;
    if (!isProcess || parentOf(contentOf(folder + QStringLiteral("/stat"))) != pid()) continue;
    if (contentOf(folder + QStringLiteral("/environ")).split('\0').contains(wanted)) return process;
  }
  return 0;
}

QJsonObject Launched::event(const QString& name) {
  read();
  QJsonObject last;
  for (const QByteArray& line : out_.split('\n')) {
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    if (object[QStringLiteral("event")].toString() == name) last = object;
  }
  return last;
}

std::map<int, QString> Launched::losses() {
  read();
  std::map<int, QString> all;
  for (const QByteArray& line : out_.split('\n')) {
    if (!line.contains("\"event\":\"step\"")) continue;
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    all[object[QStringLiteral("step")].toInt()] = QString::number(object[QStringLiteral("loss")].toDouble(), 'g', 17);
  }
  return all;
}

}  // namespace binade::test
