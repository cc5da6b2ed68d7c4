// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/present/policy_choices.h"
#include "app/session/tries.h"

#include <QList>
#include <QWidget>

#include <optional>

class QComboBox;
class QPushButton;
class QSpinBox;

namespace binade::app {

/// The choice of two policies, steps and repetitions of a Try.
class TryChoices : public QWidget {
  Q_OBJECT

 public:
  explicit TryChoices(QWidget* parent = nullptr);

  /// Offers these policies, and those that were read from files before. A choice that the person has made stays as long
  /// as it is offered; otherwise `proposed` is chosen.
  void setChoices(const QList<PolicyChoice>& choices, const std::optional<TryWish>& proposed);
  /// Whether a Try can be started; if not, `why_not` is the tool tip.
  void setStartable(bool startable, const QString& why_not);
  /// What is chosen; nullopt: there is nothing to choose from.
  std::optional<TryWish> wish() const;
  qint64 steps() const;
  qint64 seeds() const;
  /// Sets steps and repetitions.
  void setAmount(qint64 steps, qint64 seeds);

  QComboBox* before() const { return before_; }
  QComboBox* after() const { return after_; }
  QPushButton* tryButton() const { return try_; }

 Q_SIGNALS:
  void tryRequested(const binade::app::TryWish& wish);
  void problem(const binade::app::Problem& problem);

 private:
  QComboBox* makeChoice(const QString& name);
  void fill(QComboBox* choice, std::optional<policy::Policy>& wanted);
  void refill();
  bool isOffered(const std::optional<policy::Policy>& wanted) const;
  void take(QComboBox* choice, qsizetype index);
  std::optional<policy::Policy> readFile();
  void update();

  QList<PolicyChoice> choices_;
  QList<PolicyChoice> files_;  ///< read from files
  std::optional<policy::Policy> wanted_before_;
  std::optional<policy::Policy> wanted_after_;
  bool chosen_ = false;  ///< by the person
  bool startable_ = false;
  QString why_not_;
  QComboBox* before_;
  QComboBox* after_;
  QSpinBox* steps_;
  QSpinBox* seeds_;
  QPushButton* try_;
};

}  // namespace binade::app
