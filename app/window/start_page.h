// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QWidget>

class QAction;
class QLabel;
class QTableView;

namespace binade::app {

class RecentFiles;

/// The window's content before there is a run: four entries (keys 1 to 4, Return runs the demo), recently opened
/// files, and an area to drop files.
class StartPage : public QWidget {
  Q_OBJECT

 public:
  /// `recent` must outlive the page.
  explicit StartPage(RecentFiles* recent, QWidget* parent = nullptr);

  /// The entries' actions, for the shortcuts dialog. Enabled while the page is shown.
  const QList<QAction*>& doors() const { return doors_; }
  /// Sets a sentence about the computer at the bottom of the page.
  void setMachine(const QString& sentence);

 Q_SIGNALS:
  void demoRequested();
  void openRequested();
  void failedRunRequested();
  void lessonsRequested();
  void fileRequested(const QString& file);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Door {
    QString icon;
    QString title;
    QString text;
    QString button;
    QString note;
  };
  QWidget* makeDoor(int number, const Door& door, QAction* action);
  QWidget* makeDoors();
  QWidget* makeRecent();
  QWidget* makeDropHint();
  void fitRecent();

  RecentFiles* recent_;
  QTableView* recent_table_;
  QWidget* no_recent_;
  QWidget* clear_;
  QLabel* machine_;
  QList<QAction*> doors_;
};

}  // namespace binade::app
