// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStackedWidget>
#include <QString>

class QLabel;

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

 private:
  QLabel* headline_;
  QLabel* sentence_;
};

}  // namespace binade::app
