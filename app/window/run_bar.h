// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QToolBar>

class QGridLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace binade::app {

class Actions;
class Session;

/// The toolbar: run control, step count, undo, redo and rewind, policy menu, arrangements, menus of exports and
/// engines.
class RunBar : public QToolBar {
  Q_OBJECT

 public:
  /// All must outlive the bar.
  RunBar(Actions* actions, Session* session, QMenu* policyMenu, QWidget* parent = nullptr);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  bool isNarrow() const;
  static QWidget* makeCaptioned(const QString& caption, QWidget* shown);
  QWidget* makeTransport(Actions* actions);
  QWidget* makeStep();
  QWidget* makePolicy(QMenu* menu);
  QWidget* makeArrangements(Actions* actions);
  QWidget* makeMenus(Actions* actions);
  void updateStep();
  void updatePolicy();
  void showPolicy(const QString& text, const QString& about);
  void updateEngine();

  Session* session_;
  QGridLayout* columns_ = nullptr;
  QLabel* step_;
  QToolButton* policy_;
  QPushButton* export_;
  QPushButton* engine_;
};

}  // namespace binade::app
