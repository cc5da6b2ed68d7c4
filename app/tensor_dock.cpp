// SPDX-License-Identifier: Apache-2.0
#include "app/tensor_dock.h"

#include "app/profile_rows.h"
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
  const ProfileTrack& track = run_->profile();
  if (track.hasCurve()) return pages_->setCurrentWidget(plot_);
  pages_->setCurrentWidget(card_);
  if (track.empty()) {
    card_->setCode({});
    card_->setConsequences({}, {});
    return card_->setReason(tr("Nothing is measured yet"),
                            run_->config().profile.level == "off"
                                ? tr("The profiler is off in this run. Switch it on below.")
                                : tr("The first samples appear after the next steps."),
                            {});
  }
  const wire::ProfileSource& source = track.latest().curve;
  card_->setReason(tr("Tensor cores cannot be measured here"), QString::fromStdString(source.sentence),
                   QString::fromStdString(source.next));
  card_->setCode(QString::fromStdString(source.state));
  QStringList working{tr("Loss scale, overflows, gradients and op calls: all still work")};
  if (hasSites(track.latest())) {
    working.prepend(badgeOf(track.latest().times.source).text == badgeOf("cpu-clock").text
                        ? tr("Time per op call, forward and backward, by the CPU's clock")
                        : tr("Time per op call, from kernel records"));
  }
  card_->setConsequences({tr("Tensor-core share of the device and of op calls: nothing is drawn rather than zeros")},
                         working);
}

}  // namespace binade::app
