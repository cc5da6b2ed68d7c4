// SPDX-License-Identifier: Apache-2.0
// The session's files: their kinds, and opening them.
#include "app/model/run_file_source.h"
#include "app/session/file_kind.h"
#include "app/session/session.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace binade::app {

policy::Provenance Session::provenance() const {
  policy::Provenance provenance;
  provenance.made_by = "binade " BINADE_VERSION;
  provenance.date = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
  if (run_.isEmpty()) return provenance;
  provenance.run = QFileInfo(run_.runFile()).fileName().toStdString();
  if (!run_.steps().empty()) provenance.step = run_.steps().back().step;
  const QString model = QString::fromStdString(run_.config().model);
  provenance.model = QFileInfo(model).fileName().toStdString();
  const auto& sites = run_.sites();
  provenance.op_calls = std::count_if(sites.begin(), sites.end(), [](const wire::SiteInfo& site) {
    return !policy::matches("loss", site.key);  // the loss belongs to the run
  });
  return provenance;
}

void Session::openFile(const QString& file) {
  const QFileInfo info(file);
  const QString path = info.absoluteFilePath();
  cancelOpening();
  const auto refuse = [&](const Problem& problem) {
    if (fileKind(path) == FileKind::kRun) return failOpening(path, problem);
    report(problem);
  };
  if (const auto problem = unreadable(path)) return refuse(*problem);
  if (!info.isFile()) {
    return refuse({tr("File %1 does not exist.").arg(QDir::toNativeSeparators(path)),
                   tr("The file may have been moved or renamed.")});
  }
  switch (fileKindInside(path)) {
    case FileKind::kModel:
      return openModel(path);
    case FileKind::kRun:
      return openRun(path);
    case FileKind::kPolicy:
      if (const auto problem = document_.open(path)) return report(*problem);
      ++opened_policies_;
      recent_.add(path);
      return Q_EMIT policyOpened();
    case FileKind::kDescription:
      return openDescription(path);
    case FileKind::kLesson:
      recent_.add(path);
      return Q_EMIT lessonOpened(path);
    case FileKind::kUnknown:
      break;
  }
  report(
      {tr("%1 is not a TorchScript model, a policy, a run description, a run file or a lesson.").arg(info.fileName()),
       tr("Open a .pt, .ts or .pth file, a .policy.json file, a .binade file or a .md file.")});
}

void Session::inspect(const QString& file, std::function<void(const wire::ModelInfo&)> done) {
  if (engine_.state() == EngineClient::State::kStopped) startEngine();
  Q_EMIT busy(tr("Reading %1").arg(QFileInfo(file).fileName()));
  engine_.inspect(file, [this, done = std::move(done)](const std::variant<wire::ModelInfo, Problem>& answer) {
    endBusy();
    if (const auto* problem = std::get_if<Problem>(&answer)) {
      if (engine_.state() != EngineClient::State::kStopped) report(*problem);
      return;
    }
    done(std::get<wire::ModelInfo>(answer));
  });
}

void Session::previewData(EngineClient::Previewed done) {
  engine_.previewData(description_.complete(), [this, done = std::move(done)](const auto& answer) {
    endBusy();
    done(answer);
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
          [this, file, config = *read.config, before = opened_policies_](const wire::ModelInfo& model) mutable {
            recent_.add(file);
            // A policy that was opened together with the description is meant for its run.
            if (opened_policies_ != before) {
              announceOpenedPolicy(config.policy, QFileInfo(file).fileName());
              config.policy = document_.policy();
            }
            Q_EMIT descriptionOpened(model, config, file);
          });
}

void Session::useOpenedPolicy() {
  wire::RunConfig config = description_.config();
  announceOpenedPolicy(config.policy, QString::fromStdString(config.name.empty() ? config.model : config.name));
  config.policy = document_.policy();
  description_.edit(tr("Policy of %1").arg(QFileInfo(document_.file()).fileName()), config, QStringLiteral("policy"));
}

void Session::announceOpenedPolicy(const policy::Policy& replaced, const QString& described) {
  if (replaced == document_.policy()) return;
  const auto changes = static_cast<qulonglong>(replaced.ops.size() + replaced.sites.size());
  const QString name = QString::fromStdString(replaced.name.empty() ? policy::name(replaced.base) : replaced.name);
  const QString message = tr("The run starts with the policy of %1.").arg(QFileInfo(document_.file()).fileName());
  const QString hint = changes == 0 ? tr("It replaces the policy of %1: %2.").arg(described, name)
                       : changes == 1
                           ? tr("It replaces the policy of %1: %2 with 1 change.").arg(described, name)
                           : tr("It replaces the policy of %1: %2 with %3 changes.").arg(described, name).arg(changes);
  log_.add({"info", (message + u' ' + hint).toStdString()});
  Q_EMIT noticed(message, hint);
}

std::optional<Problem> Session::runInTheWay(const QString& file) const {
  const QString name = QFileInfo(file).fileName();
  if (run_.isActive()) {
    return Problem{tr("A run is in progress, so %1 was not opened.").arg(name),
                   tr("Stop the run first. Its run file keeps all recorded steps.")};
  }
  // The file's policy would be taken for an edit of the starting run's.
  if (pending_starts_ > 0) {
    return Problem{tr("A run is starting, so %1 was not opened.").arg(name),
                   tr("Wait until the run has started, stop it, and open the file again.")};
  }
  return std::nullopt;
}

void Session::failOpening(const QString& file, const Problem& problem) {
  report(problem);
  Q_EMIT openFailed(file);
}

void Session::openRun(const QString& file) {
  if (const auto problem = runInTheWay(file)) return failOpening(file, *problem);
  loader_.load(file, [this, revision = document_.revision()](LoadedRun& loaded) { showRun(loaded, revision); });
}

void Session::showRun(LoadedRun& loaded, int revision) {
  const QString& file = loaded.file;
  if (!loaded.problem) loaded.problem = runInTheWay(file);
  if (!loaded.problem && document_.revision() != revision) {
    loaded.problem =
        Problem{tr("The policy was edited while %1 was read, so it was not opened.").arg(QFileInfo(file).fileName()),
                tr("The run has a policy of its own. Save yours, and open the run again.")};
  }
  if (loaded.problem) return failOpening(file, *loaded.problem);
  frame_.flush();  // pending figures belong to the previous run
  run_.show(std::move(loaded.run));
  for (const std::string& line : loaded.damage.lines()) log_.add({"warning", line});
  if (const auto problem = damageProblem(file, loaded.damage)) report(*problem);
  document_.adopt(run_.policies().back().policy, run_.policies().back().revision);
  description_.adopt(run_.config());
  recent_.add(file);
  Q_EMIT opened(file);
}

void Session::cancelOpening() {
  const QString file = loader_.cancel();
  if (!file.isEmpty()) Q_EMIT openFailed(file);
}

}  // namespace binade::app
