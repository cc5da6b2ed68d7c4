// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/dock.h"
#include "app/problem.h"
#include "app/run_model.h"
#include "views/plot/scale_plot.h"

namespace binade::app {

class ScaleEdit;

/// The loss scale over steps with skips, back-offs, growth and policy edits, and the editor of the present scale.
class ScaleDock : public Dock {
  Q_OBJECT

 public:
  /// `run` and `axis` must outlive the dock.
  ScaleDock(RunModel* run, views::StepAxis* axis, QWidget* parent = nullptr);

  views::ScalePlot* plot() const { return plot_; }
  ScaleEdit* editor() const { return editor_; }

 Q_SIGNALS:
  /// The person asks for this loss scale.
  void scaleRequested(double scale);
  /// What was typed as a scale cannot be read.
  void problem(const binade::app::Problem& problem);

 private:
  void rebuild();
  void append(int first);
  void markPolicy(int index);
  void updateEditor();

  RunModel* run_;
  views::ScalePlot* plot_;
  ScaleEdit* editor_;
};

}  // namespace binade::app
