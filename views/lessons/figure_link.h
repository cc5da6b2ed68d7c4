// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/lesson.h"

#include <QWidget>

class QPushButton;

namespace binade::views {

/// The place of a figure in a lesson's text: its caption and *Show figure*. The figure itself is drawn by FigureView
/// beside the text. GUI thread.
class FigureLink : public QWidget {
  Q_OBJECT

 public:
  explicit FigureLink(const lessons::Figure& figure, QWidget* parent = nullptr);

  const lessons::Figure& figure() const { return figure_; }
  QPushButton* button() const { return button_; }
  /// Whether this is the figure that is drawn now.
  void setShown(bool shown);
  /// Whether the figure must wait for a prediction: its button is disabled and says so.
  void setCovered(bool covered);
  bool isShown() const { return shown_; }

 Q_SIGNALS:
  void requested();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  lessons::Figure figure_;
  QPushButton* button_;
  bool shown_ = false;
};

}  // namespace binade::views
