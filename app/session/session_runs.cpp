// SPDX-License-Identifier: Apache-2.0
// A session's runs: starting, controlling, resuming and editing them.
#include "app/model/find_scaler.h"
#include "app/present/scaler_text.h"
#include "app/session/attachment.h"
#include "app/session/scale_command.h"
#include "app/session/scaler_command.h"
#include "app/session/session.h"
#include "engine/record/run_file_name.h"
#include "views/values/numbers.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include <utility>

namespace binade::app {

policy::Capabilities Session::capabilities() const {
  policy::Capabilities capabilities;
  capabilities.native_bfloat16 = engine_.welcome().native_bfloat16;
  capabilities.native_float16 = engine_.welcome().native_float16;
  capabilities.native_tfloat32 = engine_.welcome().native_tfloat32;
  return capabilities;
}

bool Session::canStartAgain() const {
  return !run_.isEmpty() && !run_.isActive() && !run_.config().model.empty();
}

QString Session::newRunFile(const QString& name) {
  const QDir folder(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
                    QStringLiteral("/binade/runs"));
  folder.mkpath(QStringLiteral("."));
  const QString stem = QFileInfo(name).completeBaseName();
  return QString::fromStdString(record::new_run_file(folder.path().toStdString(), stem.toStdString()));
}

QString Session::runFileFor(const QString& name) const {
  if (host().isEmpty()) return newRunFile(name);
  // Relative to the folder in which ssh starts commands: the folders of this computer do not exist there.
  const QString stem = QFileInfo(name).completeBaseName();
  return QString::fromStdString(record::new_run_file("binade-runs", stem.toStdString()));
}

void Session::runDemo() {
  letGo();  // an engine that trains already starts no run
  if (run_.isActive()) return afterThisRun([this] { runDemo(); });
  if (engine_.state() == EngineClient::State::kStopped) startEngine();
  Q_EMIT busy(tr("Preparing the demo"));
  engine_.startDemo(starting());
}

// The engine trains one run at a time: `next` is called once the current one has ended.
void Session::afterThisRun(std::function<void()> next) {
  if (attachment_->isOn()) {  // a training of its own is not stopped for another run
    letGo();
    return next();
  }
  dropWaitingStart();
  next_run_ = std::move(next);
  engine_.stop([this](const std::optional<Problem>& problem) {
    if (problem) {
      next_run_ = nullptr;
      announceNoStart();
    }
    reporting()(problem);
  });
}

bool Session::dropWaitingStart() {
  if (!std::exchange(next_run_, nullptr)) return false;
  Q_EMIT startAbandoned();
  return true;
}

void Session::startDescribed() {
  wire::RunConfig config = description_.complete();
  config.policy = document_.policy();
  config.resume.clear();
  config.run_file = runFileFor(QString::fromStdString(config.name.empty() ? config.model : config.name)).toStdString();
  if (config.checkpoint.folder == run_.config().checkpoint.folder) config.checkpoint.folder.clear();
  replaceRun(config);
}

void Session::replaceRun(const wire::RunConfig& config) {
  if (run_.isActive()) return afterThisRun([this, config] { startRun(config); });
  startRun(config);
}

void Session::startRun(const wire::RunConfig& wanted) {
  letGo();  // an engine that trains already starts no run
  wire::RunConfig config = wanted;
  // Next to the run file, so that an edit can be undone together with the training since.
  if (config.checkpoint.folder.empty() && !config.run_file.empty()) {
    config.checkpoint.folder = config.run_file + ".checkpoints";
  }
  if (engine_.state() == EngineClient::State::kStopped) startEngine();
  Q_EMIT busy(tr("Loading %1").arg(QFileInfo(QString::fromStdString(config.model)).fileName()));
  engine_.startRun(config, [this, config, done = starting()](const std::optional<Problem>& problem) {
    done(problem);
    // The file may have changed since it was inspected.
    if (problem) offerTrust(QString::fromStdString(config.model), *problem, [this, config] { startRun(config); });
  });
}

void Session::startAgain() {
  if (!canStartAgain()) return;
  wire::RunConfig config = run_.config();
  config.policy = document_.policy();
  config.resume.clear();
  giveNewFiles(config);
  startRun(config);
}

void Session::giveNewFiles(wire::RunConfig& config) const {
  if (config.run_file.empty() && run_.source() == RunModel::Source::kLive) return;
  config.run_file = runFileFor(QString::fromStdString(config.name.empty() ? config.model : config.name)).toStdString();
  config.checkpoint.folder.clear();
}

bool Session::canResumeFromCheckpoint() const {
  return canStartAgain() && !run_.checkpoints().empty();
}

void Session::resumeFromCheckpoint() {
  if (canResumeFromCheckpoint()) resumeFrom(QString::fromStdString(run_.checkpoints().back().file));
}

void Session::resumeFrom(const QString& file) {
  if (run_.isActive()) return engine_.loadCheckpoint(file.toStdString(), reporting());
  if (run_.isEmpty()) return;
  wire::RunConfig config = run_.config();
  config.resume = file.toStdString();
  giveNewFiles(config);
  startRun(config);
}

void Session::rewindTo(const QString& file) {
  if (run_.isActive()) {
    return engine_.loadCheckpoint(file.toStdString(), document_.policy(), document_.revision(), reporting());
  }
  if (run_.isEmpty()) return;
  resumeFrom(file);
  keep_policy_ = true;
}

void Session::saveCheckpoint() {
  if (!run_.isActive()) return;
  engine_.saveCheckpoint([this](const std::variant<wire::CheckpointInfo, Problem>& answer) {
    if (const auto* problem = std::get_if<Problem>(&answer)) reporting()(*problem);
  });
}

std::optional<wire::RunConfig> Session::endedRun() const {
  if (run_.isActive() || run_.isEmpty()) return std::nullopt;
  wire::RunConfig config = run_.config();
  config.run_file = run_.runFile().toStdString();
  config.resume = run_.checkpoints().empty() ? std::string() : run_.checkpoints().back().file;
  config.policy = run_.policies().back().policy;
  return config;
}

void Session::saveModel(const QString& file, const std::function<void()>& done) {
  if (!run_.hasWeights()) return;
  if (engine_.state() == EngineClient::State::kStopped) startEngine();
  const bool active = run_.isActive();
  if (!active) Q_EMIT busy(tr("Saving the trained model"));
  engine_.saveModel(file, endedRun(), [this, file, active, done](const std::optional<Problem>& problem) {
    endBusy();
    if (problem) return reporting()(problem);
    const QString shown = QDir::toNativeSeparators(file);
    log_.add({"info", (active ? tr("The model was saved to %1 with its current weights.").arg(shown)
                              : tr("The model was saved to %1 with the final weights of the run.").arg(shown))
                          .toStdString()});
    if (done) return done();
    if (host().isEmpty()) recent_.add(file);
  });
}

void Session::tuneScaler(const wire::ScalerConfig& scaler) {
  wire::RunConfig config = run_.config();
  const wire::ScalerConfig* now = findScaler(config, scaler.id);
  if (!run_.isActive() || now == nullptr) return;
  if (const QString why = run_.whyNoEdit(); !why.isEmpty()) return report({tr("The scaler was not changed."), why});
  const QString text = scalerChangeText(*now, scaler);
  if (text.isEmpty()) return;
  const auto tune = [this](const wire::ScalerConfig& wanted) {
    if (run_.isActive()) engine_.tuneScaler(wanted, reporting());
  };
  document_.undoStack()->push(new ScalerCommand(*now, scaler, tune, tr("Scaler: %1").arg(text)));
}

QString Session::whyNoRewind() const {
  if (!run_.isActive()) return tr("No run is in progress.");
  if (const QString why = run_.whyNoEdit(); !why.isEmpty()) return why;
  const QUndoStack* edits = document_.undoStack();
  if (!edits->canUndo()) return tr("There is no edit to undo.");
  const int kind = edits->command(edits->index() - 1)->id();
  if (kind == ScalerCommand::kId || kind == ScaleCommand::kId) {
    return tr("The newest edit changed the scaler. Checkpoints are saved only before edits of the policy.");
  }
  if (run_.checkpointAtEdit() == nullptr) return tr("No checkpoint was saved at an edit in this run.");
  return {};
}

void Session::undoAndRewind() {
  if (!whyNoRewind().isEmpty()) return;
  const std::string file = run_.checkpointAtEdit()->file;
  rewinding_ = true;
  document_.undoStack()->undo();
  rewinding_ = false;
  engine_.loadCheckpoint(file, document_.policy(), document_.revision(), reporting());
}

void Session::pause() {
  if (run_.isActive()) engine_.pause(reporting());
}

void Session::resume() {
  if (run_.isActive()) engine_.resume(reporting());
}

void Session::step() {
  if (run_.isActive()) engine_.step(reporting());
}

void Session::stop() {
  if (run_.isActive()) engine_.stop(reporting());
}

void Session::setScale(double scale, const std::string& id) {
  if (!run_.isActive() || scale == run_.scaleNow(id)) return;
  if (const QString why = run_.whyNoEdit(); !why.isEmpty()) return report({tr("The loss scale was not changed."), why});
  const QString set = tr("Loss scale %1").arg(views::scaleText(scale));
  pushScale(scale, id, id.empty() ? set : QString::fromStdString(id) + QStringLiteral(": ") + set);
}

void Session::pushScale(double scale, const std::string& id, const QString& text) {
  const auto set = [this, id](double wanted) {
    if (run_.isActive()) engine_.setScale(wanted, id, reporting());
  };
  document_.undoStack()->push(new ScaleCommand(run_.scaleNow(id), scale, set, text));
}

void Session::setObserve(const wire::ObserveConfig& observe) {
  if (!run_.isActive()) return;
  engine_.setObserve(observe, [this, observe](const std::optional<Problem>& problem) {
    if (problem) return reporting()(problem);
    run_.setObserve(observe);
  });
}

}  // namespace binade::app
