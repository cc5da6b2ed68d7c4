// SPDX-License-Identifier: Apache-2.0
// The window's files: what is chosen, dropped, opened, saved and exported.
#include "app/form/propose_run.h"
#include "app/session/file_kind.h"
#include "app/session/session.h"
#include "app/window/export_dialog.h"
#include "app/window/main_window.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>

#include <utility>

namespace binade::app {

void MainWindow::chooseFile() {
  const QString file = QFileDialog::getOpenFileName(
      this, tr("Open a model, a policy, a run description or a run"), QString(),
      tr("All supported files (*.pt *.ts *.pth *.json *.binade);;TorchScript models (*.pt *.ts *.pth);;Policies "
         "(*.policy.json *.json);;Run descriptions (*.run.json *.json);;Runs (*.binade);;All files (*)"));
  if (!file.isEmpty()) openFiles({file});
}

void MainWindow::openFiles(const QStringList& files) {
  session_->cancelOpening();
  files_to_open_ = files;
  openNextFile();
}

// One after the other: a policy after a run file is applied to that run.
void MainWindow::openNextFile() {
  while (!files_to_open_.isEmpty() && !session_->isOpening()) {
    const QString file = files_to_open_.takeFirst();
    failed_run_wanted_ = false;
    // A run brings its own policy along; a model and a policy file do not take the present one's place unasked.
    if (fileKindInside(file) == FileKind::kRun && !mayLeavePolicy()) return files_to_open_.clear();
    session_->openFile(file);
  }
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  QStringList files;
  for (const QUrl& url : event->mimeData()->urls()) {
    if (url.isLocalFile()) files << url.toLocalFile();
  }
  event->acceptProposedAction();
  openFiles(files);
}

void MainWindow::chooseFailedRun() {
  const QString file = QFileDialog::getOpenFileName(this, tr("Model of the failed run"), QString(),
                                                    tr("TorchScript models (*.pt *.ts *.pth);;All files (*)"));
  if (file.isEmpty()) return;
  files_to_open_.clear();
  failed_run_wanted_ = true;
  session_->openFile(file);
}

void MainWindow::chooseDescription() {
  const QString file = QFileDialog::getOpenFileName(this, tr("Open a run description"), QString(),
                                                    tr("Run descriptions (*.json);;All files (*)"));
  if (!file.isEmpty()) openFiles({file});
}

bool MainWindow::savePolicy(bool choose) {
  PolicyDocument& document = session_->document();
  QString file = document.file();
  if (choose || file.isEmpty()) {
    file = QFileDialog::getSaveFileName(this, tr("Save policy"),
                                        file.isEmpty() ? document.title() + QStringLiteral(".policy.json") : file,
                                        tr("Policies (*.policy.json)"));
    if (file.isEmpty()) return false;
    if (!file.endsWith(QStringLiteral(".json"))) file += QStringLiteral(".policy.json");
  }
  if (const auto problem = document.save(file)) {
    showProblem(*problem);
    return false;
  }
  session_->recentFiles().add(file);
  return true;
}

bool MainWindow::mayLeavePolicy() {
  if (!session_->document().isModified()) return true;
  const auto answer = QMessageBox::question(
      this, tr("Unsaved policy"), tr("The policy %1 has unsaved edits.").arg(session_->document().title()),
      QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
  if (answer == QMessageBox::Save) return savePolicy(false);
  return answer == QMessageBox::Discard;
}

void MainWindow::saveDescription() {
  RunDocument& description = session_->description();
  QString file = description.file();
  if (file.isEmpty()) file = QString::fromStdString(description.config().name) + QStringLiteral(".run.json");
  file = QFileDialog::getSaveFileName(this, tr("Save the run description"), file, tr("Run descriptions (*.run.json)"));
  if (file.isEmpty()) return;
  if (!file.endsWith(QStringLiteral(".json"))) file += QStringLiteral(".run.json");
  if (const auto problem = description.save(file)) return showProblem(*problem);
  session_->recentFiles().add(file);
}

void MainWindow::saveModel() {
  const QString name = QString::fromStdString(session_->run().config().name);
  QString file = QFileDialog::getSaveFileName(this, tr("Save the trained model"),
                                              (name.isEmpty() ? tr("model") : name) + QStringLiteral(".pt"),
                                              tr("TorchScript models (*.pt)"));
  if (file.isEmpty()) return;
  if (QFileInfo(file).suffix().isEmpty()) file += QStringLiteral(".pt");
  session_->saveModel(file);
}

// The policy as the window has it, edits among it that no run has taken up yet.
void MainWindow::exportPolicy() {
  const RunModel& run = session_->run();
  if (run.isEmpty()) return;
  ExportChoice choice;
  choice.order.model = QString::fromStdString(run.config().model);
  choice.order.policy = session_->document().policy();
  // A run on files names no shapes, so those that the set-up page proposes are used.
  const std::vector<std::string>& own = run.config().data.inputs;
  const wire::RunConfig proposed = proposeRun(run.modelInfo());
  for (const std::string& input : own.empty() ? proposed.data.inputs : own)
    choice.order.inputs << QString::fromStdString(input);
  const QString name = QString::fromStdString(run.config().name);
  choice.order.file =
      QFileInfo((name.isEmpty() ? tr("model") : name) + QStringLiteral(".exported.pt")).absoluteFilePath();
  const int changes = session_->document().changeCount();
  choice.policy = session_->document().title();
  if (changes > 0)
    choice.policy += QStringLiteral(" · ") + (changes == 1 ? tr("1 change") : tr("%1 changes").arg(changes));
  if (run.hasWeights()) choice.trained = run.steps().empty() ? 0 : run.steps().back().step + 1;
  auto* dialog = new ExportDialog(
      choice, session_->engine().command(),
      [this](const QString& file, std::function<void()> done) { session_->saveModel(file, std::move(done)); }, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(session_, &Session::problem, dialog, &ExportDialog::giveUp);
  connect(dialog, &ExportDialog::exported, this, [this](const QString& file) { session_->recentFiles().add(file); });
  dialog->open();
}

}  // namespace binade::app
