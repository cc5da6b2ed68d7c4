// SPDX-License-Identifier: Apache-2.0
#include "app/docks/configuration_dock.h"

#include "app/docks/empty_state.h"
#include "app/form/run_form.h"
#include "app/session/session.h"
#include "views/style/looks.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace binade::app {

ConfigurationDock::ConfigurationDock(Session* session, QWidget* parent)
    : Dock(QStringLiteral("configuration"), tr("Configuration"), parent),
      session_(session),
      form_page_(new QWidget),
      state_(new QLabel),
      start_(new QPushButton(tr("Restart with these settings"))) {
  auto* page = new QWidget;
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  views::setPanelGround(form_page_);
  auto* inside = new QVBoxLayout(form_page_);
  inside->setContentsMargins(12, 8, 12, 12);
  scroll->setWidget(form_page_);
  layout->addWidget(scroll, 1);
  auto* foot = new QWidget;
  views::setSurface(foot, views::Surface::kFoot);
  auto* row = new QHBoxLayout(foot);
  row->setContentsMargins(12, 4, 12, 4);
  row->setSpacing(8);
  views::setTone(state_, views::Tone::kSecond);
  state_->setWordWrap(true);
  auto* open = new QPushButton(tr("Open…"));
  auto* save = new QPushButton(tr("Save…"));
  open->setAccessibleName(tr("Open a run description"));
  save->setAccessibleName(tr("Save the run description"));
  for (QPushButton* button : {open, save}) {
    button->setToolTip(tr("A JSON file for binade-engine train."));
  }
  start_->setToolTip(tr("Starts a new run of this model with these settings. A run in progress is stopped first."));
  row->addWidget(state_, 1);
  row->addWidget(open);
  row->addWidget(save);
  row->addWidget(start_);
  layout->addWidget(foot);
  auto* empty = new EmptyState(page, tr("No run yet."), tr("The configuration of a run appears here."));
  setWidget(empty);
  connect(open, &QPushButton::clicked, this, &ConfigurationDock::openRequested);
  connect(save, &QPushButton::clicked, this, &ConfigurationDock::saveRequested);
  connect(start_, &QPushButton::clicked, this, [this] {
    if (session_->description().problem()) {
      form()->goToProblem();
    } else {
      Q_EMIT startRequested();
    }
  });
  const auto run_changed = [this, empty] {
    const RunModel& run = session_->run();
    empty->setEmpty(run.isEmpty());
    if (!run.isEmpty() && form_ != nullptr) form_->setModel(run.modelInfo());
    update();
  };
  connect(&session_->run(), &RunModel::reset, this, run_changed);
  connect(&session_->run(), &RunModel::stateChanged, this, &ConfigurationDock::update);
  connect(&session_->description(), &RunDocument::changed, this, &ConfigurationDock::update);
  run_changed();
}

RunForm* ConfigurationDock::form() {
  if (form_ != nullptr) return form_;
  form_ = new RunForm(&session_->description(), 1);
  form_page_->layout()->addWidget(form_);
  Q_EMIT formMade(form_);
  if (const RunModel& run = session_->run(); !run.isEmpty()) form_->setModel(run.modelInfo());
  return form_;
}

void ConfigurationDock::setVisible(bool visible) {
  if (visible) form();
  Dock::setVisible(visible);
}

void ConfigurationDock::update() {
  const bool modified = session_->description().isModified();
  start_->setEnabled(!session_->run().isEmpty());
  views::setPrimary(start_, modified);
  state_->setText(modified ? tr("Changed. The changes apply when the run is restarted.")
                           : tr("The settings with which the run was started."));
}

}  // namespace binade::app
