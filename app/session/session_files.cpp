// SPDX-License-Identifier: Apache-2.0
// The session's files: their kinds, and opening them.
#include "app/model/run_file_source.h"
#include "app/present/policy_change.h"
#include "app/session/attachment.h"
#include "app/session/file_kind.h"
#include "app/session/session.h"
#include "views/values/numbers.h"

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

namespace {

// Why there is no file of this name.
Problem missing(const QFileInfo& info) {
  const QString path = QDir::toNativeSeparators(info.absoluteFilePath());
  if (info.isDir()) return {Session::tr("%1 is a folder.").arg(path), Session::tr("Open a file in this folder.")};
  if (info.isSymLink()) {
    return {Session::tr("%1 is a link to %2, which does not exist.")
                .arg(path, QDir::toNativeSeparators(info.symLinkTarget())),
            Session::tr("The file may have been moved or renamed.")};
  }
  return {Session::tr("File %1 does not exist.").arg(path), Session::tr("The file may have been moved or renamed.")};
}

}  // namespace

void Session::openFile(const QString& file) {
  const QFileInfo info(file);
  const QString path = info.absoluteFilePath();
  cancelOpening();
  const auto refuse = [&](const Problem& problem) {
    if (fileKind(path) == FileKind::kRun) return failOpening(path, problem);
    report(problem);
  };
  // A model is read by the engine. Only its computer can say whether the file exists.
  if (!host().isEmpty() && !info.exists() && fileKind(file) == FileKind::kModel) return openModel(file);
  if (const auto problem = unreadable(path)) return refuse(*problem);
  if (!info.isFile()) {
    if (!host().isEmpty()) return refuse(farFile(file));
    return refuse(missing(info));
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
      notePolicy(path);
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

Problem Session::farFile(const QString& file) const {
  return {tr("File %1 does not exist on this computer.").arg(QDir::toNativeSeparators(file)),
          tr("The engine runs on %1, which reads models and data there. Policies, run descriptions and run files are "
             "read on this computer: copy the file here to open it.")
              .arg(host())};
}

Problem Session::withHost(Problem problem) const {
  if (host().isEmpty()) return problem;
  const QString where = tr("The engine runs on %1: names of models and data are names of files there.").arg(host());
  problem.hint = problem.hint.isEmpty() ? where : problem.hint + u' ' + where;
  return problem;
}

void Session::inspect(const QString& file, std::function<void(const wire::ModelInfo&)> done) {
  if (engine_.state() == EngineClient::State::kStopped) startEngine();
  Q_EMIT busy(tr("Reading %1").arg(QFileInfo(file).fileName()));
  const int inspection = ++inspections_;
  engine_.inspect(file, [this, file, inspection, done = std::move(done)](const auto& answer) {
    const bool newest = inspection == inspections_;
    if (newest) endBusy();
    if (const auto* problem = std::get_if<Problem>(&answer)) {
      if (engine_.state() != EngineClient::State::kStopped) report(withHost(*problem));
      if (newest) offerTrust(file, *problem, [this, file, done] { inspect(file, done); });
      return;
    }
    if (newest) done(std::get<wire::ModelInfo>(answer));  // another one was wanted since
  });
}

// `again` is called once the user trusts the model.
void Session::offerTrust(const QString& file, const Problem& problem, std::function<void()> again) {
  if (problem.sha256.isEmpty()) return;  // another problem
  refused_ = {file, problem, std::move(again)};
  Q_EMIT modelRefused(file, problem);
}

void Session::trustRefusedModel() {
  if (refused_.problem.sha256.isEmpty()) return;
  const auto refused = std::exchange(refused_, {});
  engine_.trustModel(refused.file, refused.problem.sha256, [this, refused](const std::optional<Problem>& problem) {
    if (problem) return report(withHost(*problem));
    Q_EMIT problemOver(withHost(refused.problem),
                       tr("%1 is trusted from now on.").arg(QFileInfo(refused.file).fileName()),
                       tr("Its code runs without the checks."));
    refused.again();
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
    if (host().isEmpty()) {
      recent_.add(file);
      recent_.note(file, tr("%1 op calls").arg(views::grouped(static_cast<std::int64_t>(model.sites.size()))));
    }
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

void Session::recover(const UnsavedEdits& edits, const std::function<void()>& done) {
  if (edits.policy) document_.recover(*edits.policy, edits.policy_file);
  if (!edits.description) return done();
  inspect(QString::fromStdString(edits.description->model),
          [this, config = *edits.description, file = edits.description_file, done](const wire::ModelInfo& model) {
            Q_EMIT descriptionOpened(model, config, file);
            description_.setUnsaved();
            done();
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
  const int changes = changeCount(replaced);
  const QString name = titleOf(replaced);
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
  if (run_.isActive() && attachment_->isOn()) {
    return Problem{tr("The window is attached to a training, so %1 was not opened.").arg(name),
                   tr("Let go of the training first; it goes on. To see both runs, choose File › Second run.")};
  }
  if (run_.isActive()) {
    return Problem{
        tr("A run is in progress, so %1 was not opened.").arg(name),
        tr("Stop the run first. Its run file keeps all recorded steps. To see both runs, choose File › Second run.")};
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
  endBusy();  // statistics of the file before are read no further
  loader_.load(
      file, [this, revision = document_.revision()](LoadedRun& loaded) { showRun(loaded, revision); },
      [this](LoadedRun& whole) { addStatistics(whole); });
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
  Q_EMIT busy(loaded.whole_follows ? tr("Reading the statistics of earlier steps …") : QString());
  if (!loaded.whole_follows) {  // otherwise damage is reported with the rest
    for (const std::string& line : loaded.damage.lines()) log_.add({"warning", line});
    if (const auto problem = damageProblem(file, loaded.damage)) report(*problem);
  }
  document_.adoptFromOtherRun(run_.policies().back().policy, run_.policies().back().revision);
  description_.adopt(run_.config());
  recent_.add(file);
  noteRun();
  Q_EMIT opened(file);
}

void Session::addStatistics(LoadedRun& whole) {
  endBusy();
  if (run_.source() != RunModel::Source::kFile || run_.runFile() != whole.file) return;  // another run is shown
  if (whole.problem) return report(*whole.problem);
  run_.addStatistics(std::move(whole.run));
  for (const std::string& line : whole.damage.lines()) log_.add({"warning", line});
  if (const auto problem = damageProblem(whole.file, whole.damage)) report(*problem);
}

void Session::notePolicy(const QString& file) {
  const QString base = QString::fromStdString(policy::name(document_.policy().base));
  const int changes = document_.changeCount();
  recent_.note(file, changes == 1 ? tr("base %1, 1 change").arg(base)
                                  : tr("base %1, %2 changes").arg(base, views::grouped(changes)));
}

// What the list of recent files says about the file of the shown run.
void Session::noteRun() {
  if (run_.runFile().isEmpty() || run_.steps().empty()) return;
  const StepPoint last = run_.steps().back();
  QString details = tr("%1 steps, loss %2").arg(views::grouped(last.step + 1), views::figure(last.loss));
  if (run_.finished() && run_.finished()->outcome == wire::Outcome::kFailed) {
    details = tr("%1 steps, ended with an error").arg(views::grouped(last.step + 1));
  } else if (last.next_scale > 1) {
    details += tr(", scale %1").arg(views::scaleText(last.next_scale));
  }
  recent_.note(run_.runFile(), details);
}

void Session::compareWithRun(const QString& file) {
  const QString path = QFileInfo(file).absoluteFilePath();
  if (run_.isEmpty()) return openFile(path);
  if (const auto problem = unreadable(path)) return report(*problem);
  if (fileKindInside(path) != FileKind::kRun) {
    return report({tr("%1 is not a run file.").arg(QFileInfo(path).fileName()),
                   tr("Compare with a .binade file, which a training writes.")});
  }
  second_.load(path);
}

void Session::cancelOpening() {
  second_.cancel();
  const QString file = loader_.cancel();
  if (!file.isEmpty()) Q_EMIT openFailed(file);
}

}  // namespace binade::app
