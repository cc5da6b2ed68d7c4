// SPDX-License-Identifier: Apache-2.0
#include "app/model/step_trends.h"

#include "app/model/run_model.h"

#include <cmath>
#include <numeric>

namespace binade::app {

namespace {

constexpr double kSpreads = 6;
constexpr double kSpikeShare = 0.2;  // share of the mean's magnitude

}  // namespace

void StepTrends::add(const StepPoint& point) {
  if (now_.size % kKept == 0) kept_.push_back(now_);
  if (point.stepped && !now_.first_taken) now_.first_taken = now_.size;
  if (point.next_scale < point.scale) now_.falls.add(point.step);
  addLoss(point);
  ++now_.size;
  ++added_;
}

void StepTrends::addLoss(const StepPoint& point) {
  const double loss = point.loss;
  if (!std::isfinite(loss)) {
    now_.bad_loss = BadLoss{point.step, loss, 0};
    return;
  }
  double& oldest = now_.losses[now_.finite % kUsual];
  if (now_.finite >= kUsual) {
    // Summed anew: a running sum would keep the rounding of one huge loss for ever.
    constexpr auto kCount = static_cast<double>(kUsual);
    const double mean = std::accumulate(now_.losses.begin(), now_.losses.end(), 0.0) / kCount;
    const double above = loss - mean;
    // Of most losses this says enough.
    if (above > kSpikeShare * std::abs(mean)) {
      double squares = 0;
      for (const double each : now_.losses) squares += (each - mean) * (each - mean);
      const double spread = std::sqrt(squares / kCount);
      if (spread > 0 && above > kSpreads * spread) now_.bad_loss = BadLoss{point.step, loss, above / spread};
    }
  }
  oldest = loss;
  ++now_.finite;
}

void StepTrends::truncate(const views::LongList<StepPoint>& steps) {
  truncate(steps, steps.size());
}

void StepTrends::truncate(const views::LongList<StepPoint>& steps, std::size_t count) {
  if (count >= now_.size) return;
  const std::size_t place = count / kKept;
  now_ = kept_[place];
  kept_.resize(place);  // add() stores it again
  for (std::size_t i = place * kKept; i < count; ++i) add(steps[i]);
}

}  // namespace binade::app
