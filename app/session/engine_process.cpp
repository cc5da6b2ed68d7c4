// SPDX-License-Identifier: Apache-2.0
#include "app/session/engine_process.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>

#include <utility>

namespace binade::app {

namespace {

constexpr int kKillMilliseconds = 1000;  // for the system to end a killed process

}  // namespace

EngineProcess::EngineProcess(EngineCommand engine, QObject* parent) : QObject(parent), engine_(std::move(engine)) {}

EngineProcess::~EngineProcess() {
  abandon(0);
}

std::variant<QString, Problem> EngineProcess::policyFile(const QString& name, const policy::Policy& policy) {
  if (folder_ == nullptr) folder_ = std::make_unique<QTemporaryDir>();
  const QString file = folder_->filePath(name);
  QFile out(file);
  const QByteArray text = QByteArray::fromStdString(policy::to_json(policy));
  if (folder_->isValid() && out.open(QIODevice::WriteOnly) && out.write(text) == text.size() && out.flush())
    return file;
  const QString why = folder_->isValid() ? out.errorString() : folder_->errorString();
  return Problem{tr("The policy could not be written to %1: %2.")
                     .arg(QDir::toNativeSeparators(folder_->isValid() ? file : QDir::tempPath()), why),
                 tr("Free space in the temporary folder.")};
}

void EngineProcess::start(const QStringList& arguments) {
  startCommand(otherCommand(engine_, arguments));
}

void EngineProcess::startOnModel(const QStringList& arguments) {
  startCommand(modelCommand(engine_, arguments));
}

void EngineProcess::startCommand(const EngineCommand& command) {
  if (isRunning()) return;
  process_ = new QProcess(this);
  connect(process_, &QProcess::readyReadStandardOutput, this, &EngineProcess::readLines);
  connect(process_, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
    readLines();
    if (!isRunning()) return;  // a receiver of the last lines has abandoned it
    end(status == QProcess::NormalExit && code == 0, QString::fromUtf8(process_->readAllStandardError()).trimmed());
  });
  connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) end(false, process_->errorString());
  });
  process_->start(command.program, command.arguments);
}

void EngineProcess::terminate(int patience) {
  if (!isRunning()) return;
  process_->terminate();
  if (patience > 0) QTimer::singleShot(patience, process_, &QProcess::kill);
}

void EngineProcess::kill() {
  if (isRunning()) process_->kill();
}

void EngineProcess::abandon(int patience) {
  QProcess* process = std::exchange(process_, nullptr);
  if (process == nullptr) return;
  process->disconnect(this);
  process->deleteLater();
  if (patience > 0) {
    process->terminate();
    if (process->waitForFinished(patience)) return;
  }
  process->kill();
  process->waitForFinished(kKillMilliseconds);
}

void EngineProcess::readLines() {
  while (isRunning() && process_->canReadLine()) Q_EMIT line(process_->readLine());
}

void EngineProcess::end(bool well, const QString& said) {
  QProcess* process = std::exchange(process_, nullptr);
  process->disconnect(this);
  process->deleteLater();
  Q_EMIT ended(well, said);
}

}  // namespace binade::app
