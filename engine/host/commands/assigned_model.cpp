// SPDX-License-Identifier: Apache-2.0
#include "engine/host/commands/assigned_model.h"

#include <utility>

namespace binade::host {

AssignedModel::AssignedModel(const std::string& model, policy::Policy policy) : sites_(model) {
  assignment_.model = model;
  assignment_.policy = std::move(policy);
  assignment_.keys = sites_.keys();
  assignment_.places = sites_.places();
  assignment_.sources = sites_.sources();
  const policy::Capabilities every{.native_bfloat16 = true, .native_float16 = true, .native_tfloat32 = true};
  assignment_.table = policy::resolve(assignment_.policy, assignment_.keys, every, assignment_.places);
}

}  // namespace binade::host
