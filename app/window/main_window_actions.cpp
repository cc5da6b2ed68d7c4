// SPDX-License-Identifier: Apache-2.0
// The window's commands: menus, actions, and when actions are enabled.
#include "app/docks/dock.h"
#include "app/docks/sites_dock.h"
#include "app/form/setup_page.h"
#include "app/model/site_name.h"
#include "app/session/session.h"
#include "app/window/actions.h"
#include "app/window/main_window.h"
#include "app/window/observe_dialog.h"
#include "app/window/observe_menu.h"
#include "app/window/shortcuts_dialog.h"
#include "app/window/start_page.h"
#include "app/window/theme_setting.h"
#include "views/plot/step_axis.h"
#include "views/style/looks.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QUndoStack>

namespace binade::app {

void MainWindow::makeMenus() {
  fillFileMenu();
  QMenu* edit = menuBar()->addMenu(tr("&Edit"));
  edit->addActions({actions_->undo, actions_->redo, actions_->undo_and_rewind});
  edit->setToolTipsVisible(true);
  edit->addSeparator();
  edit->addAction(actions_->filter);
  fillViewMenu();
  QMenu* run = menuBar()->addMenu(tr("&Run"));
  run->addActions({actions_->run, actions_->pause, actions_->step, actions_->stop});
  run->addSeparator();
  run->addActions({actions_->start_again, actions_->resume_checkpoint, actions_->save_checkpoint});
  run->addSeparator();
  run->addMenu(observe_menu_);
  run->addAction(actions_->compare);
  run->addSeparator();
  run->addAction(actions_->restart_engine);
  fillPolicyMenu();
  QMenu* help = menuBar()->addMenu(tr("&Help"));
  help->addActions({actions_->shortcuts, actions_->about});
  views::setTone(title_, views::Tone::kSecond);
  title_->setContentsMargins(0, 4, 12, 0);
  menuBar()->setCornerWidget(title_);
}

void MainWindow::fillFileMenu() {
  QMenu* file = menuBar()->addMenu(tr("&File"));
  file->addAction(actions_->open);
  QMenu* recent = file->addMenu(tr("Open &recent"));
  connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecentMenu(recent); });
  file->addAction(actions_->demo);
  file->addAction(actions_->start_page);
  file->addSeparator();
  file->addActions({actions_->save_policy, actions_->save_policy_as, actions_->save_description, actions_->save_model});
  file->addSeparator();
  file->addAction(actions_->export_policy);
  file->addSeparator();
  file->addAction(actions_->quit);
}

void MainWindow::fillRecentMenu(QMenu* menu) {
  menu->clear();
  const RecentFiles& recent = session_->recentFiles();
  for (int row = 0; row < recent.rowCount(); ++row) {
    const QString file = recent.path(row);
    QAction* action = menu->addAction(QFileInfo(file).fileName());
    action->setToolTip(file);
    action->setEnabled(QFileInfo::exists(file));
    connect(action, &QAction::triggered, this, [this, file] { openFiles({file}); });
  }
  if (recent.rowCount() == 0) menu->addAction(tr("No recent files"))->setEnabled(false);
  menu->addSeparator();
  connect(menu->addAction(tr("&Clear list")), &QAction::triggered, &session_->recentFiles(), &RecentFiles::clear);
}

void MainWindow::fillPolicyMenu() {
  menuBar()->addMenu(policy_menu_);
  policy_menu_->addActions(
      {actions_->set_float32, actions_->set_bfloat16, actions_->set_float16, actions_->clear_rules});
  policy_menu_->addSeparator();
  QMenu* base = policy_menu_->addMenu(tr("&Base list"));
  base->setToolTipsVisible(true);
  using policy::Base;
  for (const Base each :
       {Base::kCudaAmp, Base::kCpuAmp, Base::kAllFloat32, Base::kApexO0, Base::kApexO1, Base::kApexO2, Base::kApexO3}) {
    QAction* action = base->addAction(QString::fromStdString(policy::name(each)));
    action->setToolTip(QString::fromStdString(policy::brief(each)));
    action->setStatusTip(action->toolTip());
    action->setCheckable(true);
    connect(base, &QMenu::aboutToShow, action,
            [this, action, each] { action->setChecked(session_->document().policy().base == each); });
    connect(action, &QAction::triggered, this, [this, each] { session_->document().setBase(each); });
  }
  policy_menu_->addSeparator();
  policy_menu_->addActions({actions_->save_policy, actions_->save_policy_as, actions_->export_policy});
}

