// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/targets/target.h"

#include <string>

namespace binade::targets {

/// The precision of a whole training, as training frameworks set it: they have no lists of ops.
struct TrainingSetting {
  enum class Kind {
    kFloat32,   ///< no casts
    kAutocast,  ///< torch.autocast around the model
    kWhole      ///< parameters and inputs in the low format
  } kind = Kind::kFloat32;
  formats::Format low = formats::kBFloat16;  ///< float16 or bfloat16
  bool cpu = false;                          ///< for autocast: its list for the CPU
};

/// The setting nearest to a policy.
TrainingSetting nearest_setting(const Assignment& assignment);

/// The policy that a setting states.
policy::Policy policy_of_setting(const TrainingSetting& setting);

/// Adds a finding for the op calls that the assignment treats otherwise than a setting of `program`.
void declare_setting(const Assignment& assignment, const TrainingSetting& setting, const std::string& program,
                     Findings& findings);

}  // namespace binade::targets
