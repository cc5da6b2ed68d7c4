// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/problem.h"

#include <QLineEdit>

namespace binade::app {

/// The present loss scale, editable: takes `2^17` or `131072`. Return asks for it; Escape, or leaving the field, puts
/// the present one back. What cannot be read stays, selected, and problem() says why.
class ScaleEdit : public QLineEdit {
  Q_OBJECT

 public:
  explicit ScaleEdit(QWidget* parent = nullptr);

  /// Shown unless a person is typing.
  void setScale(double scale);

 Q_SIGNALS:
  void scaleRequested(double scale);
  /// What was typed cannot be read.
  void problem(const binade::app::Problem& problem);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  void showPresent();
  void commit();

  double scale_ = 0;
};

}  // namespace binade::app