void MainWindow::fillViewMenu() {
  QMenu* view = menuBar()->addMenu(tr("&View"));
  const QString keys = QStringLiteral("1234567890");  // number row of the keyboard; further docks have no shortcut
  int key = 0;
  for (Dock* dock : docks_) {
    QAction* action = dock->toggleViewAction();
    action->setObjectName(QStringLiteral("show.") + dock->objectName());
    if (key < keys.size()) action->setShortcut(QKeySequence(QStringLiteral("Alt+%1").arg(keys[key++])));
    view->addAction(action);
  }
  view->addSeparator();
  view->addActions(actions_->arrangements->actions());
  view->addSeparator();
  view->addActions({actions_->fit, actions_->follow});
  view->addSeparator();
  fillThemeMenu(view->addMenu(tr("&Theme")), settings_);
  view->addAction(actions_->restore_layout);
}

void MainWindow::connectActions() {
  connectFileActions();
  connectRunActions();
  connectFormatActions();
  connectViewActions();
  connectStartPage();
}

void MainWindow::connectFileActions() {
  connect(actions_->open, &QAction::triggered, this, &MainWindow::chooseFile);
  connect(actions_->demo, &QAction::triggered, this, &MainWindow::runDemo);
  connect(actions_->start_page, &QAction::triggered, this, [this] {
    if (shows_run_) return showStart();
    if (!session_->run().isEmpty()) showRun();
  });
  connect(actions_->save_policy, &QAction::triggered, this, [this] { savePolicy(false); });
  connect(actions_->save_policy_as, &QAction::triggered, this, [this] { savePolicy(true); });
  connect(actions_->save_description, &QAction::triggered, this, &MainWindow::saveDescription);
  connect(actions_->save_model, &QAction::triggered, this, &MainWindow::saveModel);
  connect(actions_->export_policy, &QAction::triggered, this, &MainWindow::exportPolicy);
  connect(actions_->quit, &QAction::triggered, this, &QWidget::close);
}

void MainWindow::connectRunActions() {
  Session* session = session_;
  connect(actions_->run, &QAction::triggered, this, [this, session] {
    if (showsSetup()) return setup_->startNow();
    session->canStartAgain() ? session->startAgain() : session->resume();
  });
  connect(actions_->pause, &QAction::triggered, session, &Session::pause);
  connect(actions_->step, &QAction::triggered, session, &Session::step);
  connect(actions_->stop, &QAction::triggered, session, &Session::stop);
  connect(actions_->start_again, &QAction::triggered, session, &Session::startAgain);
  connect(actions_->resume_checkpoint, &QAction::triggered, session, &Session::resumeFromCheckpoint);
  connect(actions_->save_checkpoint, &QAction::triggered, session, &Session::saveCheckpoint);
  connect(actions_->undo_and_rewind, &QAction::triggered, session, &Session::undoAndRewind);
  connect(actions_->restart_engine, &QAction::triggered, session, &Session::restartEngine);
  connect(&session->run(), &RunModel::checkpointAdded, this, &MainWindow::updateActions);
  const QUndoStack* undo = session->document().undoStack();
  connect(undo, &QUndoStack::indexChanged, this, &MainWindow::updateActions);
  connect(undo, &QUndoStack::canUndoChanged, this, &MainWindow::updateActions);
  connect(observe_menu_, &ObserveMenu::observeRequested, session, &Session::setObserve);
  connect(observe_menu_, &ObserveMenu::dialogRequested, this, &MainWindow::chooseObserved);
  connect(&session->selection(), &Selection::sitesChanged, this, [this](const std::vector<int>& selected) {
    const auto& sites = session_->run().sites();
    const bool one = selected.size() == 1 && static_cast<std::size_t>(selected.front()) < sites.size();
    observe_menu_->setSelectedSite(one ? siteName(sites[static_cast<std::size_t>(selected.front())].key) : QString());
  });
}

void MainWindow::connectFormatActions() {
  const auto sets = [this](QAction* action, const QString& format) {
    connect(action, &QAction::triggered, sites_, [this, format] { sites_->setSelectedFormat(format); });
  };
  sets(actions_->set_float32, QStringLiteral("float32"));
  sets(actions_->set_bfloat16, QStringLiteral("bfloat16"));
  sets(actions_->set_float16, QStringLiteral("float16"));
  sets(actions_->clear_rules, {});
}

