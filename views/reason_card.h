// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace binade::views {

/// Replaces figures that cannot be measured: what is missing, why, what does not work and what still does, and the next
/// step, on a hatched background. Zeros are never shown instead.
class ReasonCard : public QWidget {
  Q_OBJECT

 public:
  explicit ReasonCard(QWidget* parent = nullptr);

  void setReason(const QString& headline, const QString& sentence, const QString& next);
  /// A short code beside the buttons: `no-driver`.
  void setCode(const QString& code);
  void setConsequences(const QStringList& missing, const QStringList& working);
  /// Adds a button at the bottom; the first is the primary one.
  QPushButton* addButton(const QString& text);

  QString headline() const;
  QString sentence() const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void clearList();

  QWidget* card_;
  QLabel* headline_;
  QLabel* sentence_;
  QLabel* next_;
  QLabel* code_;
  QVBoxLayout* list_;
  QHBoxLayout* buttons_;
  QStringList missing_;
  QStringList working_;
};

}  // namespace binade::views
