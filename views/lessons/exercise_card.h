// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/lesson.h"

#include <QWidget>

#include <string>

class QLineEdit;
class QPushButton;

namespace binade::views {

class FeedbackBox;

/// An exercise: the question, a field for the answer, *Check* and *Hint*. Feedback names what a typical wrong answer
/// gives. Return checks. GUI thread.
class ExerciseCard : public QWidget {
  Q_OBJECT

 public:
  /// `answer`: the one checked last; empty: none.
  ExerciseCard(const lessons::Exercise& exercise, const std::string& answer, QWidget* parent = nullptr);

  QLineEdit* field() const { return field_; }
  QPushButton* checkButton() const { return check_; }
  QPushButton* hintButton() const { return hint_; }
  FeedbackBox* feedback() const { return feedback_; }
  FeedbackBox* hintBox() const { return hint_box_; }
  bool isRight() const { return right_; }

 public Q_SLOTS:
  /// Judges the field's text.
  void check();

 Q_SIGNALS:
  /// An answer was checked. It can be read, but may be wrong.
  void answered(const std::string& answer);

 private:
  void judge(const std::string& answer);

  lessons::Exercise exercise_;
  QLineEdit* field_;
  QPushButton* check_;
  QPushButton* hint_;
  FeedbackBox* feedback_;
  FeedbackBox* hint_box_;
  bool right_ = false;
};

}  // namespace binade::views
