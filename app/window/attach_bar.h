// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTimer>
#include <QToolBar>

class QLabel;
class QPushButton;

namespace binade::views {
class Badge;
}

namespace binade::app {

class Session;

/// The strip of a window that is attached to a training: whether it edits or watches, which training, who else is
/// there, and the ways to another role and out. Where the connection was cut, it says so, counts down to the next
/// attempt, and offers one at once. Hidden in a window with an engine of its own.
class AttachBar : public QToolBar {
  Q_OBJECT

 public:
  /// `session` must outlive the bar.
  explicit AttachBar(Session* session, QWidget* parent = nullptr);

  /// `EDITOR`, `WATCHER` or `LOST`.
  QString role() const;
  QString text() const;
  /// *Take over editing*, or *Let others edit*.
  QPushButton* roleButton() const { return role_button_; }
  QPushButton* reconnectButton() const { return reconnect_; }
  QPushButton* letGoButton() const { return let_go_; }

 private:
  void update();

  Session* session_;
  QWidget* strip_;
  views::Badge* role_;
  QLabel* text_;
  QLabel* second_;
  QPushButton* role_button_;
  QPushButton* reconnect_;
  QPushButton* let_go_;
  QTimer countdown_;
};

}  // namespace binade::app
