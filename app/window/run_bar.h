// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QToolBar>

class QGridLayout;
class QLabel;
class QToolButton;

namespace binade::app {

class Actions;
class Session;

/// The toolbar: run control, step count, undo and redo, policy menu, arrangements, engine.
class RunBar : public QToolBar {
  Q_OBJECT

 public:
  /// All must outlive the bar.
  RunBar(Actions* actions, Session* session, QMenu* policyMenu, QWidget* parent = nullptr);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeTransport(Actions* actions);
  QWidget* makeStep();
  QWidget* makeArrangements(Actions* actions);
  void updateStep();
  void updatePolicy();
  void updateEngine();

  Session* session_;
  QGridLayout* columns_ = nullptr;
  QLabel* step_;
  QToolButton* policy_;
  QLabel* engine_;
};

}  // namespace binade::app
