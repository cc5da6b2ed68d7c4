// SPDX-License-Identifier: Apache-2.0
#include "app/docks/scale_dock.h"

#include "app/docks/scale_edit.h"
#include "app/docks/scaler_popover.h"
#include "app/present/event_words.h"
#include "app/present/scaler_text.h"
#include "app/present/site_text.h"
#include "views/icons.h"
#include "views/values/numbers.h"
#include "views/values/typography.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>
#include <limits>

namespace binade::app {

namespace {
constexpr int kScalerButton = 24;  // px
}

ScaleDock::ScaleDock(RunModel* run, views::StepAxis* axis, QWidget* parent)
    : Dock(QStringLiteral("lossScale"), tr("Loss scale"), parent),
      run_(run),
      plot_(new views::ScalePlot(axis)),
      editor_(new ScaleEdit),
      scaler_button_(new QPushButton),
      popover_(new ScalerPopover(this)),
      which_(new QComboBox) {
  plot_->setTitle(tr("Loss scale"));
  which_->setAccessibleName(tr("Scaler"));
  which_->setToolTip(tr("The scaler drawn in front. The fields here edit this scaler."));
  auto* header = new QWidget;
  auto* row = new QHBoxLayout(header);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  row->addWidget(which_);
  auto* field = new QHBoxLayout;  // the button is the end of the field
  field->setSpacing(0);
  field->addWidget(editor_);
  field->addWidget(scaler_button_);
  row->addLayout(field);
  scaler_button_->setIcon(views::icon(QStringLiteral("chevron-down")));
  scaler_button_->setFixedWidth(kScalerButton);
  scaler_button_->setAccessibleName(tr("Parameters of the scaler"));
  plot_->setHeaderWidget(header);
  plot_->setAfterStep(true);
  plot_->setBandSentence(tr("safe: no observed gradient overflows or loses more than 1 % of its norm"),
                         tr("safe scales"));
  plot_->setBandText([this](std::int64_t step) { return bandText(step); });
  setWidget(plot_);
  setFocusProxy(plot_);
  connect(editor_, &ScaleEdit::scaleRequested, this,
          [this](double scale) { Q_EMIT scaleRequested(scale, chosen().id); });
  connect(editor_, &ScaleEdit::problem, this, &ScaleDock::problem);
  connect(editor_, &ScaleEdit::numberRequested, this, &Dock::numberRequested);
  connect(plot_, &views::Plot::numberRequested, this, &Dock::numberRequested);
  connect(popover_, &ScalerPopover::tuneRequested, this, &ScaleDock::tuneRequested);
  connect(popover_, &ScalerPopover::problem, this, &ScaleDock::problem);
  const auto open = [this] { popover_->showAt(QRect(scaler_button_->mapToGlobal(QPoint()), scaler_button_->size())); };
  connect(scaler_button_, &QPushButton::clicked, popover_, open);
  connect(editor_, &ScaleEdit::moreRequested, popover_, open);
  connect(which_, &QComboBox::currentIndexChanged, this, [this](int index) {
    index_ = std::max(index, 0);
    rebuild();
  });
  connect(run_, &RunModel::reset, this, &ScaleDock::rebuild);
  connect(run_, &RunModel::statisticsRead, this, &ScaleDock::rebuild);
  connect(run_, &RunModel::stepsAdded, this, &ScaleDock::append);
  connect(run_, &RunModel::eventAdded, this, &ScaleDock::takeBand);
  band_soon_.setSingleShot(true);
  band_soon_.setInterval(0);
  connect(&band_soon_, &QTimer::timeout, this, [this] {
    plot_->clearBand();
    band_drawn_ = -1;
    appendBand();
  });
  connect(run_, &RunModel::policyAdded, this, &ScaleDock::markPolicy);
  connect(run_, &RunModel::scalerEdited, this, &ScaleDock::markScaler);
  const auto update = [this] {
    updateEditor();
    updatePopover();
  };
  connect(run_, &RunModel::stateChanged, this, update);
  connect(run_, &RunModel::shownStepChanged, this, update);
  rebuild();
}

wire::ScalerConfig ScaleDock::chosen() const {
  const auto scalers = wire::scalers_of(run_->config());
  return scalers[std::min(static_cast<std::size_t>(index_), scalers.size() - 1)];
}

bool ScaleDock::isScaled() const {
  const auto scalers = wire::scalers_of(run_->config());
  return std::any_of(scalers.begin(), scalers.end(), [](const wire::ScalerConfig& each) { return each.enabled; });
}

wire::ScalerStep ScaleDock::shown(std::size_t step) const {
  const auto several = run_->scalersAt(step);
  if (static_cast<std::size_t>(index_) < several.size()) return several[static_cast<std::size_t>(index_)];
  const StepPoint& point = run_->steps()[step];
  return {point.scale, point.next_scale, point.found_inf};
}

void ScaleDock::setSecond(const RunModel* second, const QString& name) {
  if (second == nullptr && second_ == nullptr) return;
  second_ = second;
  second_name_ = name;
  rebuild();
}

void ScaleDock::rebuild() {
  const auto& scalers = run_->config().scalers;
  {
    const QSignalBlocker quiet(which_);
    which_->clear();
    for (const wire::ScalerConfig& each : scalers) which_->addItem(QString::fromStdString(each.id));
    index_ = std::clamp(index_, 0, std::max(static_cast<int>(scalers.size()) - 1, 0));
    which_->setCurrentIndex(scalers.empty() ? -1 : index_);
    which_->setVisible(scalers.size() > 1);
  }
  plot_->clear();
  const bool scaled = isScaled();
  editor_->setVisible(scaled);
  scaler_button_->setVisible(scaled);
  plot_->setSource(scaled && scalers.size() <= 1 ? &run_->stepSeries().scale_log2 : nullptr);
  if (scaled) {
    plot_->setEmptyText(tr("No steps yet."),
                        tr("The loss scale of every step appears here, with skips, back-off and growth."));
  } else {
    plot_->setEmptyText(tr("This run has no loss scaler."),
                        tr("Its loss is not multiplied before backward, so there is no scale to show."));
  }
  marks_ = 0;
  band_drawn_ = -1;
  plot_->setCaption(views::typeset(run_->config().caption));
  append(0);
  const bool both = scaled && second_ != nullptr && wire::scalers_of(second_->config()).front().enabled;
  for (std::size_t i = 0; both && i < second_->steps().size(); ++i) {
    const StepPoint point = second_->steps()[i];
    plot_->appendOther(second_name_, point.step, point.scale);
  }
  for (int i = 1; i < static_cast<int>(run_->policies().size()); ++i) markPolicy(i);
  for (int i = 0; i < static_cast<int>(run_->scalerEdits().size()); ++i) markScaler(i);
  updatePopover();
}

void ScaleDock::append(int first) {
  if (!isScaled()) return updateEditor();
  if (run_->config().scalers.size() > 1) {
    for (std::size_t i = static_cast<std::size_t>(first); i < run_->steps().size(); ++i) appendScalers(i);
  } else {
    plot_->followSource();
    const auto& marked = run_->markedSteps();
    for (; marks_ < marked.size(); ++marks_) {
      const StepPoint point = marked[marks_];
      if (!point.stepped)
        plot_->addMark({point.step, views::MarkKind::kSkipped, tr("Step skipped: a gradient was not finite")});
      markChange(point.step, point.scale, point.next_scale);
    }
  }
  appendBand();
  updateEditor();
}

// The run has no series of each of several scalers.
void ScaleDock::appendScalers(std::size_t index) {
  const wire::ScalerStep here = shown(index);
  const StepPoint point = run_->steps()[index];
  plot_->append(point.step, here.scale);
  const auto several = run_->scalersAt(index);
  for (std::size_t other = 0; other < several.size(); ++other) {
    if (static_cast<int>(other) == index_) continue;
    plot_->appendOther(QString::fromStdString(run_->config().scalers[other].id), point.step, several[other].scale);
  }
  if (!point.stepped) {
    plot_->addMark({point.step, views::MarkKind::kSkipped,
                    here.found_inf || several.empty()
                        ? tr("Step skipped: a gradient was not finite")
                        : tr("Step skipped: a gradient of another scaler was not finite")});
  }
  markChange(point.step, here.scale, here.next_scale);
}

void ScaleDock::markChange(std::int64_t step, double scale, double next) {
  if (!(next < scale) && !(next > scale)) return;
  const QString change = tr("%1 to %2").arg(views::scaleText(scale), views::scaleText(next));
  if (next < scale) {
    plot_->addMark({step, views::MarkKind::kBackOff, tr("Back-off, %1").arg(change)});
  } else {
    plot_->addMark({step, views::MarkKind::kGrowth, tr("Growth, %1").arg(change)});
  }
}

void ScaleDock::appendBand() {
  // Each of several scalers has other gradients, and the run does not record which.
  if (run_->config().scalers.size() > 1 || !isScaled()) return;
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const auto& points = run_->band().points();
  auto next = std::upper_bound(points.begin(), points.end(), band_drawn_,
                               [](std::int64_t step, const BandPoint& point) { return step < point.step; });
  for (; next != points.end(); ++next) {
    plot_->appendBand(next->step, next->lowest ? *next->lowest : -kNone, next->highest ? *next->highest : kNone);
    band_drawn_ = next->step;
  }
}

// Returns the band measured by a step's replay, in which gradients were observed before rounding.
const wire::ScaleBand* ScaleDock::replayedBand(std::int64_t step) const {
  const auto& events = run_->events();
  const auto found = std::find_if(events.rbegin(), events.rend(), [step](const wire::Event& event) {
    return event.step == step && event.diagnosis && event.diagnosis->band;
  });
  return found == events.rend() ? nullptr : &*found->diagnosis->band;
}

QString ScaleDock::bandText(std::int64_t step) const {
  if (const wire::ScaleBand* band = replayedBand(step)) return tr("safe %1 (replay)").arg(scaleBandText(*band));
  const BandPoint* point = run_->band().at(step);
  if (point == nullptr || (!point->lowest && !point->highest)) return {};
  const auto who = [&](int id) {
    const TensorTrack* track = run_->tensor(id);
    return track == nullptr ? QStringLiteral("–") : tensorText(track->tensor, run_->sites());
  };
  QStringList lines;
  if (point->empty()) {
    lines << tr("no safe scale");
  } else {
    const QString low = point->lowest ? views::powerOfTwo(*point->lowest) : QStringLiteral("0");
    const QString high = point->highest ? views::powerOfTwo(*point->highest) : QStringLiteral("∞");
    lines << (point->bound ? tr("safe %1 … %2 (bounds)") : tr("safe %1 … %2")).arg(low, high);
  }
  if (point->silent > 0)
    lines << (point->silent == 1 ? tr("one gradient is all 0 or NaN and sets no limit")
                                 : tr("%1 gradients are all 0 or NaN and set no limit").arg(point->silent));
  if (point->highest)
    lines << tr("first overflow above %1: %2").arg(views::powerOfTwo(*point->highest), who(point->highest_tensor));
  if (point->lowest)
    lines << tr("loses more than 1 % below %1: %2").arg(views::powerOfTwo(*point->lowest), who(point->lowest_tensor));
  return lines.join(u'\n');
}

// The replay of a step may arrive after the step is drawn; a run file delivers many at once, so redrawing is deferred.
void ScaleDock::takeBand(int event) {
  const wire::Event& replayed = run_->events()[static_cast<std::size_t>(event)];
  if (!replayed.diagnosis || !replayed.diagnosis->band) return;
  if (replayed.step > band_drawn_) return appendBand();
  band_soon_.start();
}

void ScaleDock::markPolicy(int index) {
  const auto at = static_cast<std::size_t>(index);
  const auto& policies = run_->policies();
  plot_->addMark({policies[at].step, views::MarkKind::kPolicyEdit,
                  policyChangeText(policies[at - 1], policies[at], run_->sites())});
}

void ScaleDock::markScaler(int index) {
  const ScalerEdit& edit = run_->scalerEdits()[static_cast<std::size_t>(index)];
  plot_->addMark({edit.step, views::MarkKind::kPolicyEdit, scalerEditText(edit)});
  updatePopover();
  updateEditor();
}

void ScaleDock::updateEditor() {
  const bool earlier = run_->shownStep().has_value();
  editor_->setEnabled(run_->whyNoEdit().isEmpty() && chosen().enabled && !earlier);
  if (!chosen().enabled) return editor_->setScale(0);  // the field is empty
  editor_->setScale(earlier ? shown(run_->shownSteps() - 1).next_scale : run_->scaleNow(chosen().id));
}

void ScaleDock::updatePopover() {
  const bool any = !run_->isEmpty() && chosen().enabled;
  scaler_button_->setEnabled(any);
  const wire::ScalerConfig scaler = run_->shownScaler(chosen());
  scaler_button_->setToolTip(any ? scalerText(scaler) : tr("The run has no loss scaler."));
  popover_->setEditable(run_->whyNoEdit().isEmpty() && !run_->shownStep());
  popover_->setScaler(scaler);
}

}  // namespace binade::app
