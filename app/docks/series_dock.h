// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/model/run_model.h"
#include "app/session/selection.h"
#include "views/plot/line_plot.h"

#include <cstddef>

namespace binade::app {

class StepMarks;

/// A dock with one line over steps: loss, learning rate, gradient norm, step time. Skipped steps and policy edits are
/// marked. The step time of a run on several ranks may be that of one of them.
class SeriesDock : public Dock {
  Q_OBJECT

 public:
  struct Spec {
    QString id;
    QString title;
    views::LineStyle line;
    views::Series StepSeries::*values;
    QString empty_sentence;  ///< what would fill it
  };

  /// `run` and `axis` must outlive the dock.
  SeriesDock(RunModel* run, views::StepAxis* axis, Spec spec, QWidget* parent = nullptr);

  views::LinePlot* plot() const { return plot_; }
  /// Lets the user choose the rank whose time is drawn. `selection` must outlive the dock.
  void addRankChoice(Selection* selection);
  /// Draws another run over this one, under its name; null: none. It must outlive the dock, or be taken away.
  void setSecond(const RunModel* second, const QString& name);

 private:
  void rebuild();
  void append();
  /// The time of the chosen rank; null: all ranks.
  const views::Series* ofRank() const;

  RunModel* run_;
  const Selection* selection_ = nullptr;  ///< null: the line is of all ranks
  const RunModel* second_ = nullptr;
  Spec spec_;
  views::LinePlot* plot_;
  StepMarks* marks_;
  std::size_t rank_drawn_ = 0;  ///< samples of ofRank() in the chart
};

SeriesDock* makeLossDock(RunModel* run, views::StepAxis* axis, QWidget* parent);
SeriesDock* makeLearningRateDock(RunModel* run, views::StepAxis* axis, QWidget* parent);
SeriesDock* makeGradientNormDock(RunModel* run, views::StepAxis* axis, QWidget* parent);
SeriesDock* makeStepTimeDock(RunModel* run, Selection* selection, views::StepAxis* axis, QWidget* parent);

}  // namespace binade::app
