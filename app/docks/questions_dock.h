// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/present/diagnose_answers.h"
#include "views/question_card.h"

class QPushButton;

namespace binade::app {

/// The four questions of Diagnose, each with its answer from the run's data. A click jumps to what the answer refers
/// to.
class QuestionsDock : public Dock {
  Q_OBJECT

 public:
  /// `run` must outlive the dock.
  explicit QuestionsDock(RunModel* run, QWidget* parent = nullptr);

  views::QuestionCard* card(int index) const { return cards_[static_cast<std::size_t>(index)]; }
  const Answer& answer(int index) const { return answers_[static_cast<std::size_t>(index)]; }
  QPushButton* compareButton() const { return compare_; }

 public Q_SLOTS:
  /// Updates all answers immediately.
  void update();

 Q_SIGNALS:
  void eventRequested(int index);
  void stepRequested(qint64 step);
  void siteRequested(int site);
  void faultRequested(int index);
  void comparisonRequested();

 private:
  void jump(int question);

  RunModel* run_;
  std::array<views::QuestionCard*, 4> cards_{};
  std::array<Answer, 4> answers_;
  QPushButton* compare_;
};

}  // namespace binade::app
