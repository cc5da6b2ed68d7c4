// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/model/run_model.h"
#include "engine/wire/savings.h"

#include <QWidget>

#include <variant>
#include <vector>

class QGridLayout;
class QLabel;

namespace binade::app {

/// *What would this save?*: the figures of an edit that was not made. Hidden until something is asked, and again once
/// another policy is in force.
class SavingsView : public QWidget {
  Q_OBJECT

 public:
  /// `run` must outlive the view.
  explicit SavingsView(RunModel* run, QWidget* parent = nullptr);

  /// Shows what is known about the edit. `wanted`: the policy with it; `format`: empty for the base list. Emits
  /// measureRequested() if the run can measure it.
  void ask(const policy::Policy& wanted, const std::vector<int>& sites, const QString& format);
  /// Shows the answer to the newest request.
  void showAnswer(const std::variant<wire::Savings, Problem>& answer);
  /// Everything shown, a line for each figure.
  QString text() const;

 Q_SIGNALS:
  void measureRequested(const binade::policy::Policy& wanted);

 private:
  void showFacts(const wire::Savings* measured, const QString& note);

  RunModel* run_;
  QLabel* headline_;
  QLabel* note_;
  QWidget* facts_;
  QGridLayout* grid_;
  std::vector<int> sites_;
  QString format_;
};

}  // namespace binade::app
