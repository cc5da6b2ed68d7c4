// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "views/values/picked_number.h"

#include <QLineEdit>

namespace binade::app {

/// Editor of the current loss scale; accepts `2^17` or `131072`. Return requests it; Escape, or leaving the field,
/// restores the current one. Invalid text stays, selected, and problem() states why.
class ScaleEdit : public QLineEdit {
  Q_OBJECT

 public:
  explicit ScaleEdit(QWidget* parent = nullptr);

  /// Updates the shown scale unless the user is typing.
  void setScale(double scale);

 Q_SIGNALS:
  void scaleRequested(double scale);
  /// The typed text is invalid.
  void problem(const binade::app::Problem& problem);
  /// The user wants to look at the current scale.
  void numberRequested(const binade::views::PickedNumber& number);

  /// The user pressed Down, for the parameters of the scaler.
  void moreRequested();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  void showPresent();
  void commit();

  double scale_ = 0;
};

}  // namespace binade::app
