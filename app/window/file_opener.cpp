// SPDX-License-Identifier: Apache-2.0
#include "app/window/file_opener.h"

#include "app/session/file_kind.h"
#include "app/session/session.h"
#include "app/window/far_file.h"
#include "app/window/far_run_dialog.h"
#include "app/window/file_saver.h"

#include <QDir>
#include <QDropEvent>
#include <QFileDialog>
#include <QMimeData>
#include <QSettings>
#include <QUrl>

#include <algorithm>
#include <utility>

namespace binade::app {

namespace {
constexpr auto kOpenFolder = "open/folder";  // of the file that was chosen last
}  // namespace

FileOpener::FileOpener(Session* session, QSettings* settings, FileSaver* saver, QWidget* window)
    : QObject(window),
      session_(session),
      settings_(settings),
      ask_files_(askWhereTheEngineIs(session, settings)),
      saver_(saver),
      window_(window) {
  connect(session_, &Session::opened, this, &FileOpener::openNext);
  // The files behind it were meant for the run that is not shown.
  connect(session_, &Session::openFailed, this, [this] { waiting_.clear(); });
  connect(session_, &Session::modelInspected, this,
          [this](const wire::ModelInfo& model) { Q_EMIT modelOpened(model, std::exchange(failed_run_, false)); });
}

// The engine reads models on its own computer, and can hand over run files of it. Other files are read here.
void FileOpener::openFar(const QString& file, bool failedRun) {
  if (!failedRun && fileKind(file) == FileKind::kRun) {
    return fetchRun(file, true, [this](const QString& copy, bool) { open({copy}); });
  }
  waiting_.clear();
  if (!saver_->mayLeaveDescription()) return;
  failed_run_ = failedRun;
  session_->openModel(file);
}

void FileOpener::fetchRun(const QString& file, bool read, std::function<void(const QString&, bool)> then) {
  auto* dialog = new FarRunDialog(session_, file, read, window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  session_->recentFiles().setPassing(FarRunDialog::passingFolder());
  connect(dialog, &FarRunDialog::fetched, this, then);
  dialog->open();
}

void FileOpener::saveRunCopy() {
  fetchRun(session_->run().runFile(), false, [this](const QString& copy, bool) {
    session_->recentFiles().add(copy);
    Q_EMIT session_->noticed(tr("The run file was copied to %1.").arg(QDir::toNativeSeparators(copy)),
                             tr("It can be opened, reported and exported on this computer."));
  });
}

void FileOpener::choose() {
  FileQuestion question{
      FileQuestion::Kind::kFile,
      tr("Open a model, a policy, a run description or a run"),
      {},
      tr("All supported files (*.pt *.ts *.pth *.json *.binade *.md);;TorchScript models (*.pt *.ts *.pth);;Policies "
         "(*.policy.json *.json);;Run descriptions (*.run.json *.json);;Runs (*.binade);;Lessons (*.md);;All files "
         "(*)")};
  if (session_->host().isEmpty()) {
    question.start = settings_->value(QLatin1String(kOpenFolder)).toString();
    return ask_files_(window_, question, [this](const QStringList& files) {
      settings_->setValue(QLatin1String(kOpenFolder), QFileInfo(files.front()).absolutePath());
      open(files);
    });
  }
  question.here = [this](const QStringList& files) { open(files); };
  FileQuestion far = question;
  far.title = tr("Open a model or a run");
  far.filter = tr("Models and runs (*.pt *.ts *.pth *.binade);;All files (*)");
  ask_files_(window_, far, [this](const QStringList& files) { openFar(files.front(), false); });
}

void FileOpener::chooseFailedRun() {
  const FileQuestion question{FileQuestion::Kind::kFile,
                              tr("Model of the failed run"),
                              {},
                              tr("TorchScript models (*.pt *.ts *.pth);;All files (*)")};
  ask_files_(window_, question, [this](const QStringList& files) {
    if (!session_->host().isEmpty()) return openFar(files.front(), true);
    waiting_.clear();
    if (!mayReplaceFor(files.front())) return;
    failed_run_ = true;
    session_->openFile(files.front());
  });
}

void FileOpener::chooseDescription() {
  const QString file = QFileDialog::getOpenFileName(window_, tr("Open a run description"), QString(),
                                                    tr("Run descriptions (*.json);;All files (*)"));
  if (!file.isEmpty()) open({file});
}

void FileOpener::chooseSecondRun() {
  FileQuestion question{FileQuestion::Kind::kFile, tr("Run to compare with"), {}, tr("Runs (*.binade);;All files (*)")};
  // Other runs are beside the shown one: a new run file is in a folder that file dialogs hide.
  if (session_->host().isEmpty()) question.start = QFileInfo(session_->run().runFile()).absolutePath();
  question.here = [this](const QStringList& files) { session_->compareWithRun(files.front()); };
  const FilesChosen here = question.here;
  ask_files_(window_, question, [this, here](const QStringList& files) {
    if (session_->host().isEmpty()) return here(files);
    fetchRun(files.front(), true, [this](const QString& copy, bool) { session_->compareWithRun(copy); });
  });
}

void FileOpener::open(const QStringList& files) {
  Q_EMIT begun();
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

// Asks about unsaved edits of what the file replaces. A file that is clearly unreadable replaces nothing.
bool FileOpener::mayReplaceFor(const QString& file) {
  switch (fileKindInside(file)) {
    case FileKind::kRun:
      return (QFileInfo(file) != QFileInfo(session_->run().runFile()) && isNoRunFile(file)) || saver_->mayLeave();
    case FileKind::kPolicy:
      return !readPolicyFile(file).policy || saver_->mayLeavePolicy();
    case FileKind::kDescription:
      return !readRunDescription(file).config || saver_->mayLeaveDescription();
    case FileKind::kModel:
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
