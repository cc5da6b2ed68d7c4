// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/underflow.h"

#include "engine/formats/effect.h"
#include "engine/silent/underflow_fix.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace binade::silent {

namespace {

using TensorKind = wire::WatchedTensor::Kind;
using Unit = wire::SilentFault::Unit;

/// In training, a format with float32's exponent range loses nothing that float32 would keep.
bool is_narrow(const formats::Format& format) {
  return format.exponent_bits < formats::kFloat32.exponent_bits;
}

/// Identifies a fault within its site; each output has its own.
std::string what_of(const wire::WatchedTensor& tensor) {
  if (tensor.kind == TensorKind::kInputGradient) return tensor.argument;
  const std::string what = tensor.kind == TensorKind::kOutput ? "output" : "gradient";
  return tensor.argument.empty() ? what : what + " " + tensor.argument;
}

/// Outputs and gradients; arguments that a cast changes are covered by cast_underflow_symptoms().
bool is_made_by_a_call(const wire::WatchedTensor& tensor) {
  return tensor.kind == TensorKind::kOutput || wire::is_scaled(tensor);
}

struct Lost {
  double share = 0;
  bool bound = false;
};

/// Share of a tensor's norm that is lost, or may be.
Lost lost_of(const formats::TensorStats& stats, const formats::Format& format) {
  const double limit = format.underflow_limit();
  const auto largest = static_cast<double>(stats.largest);
  // A tensor of zeros lost nothing if measured before rounding; after it, the loss is unknown.
  if (largest == 0) return {stats.censored && stats.non_finite() == 0 ? 1.0 : 0.0, true};
  if (!stats.censored && !stats.scan) return {formats::effect_of(stats, format).zero.norm.low, false};
  if (!stats.censored && largest <= limit) return {1, false};  // a scan
  // After rounding every value below the normal range is off by at most `limit`, values that became 0 included.
  const double norm = stats.scan ? largest : std::sqrt(stats.sum_of_squares);
  const double error = limit * std::sqrt(static_cast<double>(stats.count));
  return {std::min(1.0, error / norm), true};
}

}  // namespace

std::vector<Symptom> underflow_symptoms(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
                                        std::span<const wire::SiteInfo> sites) {
  std::vector<Symptom> symptoms;
  if (!record.stepped) return symptoms;  // after an overflow, gradients are meaningless
  for (const wire::Observation& seen : record.observations) {
    const wire::WatchedTensor& tensor = watched[static_cast<std::size_t>(seen.tensor)];
    if (!is_made_by_a_call(tensor) || !is_narrow(tensor.format) || seen.stats.count == 0) continue;
    const Lost lost = lost_of(seen.stats, tensor.format);
    if (lost.share < kNotableLoss) continue;
    const wire::SiteInfo& site = sites[static_cast<std::size_t>(tensor.site)];
    const bool backward = tensor.kind != TensorKind::kOutput;
    Symptom symptom;
    symptom.direction = backward ? wire::Direction::kBackward : wire::Direction::kForward;
    symptom.site = tensor.site;
    symptom.what = what_of(tensor);
    symptom.format = tensor.format;
    symptom.amount = lost.share;
    symptom.unit = backward ? Unit::kGradientNorm : Unit::kOutputNorm;
    symptom.bound = lost.bound;
    symptom.tensor = tensor.id;
    symptom.facts.share = lost.share;
    symptom.facts.of_argument = tensor.kind == TensorKind::kInputGradient;
    if (!symptom.facts.of_argument) symptom.facts.output = tensor.argument;
    set_underflow_fix(symptom, record, watched, tensor, seen.stats, site);
    symptoms.push_back(std::move(symptom));
  }
  return symptoms;
}

