// SPDX-License-Identifier: Apache-2.0
#include "app/lessons/live_tail.h"

#include "app/model/site_name.h"
#include "app/model/translate.h"
#include "engine/lessons/figure_kinds.h"
#include "engine/lessons/scaled_tail.h"
#include "views/values/numbers.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace binade::app {

namespace {

constexpr double kAllowedZeros = 0.001;  // the preset of the figure's kind

const lessons::SliderKind& tailSlider() {
  return lessons::find_kind("scaled_tail")->slider;
}

bool isOfWeight(const wire::WatchedTensor& tensor) {
  return tensor.kind == wire::WatchedTensor::Kind::kInputGradient && tensor.argument == "weight";
}

bool isOfOutput(const wire::WatchedTensor& tensor) {
  return tensor.kind == wire::WatchedTensor::Kind::kOutputGradient;
}

// Those of the newest step that has any.
std::vector<const TensorTrack*> newestGradients(const RunModel& run, bool (*wanted)(const wire::WatchedTensor&)) {
  std::vector<const TensorTrack*> found;
  for (const auto& [id, track] : run.tensors()) {
    if (!wanted(track.tensor) || !run.movesWithScale(track.tensor) || track.histograms.empty()) continue;
    const std::int64_t step = track.histograms.latestStep();
    if (!found.empty() && found.front()->histograms.latestStep() > step) continue;
    if (!found.empty() && found.front()->histograms.latestStep() < step) found.clear();
    found.push_back(&track);
  }
  return found;
}

// Root mean square of the values that are neither 0 nor non-finite; 0 without any.
double typicalValue(const TensorTrack* track) {
  const formats::TensorStats& stats = track->histograms.latest();
  return stats.largest > 0 ? std::sqrt(stats.sum_of_squares / static_cast<double>(stats.occupied())) : 0;
}

QString formatsOf(const std::vector<const TensorTrack*>& gradients) {
  QStringList names;
  for (const TensorTrack* track : gradients) {
    const QString name = QString::fromStdString(formats::name(track->tensor.format));
    if (!names.contains(name)) names << name;
  }
  return names.join(tr(" and "));
}

}  // namespace

LiveTail::LiveTail()
    : missing_(NoFigure{tr("No gradient has been measured yet."),
                        tr("The figure appears after the first observed step of the experiment.")}) {}

void LiveTail::update(const RunModel& run) {
  std::vector<const TensorTrack*> gradients = newestGradients(run, isOfWeight);
  if (gradients.empty()) gradients = newestGradients(run, isOfOutput);
  if (!gradients.empty()) take(run, gradients);
}

void LiveTail::take(const RunModel& run, const std::vector<const TensorTrack*>& gradients) {
  const double scale = gradients.front()->histograms.latestScale();
  measured_ = std::ilogb(scale);
  stats_ = {};
  for (const TensorTrack* track : gradients) formats::add(stats_, track->histograms.latest());
  if (!(stats_.largest > 0)) {
    missing_ = NoFigure{tr("All gradients are 0."), tr("No loss scale can bring back what is 0 when it is measured.")};
    return;
  }
  if (std::ldexp(1.0, measured_) != scale) {
    missing_ = NoFigure{tr("The loss scale %1 is not a power of two.").arg(views::figure(scale)),
                        tr("The figure moves a histogram by whole binades, so it needs a power of two.")};
    return;
  }
  format_ = run.config().policy.low;
  missing_.reset();

  const auto [smallest, largest] =
      std::minmax_element(gradients.begin(), gradients.end(),
                          [](const TensorTrack* a, const TensorTrack* b) { return typicalValue(a) < typicalValue(b); });
  caption_ = isOfWeight(gradients.front()->tensor) ? tr("The gradients of all weights in step %1,")
                                                   : tr("The gradients of all outputs in step %1,");
  caption_ = caption_.arg(gradients.front()->histograms.latestStep()) + u' ' +
             tr("measured in %1 at a loss scale of %2.").arg(formatsOf(gradients), views::scaleText(scale)) + u' ' +
             tr("On average, those of %1 are the smallest and those of %2 the largest.")
                 .arg(callText(run.sites(), (*smallest)->tensor.site), callText(run.sites(), (*largest)->tensor.site));
  if (stats_.zero > 0) {
    const double zeros = static_cast<double>(stats_.zero) / static_cast<double>(stats_.count);
    caption_ += u' ' + tr("%1 of the values were 0 and are not counted.").arg(views::share(zeros));
  }
  if (stats_.fine.empty()) caption_ += u' ' + tr("The shares are upper bounds.");
}

void LiveTail::setExponent(double exponent) {
  exponent_ = static_cast<int>(std::lround(std::clamp(exponent, tailSlider().low, tailSlider().high)));
}

lessons::FigureData LiveTail::figure() const {
  lessons::FigureData data = lessons::scaled_tail_of(stats_, format_, exponent_, kAllowedZeros, measured_);
  data.title = tr("The measured gradients and the range of %1")
                   .arg(QString::fromStdString(formats::name(format_)))
                   .toStdString();
  const lessons::SliderKind& slider = tailSlider();
  data.slider = lessons::SliderState{.label = std::string(slider.label),
                                     .low = slider.low,
                                     .high = slider.high,
                                     .value = static_cast<double>(exponent_),
                                     .exponent = slider.exponent};
  return data;
}

}  // namespace binade::app
