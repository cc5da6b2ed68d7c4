// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDockWidget>
#include <QString>

class QLabel;

namespace binade::app {

/// Base of the docks: a title bar of 28 px that goes away while the dock is one of several tabs (the tab says its
/// name then). `id` is the object name under which the layout is saved; it never changes.
class Dock : public QDockWidget {
  Q_OBJECT

 public:
  Dock(const QString& id, const QString& title, QWidget* parent = nullptr);

  /// Called by the window when docks were joined or parted.
  void setTabbed(bool tabbed);
  /// Without a title bar wherever it is docked: for what says itself what it is.
  void setBare();
  /// Changes title, tab and accessible name: a count behind the name.
  void setDockTitle(const QString& title);

 private:
  QWidget* makeTitleBar();

  bool bare_ = false;
  QWidget* title_bar_;
  QWidget* no_title_bar_;
  QLabel* title_ = nullptr;
};

}  // namespace binade::app
