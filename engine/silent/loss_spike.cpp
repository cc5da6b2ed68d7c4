// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/loss_spike.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace binade::silent {

std::optional<Symptom> LossSpikes::step(const wire::StepRecord& record) {
  if (!std::isfinite(record.loss)) return std::nullopt;
  std::optional<Symptom> symptom;
  if (usual_.size() == kUsual) {
    double mean = 0;
    for (const Step& each : usual_) mean += each.loss / kUsual;
    double variance = 0;
    for (const Step& each : usual_) variance += (each.loss - mean) * (each.loss - mean) / kUsual;
    const double spread = std::sqrt(variance);
    const double above = record.loss - mean;
    if (spread > 0 && above > kSpreads * spread && above > (kRatio - 1) * std::abs(mean)) {
      symptom.emplace();
      symptom->kind = Symptom::Kind::kLossSpike;
      symptom->what = "loss";
      symptom->amount = std::min(1.0, above / std::abs(record.loss));
      symptom->unit = wire::SilentFault::Unit::kLoss;
      symptom->facts.share = symptom->amount;
      symptom->facts.step = record.step;
      symptom->facts.loss = record.loss;
      symptom->facts.usual_loss = mean;
      symptom->facts.spreads = std::lround(above / spread);
      symptom->facts.of = kUsual;
      std::vector<double> norms;
      for (const Step& each : usual_) {
        if (std::isfinite(each.norm)) norms.push_back(each.norm);
      }
      if (!norms.empty() && std::isfinite(record.gradient_norm)) {
        const auto middle = norms.begin() + static_cast<std::ptrdiff_t>(norms.size() / 2);
        std::nth_element(norms.begin(), middle, norms.end());
        if (*middle > 0) symptom->facts.gradient_ratio = record.gradient_norm / *middle;
      }
    }
    usual_.pop_front();
  }
  usual_.push_back({record.loss, record.gradient_norm});
  return symptom;
}

}  // namespace binade::silent
