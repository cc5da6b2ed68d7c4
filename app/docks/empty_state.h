// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStackedWidget>
#include <QString>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace binade::app {

/// Shows its content, or while there is nothing to show, a bold line (what is missing) and a sentence (why, or what
/// would fill it).
class EmptyState : public QStackedWidget {
  Q_OBJECT

 public:
  /// Takes ownership of `content`.
  EmptyState(QWidget* content, const QString& headline, const QString& sentence, QWidget* parent = nullptr);

  void setEmpty(bool empty);
  bool isShownEmpty() const { return currentIndex() == 1; }
  void setText(const QString& headline, const QString& sentence);
  /// Adds a button to fill it. Takes ownership.
  void addButton(QPushButton* button);
  QString headline() const;
  QString sentence() const;

 private:
  QVBoxLayout* column_;
  QLabel* headline_;
  QLabel* sentence_;
};

}  // namespace binade::app
