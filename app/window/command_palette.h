// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QList>
#include <QString>

#include <functional>
#include <vector>

class QAction;
class QLineEdit;
class QTreeWidget;

namespace binade::app {

/// Finds a command by a few letters of its name. Disabled ones are grey, with the reason. The target is run after the
/// palette is closed, so the focus is where it was.
class CommandPalette : public QDialog {
  Q_OBJECT

 public:
  struct Entry {
    QString text;     ///< what is searched and shown
    QString key;      ///< its shortcut; may be empty
    QString why_not;  ///< why it is not possible now; empty, with `possible` false: no reason is known
    bool possible = true;
    std::function<void()> run;
  };

  explicit CommandPalette(std::vector<Entry> entries, QWidget* parent = nullptr);

  QLineEdit* line() const { return line_; }
  /// Column 0: the command, column 1: its key, or why it is not possible.
  QTreeWidget* list() const { return list_; }

  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void showMatches();
  void runCurrent();

  std::vector<Entry> entries_;
  QLineEdit* line_;
  QTreeWidget* list_;
};

/// The entry of an action, as it is now.
CommandPalette::Entry paletteEntry(QAction* action, const QString& prefix = {});

}  // namespace binade::app
