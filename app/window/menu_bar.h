// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMenuBar>

class QLabel;
class QSettings;

namespace binade::app {

class Actions;
class DockLayouts;
class DockSet;
class FileOpener;
class LayoutMenu;
class ObserveMenu;
class Session;

/// The menu bar: the commands, recent files, base lists, observation and docks; in its corner the name of what the
/// window shows.
class MenuBar : public QMenuBar {
  Q_OBJECT

 public:
  /// All must outlive the menu bar.
  MenuBar(const Actions* actions, Session* session, const DockSet* docks, DockLayouts* layouts, FileOpener* opener,
          QSettings* settings, QWidget* parent = nullptr);

  /// Those that show the docks.
  const QList<QAction*>& dockActions() const { return dock_actions_; }
  QMenu* policyMenu() const { return policy_menu_; }
  LayoutMenu* layoutMenu() const { return layouts_menu_; }
  /// Updates the menu *Observe* from the run.
  void updateObserve();
  void setTitle(const QString& title);

 private:
  void fillFileMenu();
  void fillRecentMenu(QMenu* menu);
  void fillCompareMenu(QMenu* menu);
  void fillPolicyMenu();
  void fillViewMenu();
  void connectObserve();
  void chooseObserved();

  const Actions* actions_;
  Session* session_;
  const DockSet* docks_;
  DockLayouts* layouts_;
  FileOpener* opener_;
  QSettings* settings_;
  QMenu* policy_menu_;
  ObserveMenu* observe_menu_;
  QLabel* title_;
  LayoutMenu* layouts_menu_ = nullptr;
  QList<QAction*> dock_actions_;
};

}  // namespace binade::app
