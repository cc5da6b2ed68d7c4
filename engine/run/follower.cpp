// SPDX-License-Identifier: Apache-2.0
#include "engine/run/follower.h"

#include "engine/checkpoint/checkpoint.h"
#include "engine/formats/error.h"
#include "engine/ranks/shared_file.h"
#include "engine/train/switch_policy.h"

namespace binade::run {

Follower::Follower(train::Training& training, ranks::SharedTraining& shared, std::int64_t first_step,
                   Listener& listener)
    : training_(training),
      shared_(shared),
      listener_(listener),
      stepper_(training, /*replays=*/true, &shared),
      step_(first_step) {}

wire::Finished Follower::run() {
  if (training_.config.profile.level != "off") listener_.receive(training_.config.profile);
  for (;;) {
    const Orders orders = decode_orders(shared_.group().broadcast(std::string()));
    apply(orders);
    if (orders.end) {
      // Why a run failed is reported by rank 0; this rank has done its part.
      const bool failed = orders.outcome == wire::Outcome::kFailed;
      return {.outcome = failed ? wire::Outcome::kStopped : orders.outcome, .steps = step_, .message = {}, .hint = {}};
    }
    if (!orders.run_step) continue;
    const StepOutcome outcome = stepper_.run(step_, static_cast<observe::Level>(orders.level));
    listener_.receive(outcome.record);
    if (outcome.times) listener_.receive(*outcome.times);
    ++step_;
  }
}

void Follower::apply(const Orders& orders) {
  if (orders.policy) train::switch_policy(training_, orders.policy->policy, orders.policy->revision);
  // Rank 0 reports a request that it refuses.
  for (const auto& [id, scale] : orders.scales) {
    try {
      const std::size_t i = training_.scalers.index_of(id);
      if (training_.scalers.enabled(i) && wire::is_loss_scale(scale)) training_.scalers.set_scale(i, scale);
    } catch (const Error&) {
      continue;
    }
  }
  for (const wire::ScalerConfig& config : orders.scalers) {
    try {
      training_.scalers.tune(config);
    } catch (const std::exception&) {
      continue;
    }
  }
  if (orders.observe) stepper_.set_observe(*orders.observe);
  if (orders.profile) {
    stepper_.set_profile(*orders.profile);
    listener_.receive(*orders.profile);
  }
  for (const auto& policy : orders.loads) load(policy);
}

void Follower::load(const std::optional<wire::PolicySet>& policy) {
  const ranks::SharedFile file(shared_.group(), {});
  if (file.path().empty()) return;  // rank 0 could not load it
  step_ = checkpoint::load_checkpoint(training_, file.path()).step;
  if (policy) train::switch_policy(training_, policy->policy, policy->revision);
}

}  // namespace binade::run
