// SPDX-License-Identifier: Apache-2.0
#include "app/lessons/live_tail.h"

#include "app/model/translate.h"
#include "app/present/site_text.h"
#include "engine/lessons/figure_kinds.h"
#include "engine/lessons/scaled_tail.h"
#include "views/values/numbers.h"

#include <algorithm>
#include <cmath>

namespace binade::app {

namespace {

constexpr double kAllowedZeros = 0.001;  // the preset of the figure's kind

const lessons::SliderKind& tailSlider() {
  return lessons::find_kind("scaled_tail")->slider;
}

// Root mean square of the values that are neither 0 nor non-finite, at a loss scale of 1.
double typicalValue(const HistogramTrack& track) {
  const formats::TensorStats& stats = track.latest();
  return std::sqrt(stats.sum_of_squares / static_cast<double>(stats.occupied())) / track.latestScale();
}

bool isShowable(const RunModel& run, const TensorTrack& track) {
  return run.movesWithScale(track.tensor) && !track.histograms.empty() && track.histograms.latest().largest > 0;
}

// The gradient with the smallest values; gradients of weights first, because each op call's own backward gives them.
const TensorTrack* smallestGradient(const RunModel& run) {
  const auto isOfWeight = [](const wire::WatchedTensor& tensor) {
    return tensor.kind == wire::WatchedTensor::Kind::kInputGradient && tensor.argument == "weight";
  };
  const TensorTrack* smallest = nullptr;
  for (const auto& [id, track] : run.tensors()) {
    if (!isShowable(run, track)) continue;
    if (smallest != nullptr && isOfWeight(smallest->tensor) != isOfWeight(track.tensor)) {
      if (isOfWeight(track.tensor)) smallest = &track;
      continue;
    }
    if (smallest == nullptr || typicalValue(track.histograms) < typicalValue(smallest->histograms)) smallest = &track;
  }
  return smallest;
}

NoFigure whyNothing(const RunModel& run) {
  if (run.isEmpty() || !run.hasObservations()) {
    return {tr("No gradient has been measured yet."),
            tr("The figure appears after the first observed step of the experiment.")};
  }
  return {tr("No gradient can be shown."),
          tr("No observed gradient of this run has a value other than 0. A larger loss scale would show some.")};
}

}  // namespace

LiveTail::LiveTail()
    : missing_(NoFigure{tr("No gradient has been measured yet."), tr("Run the experiment. The figure appears after "
                                                                     "its first observed step.")}) {}

void LiveTail::update(const RunModel& run) {
  const TensorTrack* kept = run.tensor(tensor_);
  const TensorTrack* track = kept != nullptr && isShowable(run, *kept) ? kept : smallestGradient(run);
  if (track == nullptr) {
    if (tensor_ < 0) missing_ = whyNothing(run);
    return;
  }
  take(run, *track);
}

void LiveTail::take(const RunModel& run, const TensorTrack& track) {
  const double scale = track.histograms.latestScale();
  const int exponent = std::ilogb(scale);
  if (std::ldexp(1.0, exponent) != scale) {
    missing_ = NoFigure{tr("The loss scale %1 is not a power of two.").arg(views::figure(scale)),
                        tr("The figure moves a histogram by whole binades, so it needs a power of two.")};
    return;
  }
  tensor_ = track.tensor.id;
  measured_ = exponent;
  stats_ = track.histograms.latest();
  const bool wide = track.tensor.format == formats::kFloat32;
  format_ = wide ? run.config().policy.low : track.tensor.format;
  missing_.reset();

  caption_ = tr("%1, in step %2, measured in %3 at a loss scale of %4.")
                 .arg(tensorText(track.tensor, run.sites()))
                 .arg(track.histograms.latestStep())
                 .arg(QString::fromStdString(formats::name(track.tensor.format)), views::scaleText(scale));
  if (stats_.zero > 0) {
    const double zeros = static_cast<double>(stats_.zero) / static_cast<double>(stats_.count);
    caption_ += u' ' + tr("%1 of its values were 0 and are not counted.").arg(views::share(zeros));
  }
  if (stats_.fine.empty()) caption_ += u' ' + tr("The shares are upper bounds.");
}

void LiveTail::setExponent(double exponent) {
  exponent_ = static_cast<int>(std::lround(std::clamp(exponent, tailSlider().low, tailSlider().high)));
}

lessons::FigureData LiveTail::figure() const {
  lessons::FigureData data = lessons::scaled_tail_of(stats_, format_, exponent_, kAllowedZeros, measured_);
  const lessons::SliderKind& slider = tailSlider();
  data.slider = lessons::SliderState{.label = std::string(slider.label),
                                     .low = slider.low,
                                     .high = slider.high,
                                     .value = static_cast<double>(exponent_),
                                     .exponent = slider.exponent};
  return data;
}

}  // namespace binade::app