void MainWindow::connectViewActions() {
  connect(actions_->filter, &QAction::triggered, sites_, &SitesDock::focusFilter);
  connect(actions_->fit, &QAction::triggered, axis_, &views::StepAxis::fit);
  connect(actions_->follow, &QAction::triggered, this, [this] {
    session_->selection().setStep(std::nullopt);
    axis_->fit();
  });
  connect(actions_->restore_layout, &QAction::triggered, this, &MainWindow::restoreDefaultLayout);
  connect(actions_->shortcuts, &QAction::triggered, this, [this] {
    QList<QAction*> all = actions_->all();
    for (Dock* dock : docks_) all << dock->toggleViewAction();
    all << start_page_->doors();
    (new ShortcutsDialog(all, this))->open();
  });
  connect(actions_->about, &QAction::triggered, this, [this] {
    QMessageBox::about(this, tr("About Binade"),
                       tr("<b>Binade %1</b><p>An interactive precision explorer for mixed-precision training.</p>"
                          "<p>A binade is the set of numbers that share an exponent.</p><p>Apache License 2.0</p>")
                           .arg(QCoreApplication::applicationVersion()));
  });
}

void MainWindow::connectStartPage() {
  connect(start_page_, &StartPage::demoRequested, this, &MainWindow::runDemo);
  connect(start_page_, &StartPage::openRequested, this, &MainWindow::chooseFile);
  connect(start_page_, &StartPage::failedRunRequested, this, &MainWindow::chooseFailedRun);
  connect(start_page_, &StartPage::fileRequested, this, [this](const QString& file) { openFiles({file}); });
}

void MainWindow::chooseObserved() {
  std::vector<policy::SiteKey> keys;
  for (const wire::SiteInfo& site : session_->run().sites()) keys.push_back(site.key);
  auto* dialog = new ObserveDialog(session_->run().config().observe, std::move(keys), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, session_, [this, dialog] { session_->setObserve(dialog->observe()); });
  dialog->open();
}

void MainWindow::updateActions() {
  const RunModel& run = session_->run();
  const bool active = run.isActive();
  const bool running = active && run.state() == wire::RunState::kRunning;
  const bool paused = active && run.state() == wire::RunState::kPaused;
  actions_->run->setEnabled(showsSetup() ? setup_->startButton()->isEnabled() : paused || session_->canStartAgain());
  actions_->pause->setEnabled(running);
  actions_->step->setEnabled(paused);
  actions_->stop->setEnabled(active);
  actions_->start_again->setEnabled(session_->canStartAgain());
  actions_->resume_checkpoint->setEnabled(session_->canResumeFromCheckpoint());
  actions_->save_checkpoint->setEnabled(active);
  actions_->save_model->setEnabled(run.hasWeights());
  actions_->export_policy->setEnabled(!run.isEmpty());
  actions_->save_description->setEnabled(!run.isEmpty() || showsSetup());
  const QString why_not = session_->whyNoRewind();
  actions_->undo_and_rewind->setEnabled(why_not.isEmpty());
  actions_->undo_and_rewind->setToolTip(why_not.isEmpty() ? tr("Undoes the newest edit and all training after it")
                                                          : why_not);
  observe_menu_->setObserve(run.config().observe);
  observe_menu_->setActive(active);
  actions_->compare->setEnabled(run.hasWeights() && !run.steps().empty());
  const bool editable = run.source() == RunModel::Source::kLive && !session_->selection().sites().empty();
  for (QAction* action :
       {actions_->set_float32, actions_->set_bfloat16, actions_->set_float16, actions_->clear_rules}) {
    action->setEnabled(editable);
  }
  for (QAction* action : {actions_->fit, actions_->follow, actions_->filter, actions_->restore_layout}) {
    action->setEnabled(shows_run_);
  }
  for (Dock* dock : docks_) dock->toggleViewAction()->setEnabled(shows_run_);
  actions_->save_policy->setEnabled(!run.isEmpty() || session_->document().isModified());
  actions_->save_policy_as->setEnabled(actions_->save_policy->isEnabled());
}

void MainWindow::runDemo() {
  if (!mayLeavePolicy()) return;
  if (session_->run().isActive()) {
    const auto answer =
        QMessageBox::question(this, tr("Run the demo"), tr("A run is in progress. Stop it and run the demo?"));
    if (answer != QMessageBox::Yes) return;
  }
  session_->runDemo();
}

}  // namespace binade::app
