// SPDX-License-Identifier: Apache-2.0
#include "app/window/menu_bar.h"

#include "app/docks/dock.h"
#include "app/docks/graph_dock.h"
#include "app/docks/notes_dock.h"
#include "app/model/site_name.h"
#include "app/session/file_kind.h"
#include "app/session/session.h"
#include "app/window/actions.h"
#include "app/window/dock_set.h"
#include "app/window/file_opener.h"
#include "app/window/layout_menu.h"
#include "app/window/observe_dialog.h"
#include "app/window/observe_menu.h"
#include "app/window/theme_setting.h"
#include "views/style/looks.h"
#include "views/values/typography.h"

#include <QActionGroup>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>

#include <utility>

namespace binade::app {

MenuBar::MenuBar(const Actions* actions, Session* session, const DockSet* docks, DockLayouts* layouts,
                 FileOpener* opener, QSettings* settings, QWidget* parent)
    : QMenuBar(parent),
      actions_(actions),
      session_(session),
      docks_(docks),
      layouts_(layouts),
      opener_(opener),
      settings_(settings),
      policy_menu_(new QMenu(tr("&Policy"), this)),
      observe_menu_(new ObserveMenu(this)),
      title_(new QLabel) {
  fillFileMenu();
  QMenu* edit = addMenu(tr("&Edit"));
  edit->addActions({actions_->undo, actions_->redo, actions_->undo_and_rewind});
  edit->setToolTipsVisible(true);
  edit->addSeparator();
  edit->addActions({actions_->filter, actions_->palette});
  edit->addSeparator();
  edit->addAction(actions_->settings);
  fillViewMenu();
  QMenu* run = addMenu(tr("&Run"));
  run->addActions({actions_->run, actions_->pause, actions_->step, actions_->stop});
  run->addSeparator();
  run->addActions({actions_->start_again, actions_->resume_checkpoint, actions_->save_checkpoint});
  run->addSeparator();
  run->addMenu(observe_menu_);
  run->addAction(actions_->compare);
  run->addSeparator();
  run->addAction(actions_->restart_engine);
  fillPolicyMenu();
  QMenu* help = addMenu(tr("&Help"));
  help->addActions(
      {actions_->lessons, actions_->numbers, actions_->shortcuts, actions_->whats_this, actions_->show_hints});
  help->addSeparator();
  help->addActions({actions_->save_diagnostics, actions_->about});
  views::setTone(title_, views::Tone::kSecond);
  title_->setContentsMargins(0, 4, 12, 0);
  setCornerWidget(title_);
  connectObserve();
}

void MenuBar::fillFileMenu() {
  QMenu* file = addMenu(tr("&File"));
  file->addAction(actions_->open);
  QMenu* recent = file->addMenu(tr("Open &recent"));
  connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecentMenu(recent); });
  QMenu* compare = file->addMenu(tr("Second r&un"));
  connect(compare, &QMenu::aboutToShow, this, [this, compare] { fillCompareMenu(compare); });
  fillCompareMenu(compare);
  file->addAction(actions_->import_policy);
  file->addActions({actions_->demo, actions_->connect_engine, actions_->own_engine, actions_->start_page});
  file->addSeparator();
  file->addActions({actions_->attach, actions_->take_editing, actions_->let_go});
  file->addSeparator();
  file->addActions({actions_->save_policy, actions_->save_policy_as, actions_->save_description, actions_->save_model});
  file->addSeparator();
  file->addActions({actions_->export_policy, actions_->export_report, actions_->export_run, actions_->save_run_copy,
                    actions_->export_graph, actions_->export_notes, actions_->export_lesson, actions_->save_bundle});
  connect(actions_->save_run_copy, &QAction::triggered, opener_, &FileOpener::saveRunCopy);
  connect(actions_->export_graph, &QAction::triggered, docks_->graph, &GraphDock::exportGraph);
  connect(actions_->export_notes, &QAction::triggered, docks_->notes, &NotesDock::exportCsv);
  file->addSeparator();
  file->addAction(actions_->quit);
}

void MenuBar::fillRecentMenu(QMenu* menu) {
  menu->clear();
  const RecentFiles& recent = session_->recentFiles();
  for (int row = 0; row < recent.rowCount(); ++row) {
    const QString file = recent.path(row);
    QAction* action = menu->addAction(views::menuText(QFileInfo(file).fileName()));
    action->setToolTip(file);
    action->setEnabled(QFileInfo::exists(file));
    connect(action, &QAction::triggered, opener_, [this, file] { opener_->open({file}); });
  }
  if (recent.rowCount() == 0) menu->addAction(tr("No recent files"))->setEnabled(false);
  menu->addSeparator();
  connect(menu->addAction(tr("&Clear list")), &QAction::triggered, &session_->recentFiles(), &RecentFiles::clear);
}

