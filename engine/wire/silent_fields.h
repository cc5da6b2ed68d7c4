// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/wire, as fields.h: the fields of silent faults.

#include "engine/wire/fields.h"
#include "engine/wire/silent_fault.h"

namespace binade::wire {

void fields(auto& field, Is<SilentFault> auto& v) {
  field("kind", v.kind);
  field("direction", v.direction);
  field("site", v.site);
  field("what", v.what);
  field("format", v.format);
  field("first_step", v.first_step);
  field("last_step", v.last_step);
  field("seen", v.seen);
  field("looked", v.looked);
  field("amount", v.amount);
  field("largest", v.largest);
  field("unit", v.unit);
  field("bound", v.bound);
  field("sentence", v.sentence);
  field("worst_step", v.worst_step);
  field("next", v.next);
  field("fix", v.fix);
}

void fields(auto& field, Is<ParameterUpdate> auto& v) {
  field("parameter", v.parameter);
  field("format", v.format);
  field("step", v.step);
  field("elements", v.elements);
  field("moved", v.moved);
  field("lost", v.lost);
  field("lost_norm", v.lost_norm);
  field("update_over_weight", v.update_over_weight);
}

void fields(auto& field, Is<SilentReport> auto& v) {
  field("policy_revision", v.policy_revision);
  field("first_step", v.first_step);
  field("last_step", v.last_step);
  field("looked", v.looked);
  field("faults", v.faults);
  field("hidden", v.hidden);
  field("updates", v.updates);
}

}  // namespace binade::wire
