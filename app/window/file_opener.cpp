// SPDX-License-Identifier: Apache-2.0
#include "app/window/file_opener.h"

#include "app/session/file_kind.h"
#include "app/session/session.h"
#include "app/window/file_saver.h"

#include <QDropEvent>
#include <QFileDialog>
#include <QMimeData>

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

void FileOpener::choose() {
  const QString file = QFileDialog::getOpenFileName(
      window_, tr("Open a model, a policy, a run description or a run"), QString(),
      tr("All supported files (*.pt *.ts *.pth *.json *.binade *.md);;TorchScript models (*.pt *.ts *.pth);;Policies "
         "(*.policy.json *.json);;Run descriptions (*.run.json *.json);;Runs (*.binade);;Lessons (*.md);;All files "
         "(*)"));
  if (!file.isEmpty()) open({file});
}

void FileOpener::chooseFailedRun() {
  const QString file = QFileDialog::getOpenFileName(window_, tr("Model of the failed run"), QString(),
                                                    tr("TorchScript models (*.pt *.ts *.pth);;All files (*)"));
  if (file.isEmpty()) return;
  waiting_.clear();
  failed_run_ = true;
  session_->openFile(file);
}

void FileOpener::chooseDescription() {
  const QString file = QFileDialog::getOpenFileName(window_, tr("Open a run description"), QString(),
                                                    tr("Run descriptions (*.json);;All files (*)"));
  if (!file.isEmpty()) open({file});
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
    // A run brings its own policy along; a model and a policy file do not take the present one's place unasked.
    if (fileKindInside(file) == FileKind::kRun && !saver_->mayLeavePolicy()) return waiting_.clear();
    session_->openFile(file);
  }
}

void FileOpener::openDropped(QDropEvent* event) {
  QStringList files;
  for (const QUrl& url : event->mimeData()->urls()) {
    if (url.isLocalFile()) files << url.toLocalFile();
  }
  event->acceptProposedAction();
  open(files);
}

}  // namespace binade::app
