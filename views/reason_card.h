// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>
#include <QWidget>

class QBoxLayout;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace binade::views {

/// Replaces figures that cannot be measured: what is missing, why, what does not work and what still does, and the next
/// step, on a hatched background. Zeros are never shown instead. In a low window the list of what works stands beside
/// the text, so that the card leaves its neighbours their height.
class ReasonCard : public QWidget {
  Q_OBJECT

 public:
  explicit ReasonCard(QWidget* parent = nullptr);

  void setReason(const QString& headline, const QString& sentence, const QString& next);
  /// A short code beside the buttons: `no-driver`.
  void setCode(const QString& code);
  void setConsequences(const QStringList& missing, const QStringList& working);
  /// Adds a button at the bottom; the first that is shown is the primary one.
  QPushButton* addButton(const QString& text);
  /// Shows or hides a button of the card.
  void setButtonShown(QPushButton* button, bool shown);

  /// Chooses between the two forms for a window of this height. The card does so by itself when it is shown or resized;
  /// a caller that is about to give heights to docks needs it earlier.
  void arrangeFor(int window_height);

  QString headline() const;
  QString sentence() const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void choosePrimary();
  void clearList();
  void shareWidth();

  QWidget* card_;
  QLabel* headline_;
  QLabel* sentence_;
  QLabel* next_;
  QLabel* code_;
  QBoxLayout* body_;  ///< the text, and the list below or beside it
  QVBoxLayout* list_;
  QHBoxLayout* buttons_;
  QStringList missing_;
  QStringList working_;
};

}  // namespace binade::views
