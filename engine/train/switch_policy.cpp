// SPDX-License-Identifier: Apache-2.0
#include "engine/train/switch_policy.h"

namespace binade::train {

void switch_policy(Training& training, const policy::Policy& policy, int revision) {
  training.policy = resolve(training, policy, revision);
  training.config.policy = policy;
  training.autocast.set_policy(training.policy);
}

}  // namespace binade::train
