// SPDX-License-Identifier: Apache-2.0
// What a session does with files: tells them apart and opens them.
#include "app/model/run_file_source.h"
#include "app/session/file_kind.h"
#include "app/session/session.h"

#include <QDir>
#include <QFileInfo>

#include <utility>

namespace binade::app {

void Session::openFile(const QString& file) {
  const QFileInfo info(file);
  const QString path = info.absoluteFilePath();
  if (const auto problem = unreadable(path)) return report(*problem);
  if (!info.isFile()) {
    return report({tr("File %1 does not exist.").arg(QDir::toNativeSeparators(path)),
                   tr("The file may have been moved or renamed.")});
  }
  switch (fileKindInside(path)) {
    case FileKind::kModel:
      return openModel(path);
    case FileKind::kRun:
      return openRun(path);
    case FileKind::kPolicy:
      if (const auto problem = document_.open(path)) return report(*problem);
      return recent_.add(path);
    case FileKind::kDescription:
      return openDescription(path);
    case FileKind::kUnknown:
      break;
  }
  report({tr("%1 is not a TorchScript model, a policy, a run description or a run file.").arg(info.fileName()),
          tr("Open a .pt, .ts or .pth file, a .policy.json file or a .binade file.")});
}

void Session::inspect(const QString& file, std::function<void(const wire::ModelInfo&)> done) {
  if (engine_.state() == EngineClient::State::kStopped) startEngine();
  Q_EMIT busy(tr("Reading %1").arg(QFileInfo(file).fileName()));
  engine_.inspect(file, [this, done = std::move(done)](const std::variant<wire::ModelInfo, Problem>& answer) {
    Q_EMIT busy({});
    if (const auto* problem = std::get_if<Problem>(&answer)) {
      if (engine_.state() != EngineClient::State::kStopped) report(*problem);
      return;
    }
    done(std::get<wire::ModelInfo>(answer));
  });
}

void Session::openModel(const QString& file) {
  inspect(file, [this, file](const wire::ModelInfo& model) {
    recent_.add(file);
    Q_EMIT modelInspected(model);
  });
}

void Session::openDescription(const QString& file) {
  RunDescription read = readRunDescription(file);
  if (!read.config) return report(read.problem);
  inspect(QString::fromStdString(read.config->model),
          [this, file, config = *read.config](const wire::ModelInfo& model) {
            recent_.add(file);
            Q_EMIT descriptionOpened(model, config, file);
          });
}

void Session::openRun(const QString& file) {
  if (run_.isActive()) {
    return report({tr("A run is in progress, so %1 was not opened.").arg(QFileInfo(file).fileName()),
                   tr("Stop the run first. Its run file keeps all recorded steps.")});
  }
  flush();  // pending figures belong to the previous run
  record::Damage damage;
  if (const auto problem = loadRunFile(file, run_, &damage)) return report(*problem);
  for (const std::string& line : damage.lines()) log_.add({"warning", line});
  if (const auto problem = damageProblem(file, damage)) report(*problem);
  document_.adopt(run_.policies().back().policy, run_.policies().back().revision);
  description_.adopt(run_.config());
  recent_.add(file);
}

}  // namespace binade::app