// Recent run files can be compared with; one that is shown is not offered.
void MenuBar::fillCompareMenu(QMenu* menu) {
  menu->clear();
  menu->addAction(actions_->compare_run);
  menu->addAction(actions_->one_run);
  menu->addSeparator();
  const RecentFiles& recent = session_->recentFiles();
  for (int row = 0; row < recent.rowCount(); ++row) {
    const QString file = recent.path(row);
    const bool shown = file == session_->run().runFile() || file == session_->second().file();
    if (fileKind(file) != FileKind::kRun || shown) continue;
    QAction* action = menu->addAction(views::menuText(QFileInfo(file).fileName()));
    action->setToolTip(file);
    action->setEnabled(actions_->compare_run->isEnabled() && QFileInfo::exists(file));
    connect(action, &QAction::triggered, session_, [this, file] { session_->compareWithRun(file); });
  }
}

void MenuBar::fillPolicyMenu() {
  addMenu(policy_menu_);
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
    connect(base, &QMenu::aboutToShow, action,
            [this, action] { action->setEnabled(session_->document().whyReadOnly().isEmpty()); });
  }
  policy_menu_->addSeparator();
  policy_menu_->addAction(actions_->show_changes);
  policy_menu_->addAction(actions_->try_edit);
  policy_menu_->setToolTipsVisible(true);
  policy_menu_->addSeparator();
  policy_menu_->addActions({actions_->minimise_policy, actions_->generalise_policy});
  policy_menu_->addSeparator();
  policy_menu_->addActions({actions_->save_policy, actions_->save_policy_as, actions_->export_policy});
}

void MenuBar::fillViewMenu() {
  QMenu* view = addMenu(tr("&View"));
  const QString keys = QStringLiteral("1234567890");  // number row of the keyboard; further docks have no shortcut
  int key = 0;
  for (Dock* dock : docks_->all()) {
    QAction* action = dock->toggleViewAction();
    action->setObjectName(QStringLiteral("show.") + dock->objectName());
    if (key < keys.size()) action->setShortcut(QKeySequence(QStringLiteral("Alt+%1").arg(keys[key++])));
    setWhyDisabled(action, tr("No charts are shown."));
    view->addAction(action);
    dock_actions_ << action;
  }
  view->addSeparator();
  view->addActions(actions_->arrangements->actions());
  view->addSeparator();
  view->addActions({actions_->fit, actions_->follow, actions_->go_to_step});
  view->addSeparator();
  fillThemeMenu(view->addMenu(tr("&Theme")), settings_);
  layouts_menu_ = new LayoutMenu(actions_, layouts_, settings_, this);
  view->addMenu(layouts_menu_);
  // The receiver is not the menu: a menu that an action leaves disconnects it.
  connect(actions_->save_layout, &QAction::triggered, this, [this] { layouts_menu_->saveAs(); });
}

void MenuBar::connectObserve() {
  connect(observe_menu_, &ObserveMenu::observeRequested, session_, &Session::setObserve);
  connect(observe_menu_, &ObserveMenu::dialogRequested, this, &MenuBar::chooseObserved);
  connect(&session_->selection(), &Selection::sitesChanged, this, [this](const std::vector<int>& selected) {
    const auto& sites = session_->run().sites();
    const bool one = selected.size() == 1 && static_cast<std::size_t>(selected.front()) < sites.size();
    observe_menu_->setSelectedSite(one ? siteName(sites[static_cast<std::size_t>(selected.front())].key) : QString());
  });
}

void MenuBar::chooseObserved() {
  std::vector<policy::SiteKey> keys;
  for (const wire::SiteInfo& site : session_->run().sites()) keys.push_back(site.key);
  auto* dialog = new ObserveDialog(session_->run().config().observe, std::move(keys), window());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, session_, [this, dialog] { session_->setObserve(dialog->observe()); });
  dialog->open();
}

void MenuBar::updateObserve() {
  observe_menu_->setObserve(session_->run().config().observe);
  observe_menu_->setActive(session_->run().whyNoEdit().isEmpty());
}

void MenuBar::setTitle(const QString& title) {
  title_->setText(title);
  setCornerWidget(title_);  // set again, because the menu bar does not resize for a longer text
}

}  // namespace binade::app
