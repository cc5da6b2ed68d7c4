// SPDX-License-Identifier: Apache-2.0
// The window's set-up card: how a model, a run description or a failed run comes to a run.
#include "app/actions.h"
#include "app/configuration_dock.h"
#include "app/export_dialog.h"
#include "app/form/data_section.h"
#include "app/form/policy_section.h"
#include "app/form/propose_run.h"
#include "app/form/run_form.h"
#include "app/form/setup_page.h"
#include "app/main_window.h"
#include "app/session.h"
#include "app/status_line.h"

#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QStackedWidget>

#include <memory>

namespace binade::app {

SetupPage* MainWindow::setupPage() {
  if (setup_ != nullptr) return setup_;
  setup_ = new SetupPage(&session_->description());
  pages_->addWidget(setup_);
  connect(setup_, &SetupPage::startableChanged, this, &MainWindow::updateActions);
  connect(setup_, &SetupPage::startRequested, this, [this] { startFromSetup(false); });
  connect(setup_, &SetupPage::oneStepRequested, this, [this] { startFromSetup(true); });
  connect(setup_, &SetupPage::openRequested, this, &MainWindow::chooseDescription);
  connect(setup_, &SetupPage::saveRequested, this, &MainWindow::saveDescription);
  connect(setup_, &SetupPage::cancelled, this, &MainWindow::leaveSetup);
  answerForm(setup_->form());
  return setup_;
}

void MainWindow::connectSetup() {
  connect(configuration_, &ConfigurationDock::formMade, this, [this](RunForm* form) {
    answerForm(form);
    form->policy()->hide();  // the run's policy is edited in the window
  });
  // Undo belongs to what the person is at: the description, or the run.
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
    const auto holds = [now](const QWidget* page) { return page != nullptr && page->isAncestorOf(now); };
    const bool in_form = now != nullptr && (holds(setup_) || holds(configuration_));
    session_->undoGroup()->setActiveStack(in_form ? session_->description().undoStack()
                                                  : session_->document().undoStack());
  });
}

// What a form asks of the engine.
void MainWindow::answerForm(RunForm* form) {
  DataSection* data = form->data();
  connect(data, &DataSection::arraysWanted, this, [this, data](const std::vector<std::string>& files) {
    if (files.empty()) return data->setArrays({});
    session_->engine().listArrays(files, [data](const std::variant<wire::DataArrays, Problem>& answer) {
      if (const auto* arrays = std::get_if<wire::DataArrays>(&answer)) return data->setArrays(*arrays);
      data->showProblem(QStringLiteral("data.files"), std::get<Problem>(answer).message);
    });
  });
  // The engine gives up a look at large data when another one is asked for.
  const auto newest = std::make_shared<int>(0);
  connect(data, &DataSection::previewWanted, this, [this, form, data, newest] {
    const int mine = ++*newest;
    if (const auto wrong = session_->description().problem()) {
      data->showNoPreview(wrong->problem);
      return;
    }
    session_->engine().previewData(
        session_->description().complete(),
        [this, form, data, newest, mine](const std::variant<wire::DataPreview, Problem>& answer) {
          if (mine != *newest) return;
          status_->setBusy({});
          if (const auto* preview = std::get_if<wire::DataPreview>(&answer)) return data->showPreview(*preview);
          form->showProblem(std::get<Problem>(answer));
          data->showNoPreview(std::get<Problem>(answer));
        });
  });
}

void MainWindow::setUp(const wire::ModelInfo& model) {
  const bool failed = std::exchange(failed_run_wanted_, false);
  openDescription(model, failed ? proposeFailedRun(model) : proposeRun(model), {});
  if (failed) setupPage()->setUp(model, SetupPage::Purpose::kFailedRun);
}

void MainWindow::openDescription(const wire::ModelInfo& model, const wire::RunConfig& config, const QString& file) {
  wire::RunConfig described = config;
  const policy::Policy& open = session_->document().policy();
  if (file.isEmpty() && (!open.ops.empty() || !open.sites.empty() || !open.name.empty())) described.policy = open;
  RunForm* form = setupPage()->form();
  form->setCapabilities(session_->capabilities());
  form->policy()->setOpened(open);
  session_->description().adopt(described);
  if (!file.isEmpty()) session_->description().setFile(file);
  setup_->setUp(model, SetupPage::Purpose::kTraining);
  showSetup();
}

void MainWindow::startFromSetup(bool oneStep) {
  wire::RunConfig config = session_->description().complete();
  if (oneStep) {
    const wire::RunConfig random = proposeRun(setup_->form()->data()->model());
    config.data = {};
    config.data.inputs = random.data.inputs;
    config.steps = 1;
    config.evaluate_every = 0;
    config.observe = {};
    config.caption = tr("One step on random data: ranges are not your model's.").toStdString();
  }
  if (config.run_file.empty()) {
    config.run_file =
        Session::newRunFile(QString::fromStdString(config.name.empty() ? config.model : config.name)).toStdString();
  }
  // The run brings its policy along; edits of the present one do not go unasked.
  if (config.policy != session_->document().policy() && !mayLeavePolicy()) return setup_->allowStart();
  session_->startRun(config);
}

void MainWindow::leaveSetup() {
  if (session_->run().isEmpty()) return showStart();
  session_->description().adopt(session_->run().config());
  showRun();
}

void MainWindow::chooseFailedRun() {
  const QString file = QFileDialog::getOpenFileName(this, tr("The model of the run that failed"), QString(),
                                                    tr("TorchScript models (*.pt *.ts *.pth);;All files (*)"));
  if (file.isEmpty()) return;
  failed_run_wanted_ = true;
  session_->openFile(file);
}

void MainWindow::chooseDescription() {
  const QString file = QFileDialog::getOpenFileName(this, tr("Open a run description"), QString(),
                                                    tr("Run descriptions (*.json);;All files (*)"));
  if (!file.isEmpty()) session_->openFile(file);
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
  // Of a run on files the shapes are those that the set-up would propose.
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
