// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAction>
#include <QDialog>
#include <QList>

namespace binade::app {

/// Lists all keyboard shortcuts, generated from the actions, and the keys of charts.
class ShortcutsDialog : public QDialog {
  Q_OBJECT

 public:
  ShortcutsDialog(const QList<QAction*>& actions, QWidget* parent = nullptr);
};

}  // namespace binade::app
