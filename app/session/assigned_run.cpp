// SPDX-License-Identifier: Apache-2.0
#include "app/session/assigned_run.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace binade::app {

namespace {

/// Whether a loss only returns the model's output, which the Python package writes for a model that computes its loss.
bool callsNothing(const wire::LossConfig& loss) {
  return loss.kind == "text" && loss.text == "def loss(output: Tensor) -> Tensor:\n    return output\n";
}

/// The number of op calls before those of the run's losses. These come last. A name that occurs twice is first one of
/// the model's own module `loss`.
std::size_t sitesOfModel(const wire::ModelInfo& model, const std::vector<wire::LossConfig>& losses) {
  if (std::all_of(losses.begin(), losses.end(), callsNothing)) return model.sites.size();
  std::set<std::pair<std::string, std::string>> of_loss;  // name and overload
  std::size_t count = model.sites.size();
  for (; count > 0; --count) {
    const policy::SiteKey& key = model.sites[count - 1].key;
    const bool named = losses.size() == 1 ? key.path == "loss" : key.path.starts_with("loss.");
    if (!named || !of_loss.emplace(key.name(), key.overload).second) break;
  }
  return count;
}

}  // namespace

AssignedRun::AssignedRun(const wire::ModelInfo& model, const wire::RunConfig& config, policy::Policy policy)
    : places_(model), scalers_(wire::scalers_of(config).size()) {
  const std::size_t count = sitesOfModel(model, wire::losses_of(config));
  assignment_.model = config.model;
  assignment_.policy = std::move(policy);
  assignment_.keys.reserve(count);
  assignment_.places.reserve(count);
  assignment_.sources.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    assignment_.keys.push_back(model.sites[i].key);
    assignment_.places.push_back(places_.places()[i]);
    assignment_.sources.push_back(model.sites[i].source);
  }
  if (scalers_ == 1) assignment_.scaler = wire::scalers_of(config).front();
  const policy::Capabilities every{.native_bfloat16 = true, .native_float16 = true, .native_tfloat32 = true};
  assignment_.table = policy::resolve(assignment_.policy, assignment_.keys, every, assignment_.places);
}

}  // namespace binade::app
