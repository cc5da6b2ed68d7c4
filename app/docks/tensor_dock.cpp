// SPDX-License-Identifier: Apache-2.0
#include "app/docks/tensor_dock.h"

#include "app/docks/rank_choice.h"
#include "app/docks/step_marks.h"
#include "app/present/profile_rows.h"
#include "app/present/reason_words.h"
#include "views/plot/line_plot.h"
#include "views/reason_card.h"
#include "views/table/delegates.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>

#include <cmath>

namespace binade::app {

// The newest figure and a badge for its source.
class TensorDock::Now : public QWidget {
 public:
  Now() {
    const double figure = views::textWidth(views::figureFont(12, QFont::DemiBold), views::percent(100));
    const double badge = views::textWidth(views::textFont(10, QFont::DemiBold), QStringLiteral("CPU CLOCK"));
    setFixedSize(static_cast<int>(figure + badge) + 16, 24);
    setAccessibleName(TensorDock::tr("Newest value and its source"));
  }
  void show(double value, const SourceBadge& badge, const QString& sentence) {
    value_ = value;
    badge_ = badge;
    setToolTip(sentence);
    setAccessibleDescription(views::percent(value) + u' ' + badge.text);
    update();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    if (std::isnan(value_)) return;
    QPainter painter(this);
    const double wide = views::textWidth(views::textFont(10, QFont::DemiBold), badge_.text) + 14;
    views::drawBadge(painter, {width() - wide, height() / 2.0}, badge_.text, badge_.style);
    painter.setFont(views::figureFont(12, QFont::DemiBold));
    painter.setPen(views::colors().text);
    views::drawText(painter, {0, 0, width() - wide - 8, static_cast<double>(height())},
                    Qt::AlignRight | Qt::AlignVCenter, views::percent(value_));
  }

 private:
  double value_ = wire::kNotMeasured;
  SourceBadge badge_;
};

TensorDock::TensorDock(RunModel* run, views::StepAxis* axis, QWidget* parent)
    : Dock(QStringLiteral("tensorCores"), tr("Tensor cores"), parent),
      run_(run),
      plot_(new views::LinePlot(axis)),
      marks_(new StepMarks(run, plot_, this)),
      now_(new Now),
      card_(new views::ReasonCard),
      pages_(new QStackedWidget),
      connect_(card_->addButton(tr("Connect…"))) {
  plot_->setTitle(tr("Tensor cores active"));
  plot_->addSeries({.name = tr("tensor cores active"),
                    .unit = QStringLiteral("%"),
                    .meanOf = 41,
                    .color = {},
                    .range = tr("minimum to maximum in a step"),
                    .format = views::percent});
  plot_->setHeaderWidget(now_);
  connect(plot_, &views::Plot::numberRequested, this, &Dock::numberRequested);
  plot_->setEmptyText(tr("No samples yet."), tr("The device's tensor-core use appears here, step by step."));
  pages_->addWidget(plot_);
  pages_->addWidget(card_);
  setWidget(pages_);
  connect_->setToolTip(tr("Connects to an engine on a computer with a GPU"));
  connect(connect_, &QPushButton::clicked, this, &TensorDock::connectRequested);
  connect(card_->addButton(tr("Open a recorded run")), &QPushButton::clicked, this, &TensorDock::openRequested);
  again_ = card_->addButton(tr("Check again"));
  connect(again_, &QPushButton::clicked, this, &TensorDock::checkAgainRequested);
  connect(run_, &RunModel::reset, this, &TensorDock::rebuild);
  connect(run_, &RunModel::statisticsRead, this, &TensorDock::rebuild);
  connect(run_, &RunModel::profileChanged, this, &TensorDock::append);
  connect(run_, &RunModel::stateChanged, this, &TensorDock::updateCard);
  rebuild();
}

void TensorDock::addRankChoice(Selection* selection) {
  selection_ = selection;
  setWidget(RankChoice::above(pages_, run_, selection));
  connect(selection, &Selection::rankChanged, this, &TensorDock::rebuild);
  connect(run_, &RunModel::stepsAdded, this, [this] {
    if (run_->ranks().ranks() > 0) append();
  });
  rebuild();
}

const views::Series* TensorDock::ofRanks() const {
  const RankTrack& ranks = run_->ranks();
  if (selection_ == nullptr || ranks.tensor().empty()) return nullptr;
  const RankTrack::Line* line = ranks.line(selection_->rank());
  return line == nullptr ? &ranks.tensor() : &line->tensor;
}

bool TensorDock::showsCard() const {
  return pages_->currentWidget() == card_;
}

void TensorDock::setSecond(const RunModel* second, const QString& name) {
  if (second == nullptr && second_ == nullptr) return;
  second_ = second;
  plot_->keepSeries(1);
  if (second_ != nullptr) {
    plot_->addSeries({.name = tr("tensor cores active, %1").arg(name),
                      .unit = QStringLiteral("%"),
                      .meanOf = 41,
                      .color = {},
                      .range = {},
                      .format = views::percent});
  }
  rebuild();
}

void TensorDock::rebuild() {
  plot_->clear();
  marks_->rebuild();
  source_ = ofRanks();
  plot_->setSource(0, source_);
  if (second_ != nullptr) {
    for (const auto& point : second_->profile().curve()) plot_->append(1, point.step, point.tensor);
  }
  drawn_ = 0;
  append();
}

void TensorDock::append() {
  if (source_ != ofRanks()) return rebuild();
  if (source_ != nullptr) {
    plot_->followSource(0);
    const wire::ProfileSource& source = run_->profile().latest().curve;
    if (!source_->empty())
      now_->show(source_->lastValue(), badgeOf(source.source), QString::fromStdString(source.sentence));
    return updateCard();
  }
  const auto& curve = run_->profile().curve();
  // The newest point may still change: it is drawn once its step is over.
  for (; drawn_ + 1 < curve.size(); ++drawn_) {
    const auto& point = curve[drawn_];
    plot_->append(0, point.step, point.tensor);
    plot_->appendRange(0, point.step, point.lowest, point.highest);
    const wire::ProfileSource& source = run_->profile().latest().curve;
    now_->show(point.tensor, badgeOf(source.source), QString::fromStdString(source.sentence));
  }
  updateCard();
}

void TensorDock::updateCard() {
  if (run_->profile().hasCurve() || source_ != nullptr) return pages_->setCurrentWidget(plot_);
  pages_->setCurrentWidget(card_);
  card_->setButtonShown(again_, run_->whyNoEdit().isEmpty());  // an ended run cannot be measured
  const Reason reason = reasonOf(*run_);
  // Another computer helps where this one failed a check, and not before anything was measured.
  const bool here = run_->source() == RunModel::Source::kLive;
  card_->setButtonShown(connect_, here && !deviceChecks(reason.code.toStdString()).isEmpty());
  card_->setReason(reason.headline, reason.sentence, reason.next);
  card_->setCode(reason.code);
  card_->setConsequences(reason.missing, reason.working);
}

}  // namespace binade::app
