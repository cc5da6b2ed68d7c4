// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>
#include <QString>
#include <QStringList>

class QLabel;

namespace binade::app {

/// A small window over the explorer with a heading and sentences, whose text can be selected and copied. Escape or a
/// click elsewhere closes it.
class ReasonPopover : public QFrame {
  Q_OBJECT

 public:
  explicit ReasonPopover(QWidget* parent);

  /// Opens it below a rectangle of the screen, or above it if there is no room below.
  void showAt(const QRect& place, const QString& heading, const QStringList& sentences);
  QString text() const;

 private:
  QLabel* heading_;
  QLabel* text_;
};

}  // namespace binade::app
