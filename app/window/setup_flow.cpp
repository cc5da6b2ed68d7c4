// SPDX-License-Identifier: Apache-2.0
#include "app/window/setup_flow.h"

#include "app/form/data_section.h"
#include "app/form/policy_section.h"
#include "app/form/propose_run.h"
#include "app/form/run_form.h"
#include "app/form/setup_page.h"
#include "app/session/attachment.h"
#include "app/session/session.h"
#include "app/window/file_opener.h"
#include "app/window/file_saver.h"
#include "app/window/form_requests.h"

#include <QMessageBox>
#include <QPushButton>
#include <QStackedWidget>

namespace binade::app {

SetupFlow::SetupFlow(Session* session, QSettings* settings, FileOpener* opener, FileSaver* saver, QStackedWidget* pages,
                     QWidget* window)
    : QObject(window),
      session_(session),
      settings_(settings),
      opener_(opener),
      saver_(saver),
      pages_(pages),
      window_(window) {
  connect(opener_, &FileOpener::modelOpened, this, &SetupFlow::setUp);
  connect(session_, &Session::descriptionOpened, this, &SetupFlow::setUpDescription);
  connect(session_, &Session::policyOpened, this, [this] {
    if (!isCurrent()) return;
    page_->form()->policy()->setOpened(session_->document().policy());
    session_->useOpenedPolicy();
  });
}

SetupPage* SetupFlow::page() {
  if (page_ != nullptr) return page_;
  page_ = new SetupPage(&session_->description());
  pages_->addWidget(page_);
  connect(page_, &SetupPage::startableChanged, this, &SetupFlow::startableChanged);
  connect(page_, &SetupPage::startRequested, this, [this] { start(false); });
  connect(page_, &SetupPage::oneStepRequested, this, [this] { start(true); });
  connect(page_, &SetupPage::openRequested, opener_, &FileOpener::chooseDescription);
  connect(page_, &SetupPage::saveRequested, saver_, &FileSaver::chooseDescriptionFile);
  connect(page_, &SetupPage::cancelled, this, &SetupFlow::leave);
  answerRequests(page_->form(), session_, settings_);
  return page_;
}

bool SetupFlow::isCurrent() const {
  return page_ != nullptr && pages_->currentWidget() == page_;
}

bool SetupFlow::canStart() const {
  return page_ != nullptr && page_->startButton()->isEnabled();
}

bool SetupFlow::contains(const QWidget* widget) const {
  return page_ != nullptr && page_->isAncestorOf(widget);
}

void SetupFlow::allowStart() {
  if (page_ != nullptr) page_->allowStart();
}

void SetupFlow::setUp(const wire::ModelInfo& model, bool failedRun) {
  setUpDescription(model, failedRun ? proposeFailedRun(model) : proposeRun(model), {});
  if (failedRun) page_->setUp(model, SetupPage::Purpose::kFailedRun);
}

void SetupFlow::setUpDescription(const wire::ModelInfo& model, const wire::RunConfig& config, const QString& file) {
  wire::RunConfig described = config;
  const policy::Policy& open = session_->document().policy();
  // The policy of a run of another model does not follow the user to this one; one that was opened does.
  const bool opened = !session_->document().file().isEmpty();
  const wire::RunConfig& shown = session_->run().config();
  if (file.isEmpty() && (opened || session_->run().isEmpty() || shown.model == config.model)) described.policy = open;
  RunForm* form = page()->form();
  form->setCapabilities(session_->capabilities());
  form->policy()->setOpened(open);
  session_->description().adopt(described);
  if (!file.isEmpty()) session_->description().setFile(file);
  page_->setHost(session_->host());
  page_->setUp(model, SetupPage::Purpose::kTraining);
  Q_EMIT entered();
}

void SetupFlow::start(bool oneStep) {
  wire::RunConfig config = session_->description().complete();
  if (oneStep) {
    const wire::RunConfig random = proposeRun(page_->form()->data()->model());
    config.data = {};
    config.data.inputs = random.data.inputs;
    config.steps = 1;
    config.evaluate_every = 0;
    config.observe = {};
    config.caption = tr("One step on random data. The value ranges are not those of your model.").toStdString();
  }
  if (config.run_file.empty()) {
    config.run_file =
        session_->runFileFor(QString::fromStdString(config.name.empty() ? config.model : config.name)).toStdString();
  }
  // The run replaces the open policy: asks about unsaved edits.
  if (config.policy != session_->document().policy() && !saver_->mayLeavePolicy()) return page_->allowStart();
  session_->startRun(config);
}

void SetupFlow::leave() {
  if (!session_->run().isEmpty()) session_->description().adopt(session_->run().config());
  Q_EMIT left();
}

void SetupFlow::runDemo() {
  if (!saver_->mayLeave()) return;
  if (session_->run().isActive()) {
    const QString question =
        session_->attachment().isOn()
            ? tr("The window is attached to a training. Let go of it, so that it goes on alone, and "
                 "run the demo?")
            : tr("A run is in progress. Stop it and run the demo?");
    const auto answer = QMessageBox::question(window_, tr("Run the demo"), question);
    if (answer != QMessageBox::Yes) return;
  }
  session_->runDemo();
}

}  // namespace binade::app
