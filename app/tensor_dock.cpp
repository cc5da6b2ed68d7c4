// SPDX-License-Identifier: Apache-2.0
#include "app/tensor_dock.h"

#include "app/reason_words.h"
#include "views/plot/line_plot.h"
#include "views/reason_card.h"

#include <QPushButton>
#include <QStackedWidget>

namespace binade::app {

namespace {

QString percent(double value) {
  return QString::number(value, 'f', 1) + QStringLiteral(" %");
}

}  // namespace

TensorDock::TensorDock(RunModel* run, views::StepAxis* axis, QWidget* parent)
    : Dock(QStringLiteral("tensorCores"), tr("Tensor cores"), parent),
      run_(run),
      plot_(new views::LinePlot(axis)),
      card_(new views::ReasonCard),
      pages_(new QStackedWidget) {
  plot_->setTitle(tr("Tensor cores active"));
  plot_->addSeries(
      {.name = tr("tensor cores active"), .unit = QStringLiteral("%"), .meanOf = 41, .color = {}, .format = percent});
  plot_->setEmptyText(tr("No samples yet."), tr("The device's tensor-core use appears here, step by step."));
  pages_->addWidget(plot_);
  pages_->addWidget(card_);
  setWidget(pages_);
  connect(card_->addButton(tr("Open a recorded run")), &QPushButton::clicked, this, &TensorDock::openRequested);
  QPushButton* again = card_->addButton(tr("Look again"));
  connect(again, &QPushButton::clicked, this, &TensorDock::lookAgainRequested);
  connect(run_, &RunModel::reset, this, &TensorDock::rebuild);
  connect(run_, &RunModel::profileChanged, this, &TensorDock::append);
  connect(run_, &RunModel::stateChanged, this, &TensorDock::updateCard);
  rebuild();
}

bool TensorDock::showsCard() const {
  return pages_->currentWidget() == card_;
}

void TensorDock::rebuild() {
  plot_->clear();
  drawn_ = 0;
  append();
}

void TensorDock::append() {
  const auto& curve = run_->profile().curve();
  // The newest point may still grow: it is drawn once its step is over.
  for (; drawn_ + 1 < curve.size(); ++drawn_) plot_->append(0, curve[drawn_].step, curve[drawn_].tensor);
  updateCard();
}

void TensorDock::updateCard() {
  if (run_->profile().hasCurve()) return pages_->setCurrentWidget(plot_);
  pages_->setCurrentWidget(card_);
  const Reason reason = reasonOf(*run_);
  card_->setReason(reason.headline, reason.sentence, reason.next);
  card_->setCode(reason.code);
  card_->setConsequences(reason.missing, reason.working);
}

}  // namespace binade::app
