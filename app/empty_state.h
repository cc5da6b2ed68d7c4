// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStackedWidget>
#include <QString>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace binade::app {

/// A widget that stands back for a bold line (what is missing) and a sentence (why, or what would fill it) while
/// there is nothing to show.
class EmptyState : public QStackedWidget {
  Q_OBJECT

 public:
  /// Takes `content` over.
  EmptyState(QWidget* content, const QString& headline, const QString& sentence, QWidget* parent = nullptr);

  void setEmpty(bool empty);
  bool isShownEmpty() const { return currentIndex() == 1; }
  void setText(const QString& headline, const QString& sentence);
  /// What would fill it. Taken over.
  void addButton(QPushButton* button);
  QString headline() const;
  QString sentence() const;

 private:
  QVBoxLayout* column_;
  QLabel* headline_;
  QLabel* sentence_;
};

}  // namespace binade::app
