// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/input/named_policy.h"
#include "engine/targets/target.h"

#include <string>

namespace binade::host {

/// A model's op calls and the meaning of a policy for them, as the targets of export take them. The assignment points
/// into this object.
class AssignedModel {
 public:
  /// `model` is a TorchScript file or `sample:NAME`. The policy is resolved for a device that computes in every format,
  /// because other programs do not emulate. Throws what ModelSites throws.
  AssignedModel(const std::string& model, policy::Policy policy);

  targets::Assignment& assignment() { return assignment_; }

  AssignedModel(const AssignedModel&) = delete;
  AssignedModel& operator=(const AssignedModel&) = delete;

 private:
  ModelSites sites_;
  targets::Assignment assignment_;
};

}  // namespace binade::host
