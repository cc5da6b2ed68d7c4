// SPDX-License-Identifier: Apache-2.0
// The window's set-up page: starting a run from a model, a run description or a failed run.
#include "app/docks/configuration_dock.h"
#include "app/form/data_section.h"
#include "app/form/policy_section.h"
#include "app/form/propose_run.h"
#include "app/form/run_form.h"
#include "app/form/setup_page.h"
#include "app/session/session.h"
#include "app/window/main_window.h"
#include "app/window/status_line.h"

#include <QApplication>
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
    form->policy()->hide();  // the policy of a run is edited elsewhere in the window
  });
  // Undo applies to the description while the focus is in a form, otherwise to the policy.
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
    const auto holds = [now](const QWidget* page) { return page != nullptr && page->isAncestorOf(now); };
    const bool in_form = now != nullptr && (holds(setup_) || holds(configuration_));
    session_->undoGroup()->setActiveStack(in_form ? session_->description().undoStack()
                                                  : session_->document().undoStack());
  });
}

// Answers a form's requests with the engine.
void MainWindow::answerForm(RunForm* form) {
  DataSection* data = form->data();
  connect(data, &DataSection::arraysWanted, this, [this, data](const std::vector<std::string>& files) {
    if (files.empty()) return data->setArrays({});
    session_->engine().listArrays(files, [data](const std::variant<wire::DataArrays, Problem>& answer) {
      if (const auto* arrays = std::get_if<wire::DataArrays>(&answer)) return data->setArrays(*arrays);
      data->showProblem(QStringLiteral("data.files"), std::get<Problem>(answer).message);
    });
  });
  // The engine cancels an earlier preview when another is requested; its late answer is ignored.
  const auto newest = std::make_shared<int>(0);
  connect(data, &DataSection::previewWanted, this, [this, form, data, newest] {
    const int mine = ++*newest;
    if (const auto wrong = session_->description().problem()) {
      data->showNoPreview(*wrong);
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
    config.caption = tr("One step on random data. The value ranges are not those of your model.").toStdString();
  }
  if (config.run_file.empty()) {
    config.run_file =
        Session::newRunFile(QString::fromStdString(config.name.empty() ? config.model : config.name)).toStdString();
  }
  // The run replaces the open policy: asks about unsaved edits.
  if (config.policy != session_->document().policy() && !mayLeavePolicy()) return setup_->allowStart();
  session_->startRun(config);
}

void MainWindow::leaveSetup() {
  if (session_->run().isEmpty()) return showStart();
  session_->description().adopt(session_->run().config());
  showRun();
}

}  // namespace binade::app
