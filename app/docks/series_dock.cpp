// SPDX-License-Identifier: Apache-2.0
#include "app/docks/series_dock.h"

#include "app/docks/rank_choice.h"
#include "app/docks/step_marks.h"
#include "app/present/rank_rows.h"
#include "views/values/numbers.h"

namespace binade::app {

SeriesDock::SeriesDock(RunModel* run, views::StepAxis* axis, Spec spec, QWidget* parent)
    : Dock(spec.id, spec.title, parent),
      run_(run),
      spec_(std::move(spec)),
      plot_(new views::LinePlot(axis)),
      marks_(new StepMarks(run, plot_, this)) {
  plot_->setTitle(spec_.title);
  plot_->addSeries(spec_.line);
  plot_->setSource(0, &(run_->stepSeries().*spec_.values));
  plot_->setEmptyText(tr("No steps yet."), spec_.empty_sentence);
  setWidget(plot_);
  connect(plot_, &views::Plot::numberRequested, this, &Dock::numberRequested);
  connect(run_, &RunModel::reset, this, &SeriesDock::rebuild);
  connect(run_, &RunModel::stepsAdded, this, &SeriesDock::append);
  rebuild();
}

void SeriesDock::addRankChoice(Selection* selection) {
  selection_ = selection;
  setWidget(RankChoice::above(plot_, run_, selection));
  connect(selection, &Selection::rankChanged, this, &SeriesDock::rebuild);
  rebuild();
}

const views::Series* SeriesDock::ofRank() const {
  const RankTrack::Line* line = selection_ == nullptr ? nullptr : run_->ranks().line(selection_->rank());
  return line == nullptr ? nullptr : &line->busy;
}

void SeriesDock::setSecond(const RunModel* second, const QString& name) {
  if (second == nullptr && second_ == nullptr) return;
  second_ = second;
  plot_->keepSeries(1);
  if (second_ != nullptr) {
    views::LineStyle line = spec_.line;
    line.name = tr("%1 of %2").arg(spec_.line.name, name);
    plot_->addSeries(line);
    plot_->setSource(1, &(second_->stepSeries().*spec_.values));
  }
  rebuild();
}

void SeriesDock::rebuild() {
  plot_->clear();
  rank_drawn_ = 0;
  const bool all = ofRank() == nullptr;
  plot_->setSource(0, all ? &(run_->stepSeries().*spec_.values) : nullptr);
  plot_->setTitle(all ? spec_.title : tr("%1, forward and backward").arg(rankText(*run_, selection_->rank())));
  append();
  if (second_ != nullptr) plot_->followSource(1);
  marks_->rebuild();
}

void SeriesDock::append() {
  // A copy: the dock of the ranks draws the series itself.
  const views::Series* rank = ofRank();
  for (; rank != nullptr && rank_drawn_ < rank->size(); ++rank_drawn_) {
    plot_->append(0, rank->stepAt(rank_drawn_), rank->valueAt(rank_drawn_));
  }
  plot_->followSource(0);
}

SeriesDock* makeLossDock(RunModel* run, views::StepAxis* axis, QWidget* parent) {
  return new SeriesDock(run, axis,
                        {QStringLiteral("loss"),
                         SeriesDock::tr("Loss"),
                         {.name = SeriesDock::tr("loss"), .unit = {}, .meanOf = 41},
                         &StepSeries::loss,
                         SeriesDock::tr("The loss of every step appears here.")},
                        parent);
}

SeriesDock* makeLearningRateDock(RunModel* run, views::StepAxis* axis, QWidget* parent) {
  return new SeriesDock(run, axis,
                        {QStringLiteral("learningRate"),
                         SeriesDock::tr("Learning rate"),
                         {.name = SeriesDock::tr("learning rate"), .unit = {}, .meanOf = 0},
                         &StepSeries::learning_rate,
                         SeriesDock::tr("The learning rate of every step appears here.")},
                        parent);
}

SeriesDock* makeGradientNormDock(RunModel* run, views::StepAxis* axis, QWidget* parent) {
  return new SeriesDock(run, axis,
                        {QStringLiteral("gradientNorm"),
                         SeriesDock::tr("Gradient norm"),
                         {.name = SeriesDock::tr("gradient norm, unscaled"), .unit = {}, .meanOf = 41},
                         &StepSeries::gradient_norm,
                         SeriesDock::tr("The norm of all unscaled gradients appears here.")},
                        parent);
}

SeriesDock* makeStepTimeDock(RunModel* run, Selection* selection, views::StepAxis* axis, QWidget* parent) {
  auto* dock = new SeriesDock(run, axis,
                              {QStringLiteral("stepTime"),
                               SeriesDock::tr("Step time"),
                               {.name = SeriesDock::tr("step time"),
                                .unit = QStringLiteral("s"),
                                .meanOf = 41,
                                .color = {},
                                .format = [](double seconds) { return views::duration(seconds); }},
                               &StepSeries::seconds,
                               SeriesDock::tr("The time of every step appears here. It includes emulation.")},
                              parent);
  dock->addRankChoice(selection);
  return dock;
}

}  // namespace binade::app
