// SPDX-License-Identifier: Apache-2.0
#include "app/window/attach_shots.h"

#include "app/session/attachment.h"
#include "app/session/session.h"
#include "app/window/far_file_dialog.h"
#include "app/window/main_window.h"

#include <QFile>
#include <QSettings>

#include <utility>

namespace binade::app {

namespace {

constexpr int kPollMs = 300;
constexpr qint64 kLimitMs = 120'000;
constexpr std::size_t kSteps = 300;
// The sample network on random batches, longer than the pictures take.
const char kRun[] =
    "{\"binade_run\": 1, \"name\": \"overnight\", \"model\": \"sample:mlp\", \"batch\": 8, \"steps\": 10000000,"
    " \"data\": {\"kind\": \"synthetic\", \"inputs\": [\"float32[8,1,28,28]\"]}}\n";

}  // namespace

AttachShots::AttachShots(MainWindow* window, Session* session, Save save)
    : QObject(window), window_(window), session_(session), save_(std::move(save)) {
  settings_ = std::make_unique<QSettings>(folder_.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
  timer_.setInterval(kPollMs);
  connect(&timer_, &QTimer::timeout, this, &AttachShots::advance);
  connect(&list_, &TrainingList::listed, this, &AttachShots::take);
}

AttachShots::~AttachShots() {
  if (training_.state() == QProcess::NotRunning) return;
  training_.kill();
  training_.waitForFinished();
}

void AttachShots::start() {
  elapsed_.start();
  QFile run(folder_.filePath(QStringLiteral("overnight.run.json")));
  if (!run.open(QIODevice::WriteOnly) || run.write(kRun) < 0) return end(run.errorString());
  run.close();
  const EngineCommand train =
      otherCommand(session_->engine().command(), {QStringLiteral("train"), run.fileName(), QStringLiteral("--run-file"),
                                                  folder_.filePath(QStringLiteral("overnight.binade"))});
  training_.setStandardOutputFile(QProcess::nullDevice());
  training_.start(train.program, train.arguments);
  timer_.start();
}

void AttachShots::advance() {
  if (elapsed_.elapsed() > kLimitMs || training_.state() == QProcess::NotRunning) {
    return end(tr("The training for the pictures did not run: %1")
                   .arg(QString::fromUtf8(training_.readAllStandardError()).trimmed()));
  }
  switch (stage_) {
    case Stage::kTraining:
      if (!list_.isRunning()) list_.ask(session_->engine().command());
      return;
    case Stage::kAttached:
      if (session_->attachment().caughtUp() && session_->run().steps().size() >= kSteps) takeAttached();
      return;
    case Stage::kFolder:
      if (files_->isReading()) return;
      save_(QStringLiteral("far-files"), files_);
      files_->close();
      session_->letGo();
      return end({});
    case Stage::kDone:
      return;
  }
}

void AttachShots::take(const std::vector<RunningTraining>& trainings) {
  for (const RunningTraining& each : trainings) {
    if (each.run.process != training_.processId() || !each.problem.isEmpty()) continue;
    stage_ = Stage::kAttached;
    return session_->attachTo(attachCommand(session_->engine().command(), QString::number(each.run.process)));
  }
}

void AttachShots::takeAttached() {
  window_->setArrangement(Arrangement::kExplore);
  save_(QStringLiteral("attached"), window_);
  FileQuestion question{FileQuestion::Kind::kFile, FarFileDialog::tr("Open a model or a run"), folder_.path(),
                        QStringLiteral("(*)")};
  files_ = new FarFileDialog(session_, settings_.get(), question, window_);
  files_->setAttribute(Qt::WA_DeleteOnClose);
  files_->open();
  stage_ = Stage::kFolder;
}

void AttachShots::end(const QString& why) {
  if (stage_ == Stage::kDone) return;
  stage_ = Stage::kDone;
  timer_.stop();
  list_.cancel();
  Q_EMIT finished(why);
}

}  // namespace binade::app
