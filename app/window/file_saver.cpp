// SPDX-License-Identifier: Apache-2.0
#include "app/window/file_saver.h"

#include "app/form/propose_run.h"
#include "app/session/bundle_job.h"
#include "app/session/report_job.h"
#include "app/session/session.h"
#include "app/window/export_dialog.h"
#include "app/window/far_file.h"
#include "app/window/run_export_dialog.h"
#include "views/values/numbers.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QScopedValueRollback>

#include <memory>
#include <utility>

namespace binade::app {

FileSaver::FileSaver(Session* session, QSettings* settings, QWidget* window)
    : QObject(window),
      session_(session),
      settings_(settings),
      window_(window),
      report_(new ReportJob(this)),
      bundle_(new BundleJob(this)) {
  connect(bundle_, &BundleJob::finished, this, [this](const BundleResult& result) {
    Q_EMIT busy({});
    if (result.problem) return Q_EMIT problem(*result.problem);
    QString hint = result.written.replayable
                       ? tr("Its README.txt has the commands that reproduce the event.")
                       : tr("The run kept no state before this step, so the event cannot be replayed alone.");
    if (!result.written.needed.empty()) hint += u' ' + tr("Its data is not in the folder.");
    Q_EMIT written(tr("The event was written to %1.").arg(QDir::toNativeSeparators(result.folder)), hint);
  });
  connect(report_, &ReportJob::progress, this,
          [this](qint64 steps) { Q_EMIT busy(tr("Writing the report: %1 steps read").arg(views::grouped(steps))); });
  connect(report_, &ReportJob::finished, this, [this](const ReportResult& result) {
    Q_EMIT busy({});
    if (result.problem) return Q_EMIT problem(*result.problem);
    const QString hint = result.damaged == 0
                             ? tr("It is one page without scripts. Any browser shows it.")
                             : tr("Damaged parts of the run file are left out. The report names them at its top.");
    Q_EMIT written(tr("The report was written to %1.").arg(QDir::toNativeSeparators(result.file)), hint);
  });
}

bool FileSaver::savePolicy(bool choose) {
  PolicyDocument& document = session_->document();
  QString file = document.file();
  if (choose || file.isEmpty()) {
    file = QFileDialog::getSaveFileName(window_, tr("Save policy"),
                                        file.isEmpty() ? document.title() + QStringLiteral(".policy.json") : file,
                                        tr("Policies (*.policy.json)"));
    if (file.isEmpty()) return false;
    if (!file.endsWith(QStringLiteral(".json"))) file += QStringLiteral(".policy.json");
  }
  if (const auto failure = document.save(file, session_->provenance())) {
    Q_EMIT problem(*failure);
    return false;
  }
  session_->recentFiles().add(file);
  return true;
}

bool FileSaver::mayLeave(bool policy, bool description) {
  policy = policy && session_->document().isModified();
  description = description && session_->description().isModified();
  if (!policy && !description) return true;
  if (asking_) return false;  // the window is closed a second time while the question is shown
  const QScopedValueRollback guard(asking_, true);
  const QString name = session_->document().title();
  const wire::RunConfig& config = session_->description().config();
  const QString run = QString::fromStdString(config.name.empty() ? config.model : config.name);
  QString question = tr("The policy %1 and the run description %2 have unsaved edits.").arg(name, run);
  if (!description) question = tr("The policy %1 has unsaved edits.").arg(name);
  if (!policy) question = tr("The run description %1 has unsaved edits.").arg(run);
  QMessageBox box(QMessageBox::Question, tr("Unsaved edits"), question,
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, window_);
  box.setTextFormat(Qt::PlainText);
  box.setInformativeText(tr("Without saving they are lost."));
  box.button(QMessageBox::Discard)->setText(tr("Do&n't save"));
  box.setDefaultButton(QMessageBox::Save);
  box.setEscapeButton(QMessageBox::Cancel);
  const int answer = box.exec();
  if (answer == QMessageBox::Save) return (!policy || savePolicy(false)) && (!description || saveDescription(false));
  return answer == QMessageBox::Discard;
}

void FileSaver::chooseDescriptionFile() {
  saveDescription(true);
}

bool FileSaver::saveDescription(bool choose) {
  RunDocument& description = session_->description();
  QString file = description.file();
  if (choose || file.isEmpty()) {
    if (file.isEmpty()) file = QString::fromStdString(description.config().name) + QStringLiteral(".run.json");
    file = QFileDialog::getSaveFileName(window_, tr("Save the run description"), file,
                                        tr("Run descriptions (*.run.json)"));
    if (file.isEmpty()) return false;
    if (!file.endsWith(QStringLiteral(".json"))) file += QStringLiteral(".run.json");
  }
  if (const auto failure = description.save(file)) {
    Q_EMIT problem(*failure);
    return false;
  }
  session_->recentFiles().add(file);
  return true;
}

void FileSaver::saveModel() {
  const QString name = QString::fromStdString(session_->run().config().name);
  const QString proposal = (name.isEmpty() ? tr("model") : name) + QStringLiteral(".pt");
  const FileQuestion question{FileQuestion::Kind::kNewFile, tr("Save the trained model"), proposal,
                              tr("TorchScript models (*.pt)")};
  askWhereTheEngineIs(session_, settings_)(window_, question, [this](const QStringList& chosen) {
    QString file = chosen.front();
    if (QFileInfo(file).suffix().isEmpty()) file += QStringLiteral(".pt");
    session_->saveModel(file);
  });
}

void FileSaver::savePolicyCopy(const policy::Policy& policy, const QString& name) {
  QString file = QFileDialog::getSaveFileName(window_, tr("Save policy"), name + QStringLiteral(".policy.json"),
                                              tr("Policies (*.policy.json)"));
  if (file.isEmpty()) return;
  if (!file.endsWith(QStringLiteral(".json"))) file += QStringLiteral(".policy.json");
  PolicyDocument copy;
  copy.adopt(policy, 0);
  if (const auto failure = copy.save(file, policy.provenance)) return Q_EMIT problem(*failure);
  session_->recentFiles().add(file);
}

// Exports the policy with its edits, also those that no run has applied yet.
void FileSaver::exportPolicy() {
  const PolicyDocument& document = session_->document();
  openExport(document.policy(), document.title(), document.changeCount());
}

void FileSaver::exportPolicyCopy(const policy::Policy& policy, const QString& name) {
  openExport(policy, name, static_cast<int>(policy.sites.size() + policy.ops.size()));
}

void FileSaver::openExport(const policy::Policy& policy, const QString& title, int changes) {
  const RunModel& run = session_->run();
  if (run.isEmpty()) return;
  ExportChoice choice;
  choice.order.model = QString::fromStdString(run.config().model);
  choice.order.policy = policy;
  // A run on files names no shapes, so those that the set-up page proposes are used.
  const std::vector<std::string>& own = run.config().data.inputs;
  const wire::RunConfig proposed = proposeRun(run.modelInfo());
  for (const std::string& input : own.empty() ? proposed.data.inputs : own)
    choice.order.inputs << QString::fromStdString(input);
  const QString name = QString::fromStdString(run.config().name);
  choice.stem = QFileInfo(name.isEmpty() ? tr("model") : name).absoluteFilePath();
  choice.order.file = choice.stem + QStringLiteral(".exported.pt");
  choice.run = std::make_shared<AssignedRun>(run.modelInfo(), run.config(), choice.order.policy);
  choice.policy = title;
  if (changes > 0) choice.changes = changes == 1 ? tr("1 change") : tr("%1 changes").arg(views::grouped(changes));
  if (run.hasWeights()) choice.trained = run.steps().empty() ? 0 : run.steps().back().step + 1;
  auto* dialog = new ExportDialog(
      choice, session_->engine().command(),
      [this](const QString& file, const std::function<void()>& done) { session_->saveModel(file, done); }, settings_,
      window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(session_, &Session::problem, dialog->torchScript(), &TorchScriptPage::giveUp);
  connect(dialog, &ExportDialog::exported, this, [this](const QString& file) { session_->recentFiles().add(file); });
  dialog->open();
}

void FileSaver::exportReport() {
  const QString recorded = session_->run().runFile();
  if (recorded.isEmpty()) return;
  QString file = QFileDialog::getSaveFileName(window_, tr("Export report"),
                                              QFileInfo(recorded).completeBaseName() + QStringLiteral(".html"),
                                              tr("HTML (*.html)"));
  if (file.isEmpty()) return;
  if (QFileInfo(file).suffix().isEmpty()) file += QStringLiteral(".html");
  startReport(file);
}

void FileSaver::startReport(const QString& file) {
  if (report_->isRunning()) {
    return Q_EMIT problem({tr("A report is still being written."), tr("Export this one after it.")});
  }
  Q_EMIT busy(tr("Writing the report"));
  report_->start(session_->run().runFile(), file);
}

void FileSaver::saveBundle() {
  const RunModel& run = session_->run();
  const int event = session_->selection().event();
  if (run.runFile().isEmpty() || event < 0 || event >= static_cast<int>(run.events().size()) || bundle_->isRunning())
    return;
  const qint64 step = run.events()[static_cast<std::size_t>(event)].step;
  const QString proposal = QStringLiteral("%1-step-%2").arg(QFileInfo(run.runFile()).completeBaseName()).arg(step);
  const QString folder =
      QFileDialog::getSaveFileName(window_, tr("Save the event as a new folder"), proposal, tr("Folders (*)"));
  if (folder.isEmpty()) return;
  const wire::DataConfig& read = run.config().data;
  bool data = false;
  if (!read.files.empty() || !read.folder.empty()) {
    const auto answer = QMessageBox::question(
        window_, tr("Save the event as a new folder"),
        tr("Copy the files of data into the folder too? Without them, the event can be replayed only where they are."),
        QMessageBox::Yes | QMessageBox::No | QMessageBox::Cancel, QMessageBox::No);
    if (answer == QMessageBox::Cancel) return;
    data = answer == QMessageBox::Yes;
  }
  Q_EMIT busy(tr("Writing the event"));
  bundle_->start(run.runFile(), step, folder, data);
}

void FileSaver::exportRun() {
  const QString recorded = session_->run().runFile();
  if (recorded.isEmpty()) return;
  auto* dialog = new RunExportDialog(recorded, window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

}  // namespace binade::app
