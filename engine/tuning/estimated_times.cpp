// SPDX-License-Identifier: Apache-2.0
#include "engine/tuning/estimated_times.h"

#include "engine/trial/step_cost.h"
#include "profiler/step_estimate.h"

#include <map>
#include <string>

namespace binade::tuning {

void estimate_times(train::Training& training, const policy::Policy& policy, search::StepEvidence& evidence) {
  const profiler::QuotedPeak& gpu = profiler::quoted_peaks().front();
  const auto resolved = train::resolve(training, policy, 0);
  std::map<std::string, double> seconds;
  for (const trial::SiteProduct& product : trial::find_products(training)) {
    const std::string call = training.sites[static_cast<std::size_t>(product.site)]->key.name();
    seconds[call] += profiler::step_seconds(gpu, trial::with_formats({product}, *resolved), 0);
  }
  evidence.seconds_per_byte = profiler::step_seconds(gpu, {}, 1);
  evidence.step_seconds = 0;
  for (search::CallEvidence& call : evidence.calls) {
    const auto product = seconds.find(call.call);
    call.seconds = product == seconds.end() ? 0 : product->second;
    evidence.step_seconds += call.seconds + call.cast_bytes * *evidence.seconds_per_byte;
  }
}

}  // namespace binade::tuning
