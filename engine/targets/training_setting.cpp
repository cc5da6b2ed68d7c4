// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/training_setting.h"

#include "engine/targets/op_roles.h"
#include "engine/targets/stated_differences.h"

namespace binade::targets {

using policy::Base;

TrainingSetting nearest_setting(const Assignment& assignment) {
  TrainingSetting setting;
  setting.low = low_for_lists(assignment);
  switch (assignment.policy.base) {
    case Base::kAllFloat32:
    case Base::kApexO0:
      setting.kind = TrainingSetting::Kind::kFloat32;
      break;
    case Base::kApexO2:
    case Base::kApexO3:
      setting.kind = TrainingSetting::Kind::kWhole;
      break;
    case Base::kCpuAmp:
    case Base::kCudaAmp:
    case Base::kApexO1:
      setting.kind = TrainingSetting::Kind::kAutocast;
      setting.cpu = assignment.policy.base == Base::kCpuAmp;
      break;
  }
  return setting;
}

policy::Policy policy_of_setting(const TrainingSetting& setting) {
  policy::Policy stated;
  stated.low = setting.low;
  switch (setting.kind) {
    case TrainingSetting::Kind::kFloat32:
      stated.base = Base::kAllFloat32;
      break;
    case TrainingSetting::Kind::kAutocast:
      stated.base = setting.cpu ? Base::kCpuAmp : Base::kCudaAmp;
      break;
    case TrainingSetting::Kind::kWhole:
      stated.base = Base::kApexO3;
      break;
  }
  return stated;
}

void declare_setting(const Assignment& assignment, const TrainingSetting& setting, const std::string& program,
                     Findings& findings) {
  const auto reason = [&](std::size_t) {
    return program + " has one precision for the whole model and no lists of ops";
  };
  declare_differences(assignment, policy_of_setting(setting), reason, findings);
}

}  // namespace binade::targets
