// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/loss_spike.h"

#include "engine/words/numbers.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace binade::silent {

std::optional<Sign> LossSpikes::step(const wire::StepRecord& record) {
  if (!std::isfinite(record.loss)) return std::nullopt;
  std::optional<Sign> sign;
  if (usual_.size() == kUsual) {
    double mean = 0;
    for (const Step& each : usual_) mean += each.loss / kUsual;
    double variance = 0;
    for (const Step& each : usual_) variance += (each.loss - mean) * (each.loss - mean) / kUsual;
    const double spread = std::sqrt(variance);
    const double above = record.loss - mean;
    if (spread > 0 && above > kSpreads * spread && above > (kRatio - 1) * std::abs(mean)) {
      sign.emplace();
      sign->kind = Sign::Kind::kLossSpike;
      sign->what = "loss";
      sign->amount = std::min(1.0, above / std::abs(record.loss));
      sign->unit = "of the loss is above its usual";
      sign->sentence = "The loss was " + words::figure(record.loss) + " at step " + std::to_string(record.step) + ", " +
                       std::to_string(std::lround(above / spread)) + " standard deviations above the " +
                       words::figure(mean) + " of the " + std::to_string(kUsual) + " steps before";
      std::vector<double> norms;
      for (const Step& each : usual_) {
        if (std::isfinite(each.norm)) norms.push_back(each.norm);
      }
      if (!norms.empty() && std::isfinite(record.gradient_norm)) {
        const auto middle = norms.begin() + static_cast<std::ptrdiff_t>(norms.size() / 2);
        std::nth_element(norms.begin(), middle, norms.end());
        if (*middle > 0) {
          sign->sentence +=
              "; its gradient norm was " + words::figure(record.gradient_norm / *middle) + " times the usual";
        }
      }
      sign->next = "Look at the batch of this step; clip the gradient norm (clip.norm), or lower the learning rate.";
    }
    usual_.pop_front();
  }
  usual_.push_back({record.loss, record.gradient_norm});
  return sign;
}

}  // namespace binade::silent
