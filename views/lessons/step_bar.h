// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/lesson_work.h"

#include <QStringList>
#include <QWidget>

#include <optional>
#include <vector>

class QAbstractButton;
class QHBoxLayout;

namespace binade::views {

/// The steps of a lesson beside each other: done ones with a tick, the first open one in bold. A click or Space goes to
/// a step. GUI thread.
class StepBar : public QWidget {
  Q_OBJECT

 public:
  explicit StepBar(QWidget* parent = nullptr);

  void setSteps(const std::vector<lessons::StepState>& steps);
  const std::vector<lessons::StepState>& steps() const { return steps_; }
  /// The first step that is open, and its name; nullopt: all are done.
  std::optional<lessons::LessonStep> next() const;
  QString nextName() const;
  /// The names of all steps.
  QStringList names() const;
  const std::vector<QAbstractButton*>& buttons() const { return buttons_; }

 Q_SIGNALS:
  void stepRequested(binade::lessons::LessonStep step);

 private:
  void rebuild();

  std::vector<lessons::StepState> steps_;
  std::vector<QAbstractButton*> buttons_;
  QHBoxLayout* line_;
};

/// Squares for the lessons: filled ones are done, an outlined one in indigo is the present one. Not interactive.
class LessonSquares : public QWidget {
  Q_OBJECT

 public:
  explicit LessonSquares(QWidget* parent = nullptr);

  void setLessons(const std::vector<bool>& done, int current);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<bool> done_;
  int current_ = 0;
};

}  // namespace binade::views