std::vector<Symptom> cast_underflow_symptoms(const Evidence& evidence, std::span<const wire::SiteInfo> sites) {
  std::vector<Symptom> symptoms;
  for (const ArgumentSeen& seen : evidence.arguments) {
    if (seen.vanished_norm < kNotableLoss) continue;
    Symptom symptom;
    symptom.site = seen.site;
    symptom.what = seen.argument;
    symptom.format = seen.format;
    symptom.amount = seen.vanished_norm;
    symptom.unit = Unit::kArgumentNorm;
    symptom.facts.share = seen.vanished_norm;
    symptom.facts.count = seen.vanished;
    symptom.facts.of = seen.occupied;
    if (seen.cast_by_policy) symptom.fix = wider_fix(sites[static_cast<std::size_t>(seen.site)]);
    symptoms.push_back(std::move(symptom));
  }
  return symptoms;
}

namespace {

/// The watched tensors of a site: its first output, and whether values are counted before rounding, which makes the
/// comparison's findings there redundant.
struct Watched {
  const wire::WatchedTensor* output = nullptr;
  bool counts_output = false;
  bool counts_gradients = false;
};

std::map<int, Watched> by_site(std::span<const wire::WatchedTensor> watched) {
  std::map<int, Watched> sites;
  for (const wire::WatchedTensor& tensor : watched) {
    Watched& site = sites[tensor.site];
    if (tensor.kind == TensorKind::kInputGradient) site.counts_gradients = site.counts_gradients || tensor.emulated;
    if (tensor.kind != TensorKind::kOutput || site.output != nullptr) continue;
    site.output = &tensor;
    site.counts_output = tensor.emulated;
  }
  return sites;
}

/// Added error from which a call is a symptom although little becomes 0: the values are so small that the format holds
/// them with few digits. Four times the error of a single rounding.
double notable_error(const formats::Format& format) {
  constexpr double kLeast = 0.05;
  return std::max(kLeast, std::ldexp(1.0, 1 - format.mantissa_bits));
}

}  // namespace

std::vector<Symptom> compared_symptoms(const wire::Float32Comparison& compared,
                                       std::span<const wire::WatchedTensor> watched,
                                       std::span<const wire::SiteInfo> sites,
                                       const std::optional<wire::ScaleBand>& band) {
  const auto all = by_site(watched);
  std::vector<Symptom> symptoms;
  const auto add = [&](const wire::SiteDifference& found, double error, double zeroed, bool backward) {
    const auto known = all.find(found.site);
    if (known == all.end() || known->second.output == nullptr) return;
    const auto& [output, counts_output, counts_gradients] = known->second;
    if (!is_narrow(output->format) || (backward ? counts_gradients : counts_output)) return;
    // A value that becomes 0 has an error of 100 %; if that is most of the error, the lost share describes it.
    const bool is_lost = zeroed >= kNotableLoss && 2 * zeroed >= error;
    if (!is_lost && (!(error >= notable_error(output->format)) || std::isinf(error))) return;
    Symptom symptom;
    symptom.direction = backward ? wire::Direction::kBackward : wire::Direction::kForward;
    symptom.site = found.site;
    symptom.what = backward ? "gradient" : "output";
    symptom.format = output->format;
    symptom.amount = std::min(1.0, is_lost ? zeroed : error);
    symptom.unit = backward ? (is_lost ? Unit::kGradientNorm : Unit::kGradientError)
                            : (is_lost ? Unit::kOutputNorm : Unit::kOutputError);
    symptom.tensor = backward ? -1 : output->id;
    symptom.facts.share = symptom.amount;
    symptom.facts.step = compared.step;
    if (!is_lost && zeroed > 0) symptom.facts.zeroed = zeroed;
    if (const auto scale = backward ? scale_fix(band, compared.scale, symptom.amount) : std::nullopt) {
      set_fix(symptom, *scale);
    } else {
      symptom.fix = wider_fix(sites[static_cast<std::size_t>(found.site)]);
    }
    symptoms.push_back(std::move(symptom));
  };
  for (const wire::SiteDifference& found : compared.sites) {
    if (found.measured) add(found, found.added, found.zeroed, false);
    if (found.gradient_added) add(found, *found.gradient_added, found.gradient_zeroed.value_or(0), true);
  }
  return symptoms;
}

}  // namespace binade::silent
