// SPDX-License-Identifier: Apache-2.0
#include "app/window/file_opener.h"

#include "app/session/file_kind.h"
#include "app/session/session.h"
#include "app/window/far_file.h"
#include "app/window/file_saver.h"

#include <QDropEvent>
#include <QFileDialog>
#include <QMimeData>
#include <QUrl>

#include <algorithm>
#include <utility>

namespace binade::app {

FileOpener::FileOpener(Session* session, FileSaver* saver, QWidget* window)
    : QObject(window), session_(session), saver_(saver), window_(window) {
  connect(session_, &Session::opened, this, &FileOpener::openNext);
  // The files behind it were meant for the run that is not shown.
  connect(session_, &Session::openFailed, this, [this] { waiting_.clear(); });
  connect(session_, &Session::modelInspected, this,
          [this](const wire::ModelInfo& model) { Q_EMIT modelOpened(model, std::exchange(failed_run_, false)); });
}

// The engine reads models on its own computer. Other files are read here: dropped, recent, or on the command line.
bool FileOpener::askedFarModel(bool failedRun) {
  const QString host = session_->host();
  if (host.isEmpty()) return false;
  askFarFile(window_, tr("Open a model on %1").arg(host),
             tr("Model on %1, with its path there.\nDrop policies, run descriptions and run files of this computer on "
                "the window to open them.")
                 .arg(host),
             {}, [this, failedRun](const QString& file) {
               waiting_.clear();
               if (!saver_->mayLeaveDescription()) return;
               failed_run_ = failedRun;
               session_->openModel(file);
             });
  return true;
}

void FileOpener::choose() {
  if (askedFarModel(false)) return;
  const QString file = QFileDialog::getOpenFileName(
      window_, tr("Open a model, a policy, a run description or a run"), QString(),
      tr("All supported files (*.pt *.ts *.pth *.json *.binade *.md);;TorchScript models (*.pt *.ts *.pth);;Policies "
         "(*.policy.json *.json);;Run descriptions (*.run.json *.json);;Runs (*.binade);;Lessons (*.md);;All files "
         "(*)"));
  if (!file.isEmpty()) open({file});
}

void FileOpener::chooseFailedRun() {
  if (askedFarModel(true)) return;
  const QString file = QFileDialog::getOpenFileName(window_, tr("Model of the failed run"), QString(),
                                                    tr("TorchScript models (*.pt *.ts *.pth);;All files (*)"));
  if (file.isEmpty()) return;
  waiting_.clear();
  if (!mayReplaceFor(file)) return;
  failed_run_ = true;
  session_->openFile(file);
}

void FileOpener::chooseDescription() {
  const QString file = QFileDialog::getOpenFileName(window_, tr("Open a run description"), QString(),
                                                    tr("Run descriptions (*.json);;All files (*)"));
  if (!file.isEmpty()) open({file});
}

void FileOpener::chooseSecondRun() {
  const QString file =
      QFileDialog::getOpenFileName(window_, tr("Run to compare with"), QString(), tr("Runs (*.binade);;All files (*)"));
  if (!file.isEmpty()) session_->compareWithRun(file);
}

void FileOpener::open(const QStringList& files) {
  session_->cancelOpening();
  waiting_ = files;
  // A run or its description brings a policy along. A policy beside it is meant for that run, in whichever order.
  std::stable_partition(waiting_.begin(), waiting_.end(),
                        [](const QString& file) { return fileKindInside(file) != FileKind::kPolicy; });
  openNext();
}

// One after the other: a policy after a run file is applied to that run.
void FileOpener::openNext() {
  while (!waiting_.isEmpty() && !session_->isOpening()) {
    const QString file = waiting_.takeFirst();
    failed_run_ = false;
    if (!mayReplaceFor(file)) return waiting_.clear();
    session_->openFile(file);
  }
}

// Asks about unsaved edits of what the file replaces.
bool FileOpener::mayReplaceFor(const QString& file) {
  switch (fileKindInside(file)) {
    case FileKind::kRun:
      return saver_->mayLeave();
    case FileKind::kPolicy:
      return saver_->mayLeavePolicy();
    case FileKind::kModel:
    case FileKind::kDescription:
      return saver_->mayLeaveDescription();
    case FileKind::kLesson:
    case FileKind::kUnknown:
      break;
  }
  return true;
}

void FileOpener::openDropped(QDropEvent* event) {
  QStringList files;
  for (const QUrl& url : event->mimeData()->urls()) {
    if (url.isLocalFile()) {
      files << url.toLocalFile();
    } else {
      Q_EMIT session_->problem({tr("%1 is not a file of this computer.").arg(url.toDisplayString()),
                                tr("Download it, and drop or open the file.")});
    }
  }
  event->acceptProposedAction();
  if (files.isEmpty()) return;
  if (files.size() == 1 && event->modifiers().testFlag(Qt::ShiftModifier) &&
      fileKindInside(files.front()) == FileKind::kRun)
    return session_->compareWithRun(files.front());
  open(files);
}

}  // namespace binade::app
