// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/search_job.h"

#include <QList>
#include <QStringList>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace binade::app {

/// What to search for: goal, budget, the trainings of a try, and limits.
class SearchForm : public QWidget {
  Q_OBJECT

 public:
  explicit SearchForm(QWidget* parent = nullptr);

  /// What is chosen, without run and policy.
  SearchOrder order() const;
  void setGoal(SearchGoal goal);
  /// The op calls that *Keep the selected op calls* adds to those that must not change.
  void setSelected(const QStringList& calls);
  /// The op calls of the run. Others, which another model had, are dropped from those that must not change.
  void setCalls(const QStringList& calls);
  /// Whether the run makes evaluations, so that a limit on them can be kept.
  void setEvaluates(bool evaluates);
  /// Whether there is a limit on the budget, and the limit on the evaluation is a number; if not, why.
  QString whyNot() const;

  QComboBox* goal() const { return goal_; }
  QSpinBox* minutes() const { return minutes_; }
  QSpinBox* tries() const { return tries_; }
  QSpinBox* steps() const { return steps_; }
  QSpinBox* seeds() const { return seeds_; }
  QCheckBox* format(const QString& name) const;
  QLineEdit* evaluation() const { return evaluation_; }
  QPushButton* keepButton() const { return keep_; }
  QPushButton* clearButton() const { return clear_; }
  QLabel* kept() const { return kept_; }
  /// What the checked and unchecked formats mean.
  QLabel* formatsText() const { return formats_text_; }

 Q_SIGNALS:
  /// A choice was made.
  void changed();

 private:
  QWidget* makeFixed();
  QWidget* makeFormats();
  void updateFixed();
  void updateFormats();

  QComboBox* goal_;
  QSpinBox* minutes_;
  QSpinBox* tries_;
  QSpinBox* steps_;
  QSpinBox* seeds_;
  QList<QCheckBox*> formats_;
  QLineEdit* evaluation_;
  QPushButton* keep_;
  QPushButton* clear_;
  QLabel* kept_;
  QLabel* formats_text_;
  QStringList selected_;
  QStringList fixed_;
};

}  // namespace binade::app
