// SPDX-License-Identifier: Apache-2.0
#include "app/session/training_list.h"

#include "app/session/ssh_advice.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include <algorithm>
#include <utility>

namespace binade::app {

TrainingList::~TrainingList() {
  cancel();
}

void TrainingList::cancel() {
  if (process_ == nullptr) return;
  QProcess* process = std::exchange(process_, nullptr);
  process->disconnect(this);
  process->setParent(nullptr);
  if (process->state() == QProcess::NotRunning) return process->deleteLater();
  connect(process, &QProcess::finished, process, &QObject::deleteLater);
  process->kill();
}

void TrainingList::ask(const EngineCommand& engine) {
  cancel();
  process_ = new QProcess(this);
  connect(process_, &QProcess::errorOccurred, this, [this, engine](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) end(engine, false, std::nullopt);
  });
  connect(process_, &QProcess::finished, this, [this, engine](int code, QProcess::ExitStatus status) {
    end(engine, true, status == QProcess::NormalExit ? std::optional(code) : std::nullopt);
  });
  const EngineCommand command = listTrainingsCommand(engine);
  process_->start(command.program, command.arguments);
  if (process_ != nullptr) process_->closeWriteChannel();
}

void TrainingList::end(const EngineCommand& engine, bool started, std::optional<int> exitCode) {
  QProcess* process = std::exchange(process_, nullptr);
  process->disconnect(this);
  process->deleteLater();
  const QString said = QString::fromUtf8(process->readAllStandardError()).trimmed();
  if (exitCode == 0) return Q_EMIT listed(readTrainings(process->readAllStandardOutput()));
  const QString host = hostOf(engine);
  if (!started) {
    const QString program = QDir::toNativeSeparators(engine.program);
    return Q_EMIT failed({tr("%1 could not be started: %2.").arg(program, process->errorString()),
                          host.isEmpty() ? tr("Install binade-engine in the folder of this program.")
                                         : tr("Install an ssh client, such as OpenSSH.")},
                         said);
  }
  if (host.isEmpty()) return Q_EMIT failed({tr("The engine of this computer did not list its trainings."), {}}, said);
  Q_EMIT failed({tr("%1 did not list its trainings.").arg(host), sshAdvice(host, said, exitCode)}, said);
}

std::vector<RunningTraining> readTrainings(const QByteArray& output) {
  std::vector<RunningTraining> trainings;
  for (const QByteArray& line : output.split('\n')) {
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    const auto text = [&](const char* key) { return object[QLatin1String(key)].toString(); };
    const auto whole = [&](const char* key) { return object[QLatin1String(key)].toInteger(); };
    if (whole("process") <= 0) continue;
    trainings.push_back({{.name = text("name").toStdString(),
                          .process = whole("process"),
                          .host = text("host").toStdString(),
                          .run_file = text("run_file").toStdString(),
                          .since = whole("since"),
                          .step = whole("step"),
                          .peers = whole("explorers")},
                         text("problem")});
  }
  std::stable_sort(trainings.begin(), trainings.end(),
                   [](const RunningTraining& a, const RunningTraining& b) { return a.run.since > b.run.since; });
  return trainings;
}

}  // namespace binade::app
