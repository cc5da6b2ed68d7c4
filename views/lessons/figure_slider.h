// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/figure_data.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QSlider;

namespace binade::views {

class ElidedLabel;
class SliderTicks;

/// A figure's slider with its label, its value, labelled ticks and *Back to …*. Arrow keys move it by a step, Page Up
/// and Page Down by a tenth, Home and End to its ends. GUI thread.
class FigureSlider : public QWidget {
  Q_OBJECT

 public:
  explicit FigureSlider(QWidget* parent = nullptr);

  /// Shows a position. `preset` is the value that *Back to …* returns to; it need not be a whole step. Emits nothing.
  void setState(const lessons::SliderState& state, double preset);
  QSlider* slider() const { return slider_; }
  QPushButton* backButton() const { return back_; }
  QString valueText() const;

 Q_SIGNALS:
  /// The user moved the slider: a parameter's value or, for an exponent, the exponent of 2.
  void moved(double value);

 private:
  ElidedLabel* label_;
  QLabel* value_;
  QSlider* slider_;
  SliderTicks* ticks_;
  QPushButton* back_;
  lessons::SliderState state_;
  double preset_ = 0;
};

}  // namespace binade::views
