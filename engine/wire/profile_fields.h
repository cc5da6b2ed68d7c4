// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/wire, as fields.h: the fields of a profile.

#include "engine/wire/fields.h"
#include "engine/wire/profile.h"

namespace binade::wire {

void fields(auto& field, Is<ProfileConfig> auto& v) {
  field("level", v.level);
  field("every", v.every);
  field("interval", v.interval);
}

void fields(auto& field, Is<ProfileSource> auto& v) {
  field("source", v.source);
  field("state", v.state);
  field("sentence", v.sentence);
  field("next", v.next);
  field("detail", v.detail);
}

void fields(auto& field, Is<ProfileBin> auto& v) {
  field("time", v.time);
  field("seconds", v.seconds);
  field("covered", v.covered);
  field("tensor", v.tensor);
  field("hmma", v.hmma);
  field("imma", v.imma);
  field("dmma", v.dmma);
  field("sm_active", v.sm_active);
  field("clock", v.clock);
}

void fields(auto& field, Is<ProfileKernel> auto& v) {
  field("name", v.name);
  field("launches", v.launches);
  field("seconds", v.seconds);
  field("by_name", v.by_name);
}

void fields(auto& field, Is<SiteProfile> auto& v) {
  field("site", v.site);
  field("calls", v.calls);
  field("forward", v.forward);
  field("backward", v.backward);
  field("accumulate", v.accumulate);
  field("observe", v.observe);
  field("launches", v.launches);
  field("tensor", v.tensor);
  field("tensor_error", v.tensor_error);
  field("confidence", v.confidence);
  field("emulated", v.emulated);
  field("kernels", v.kernels);
  field("verdict", v.verdict);
  field("sentence", v.sentence);
  field("edit", v.edit);
}

void fields(auto& field, Is<Profile> auto& v) {
  field("first_step", v.first_step);
  field("last_step", v.last_step);
  field("steps", v.steps);
  field("step_seconds", v.step_seconds);
  field("curve", v.curve);
  field("times", v.times);
  field("tensor", v.tensor);
  field("estimate", v.estimate);
  field("outside", v.outside);
  field("bins", v.bins);
  field("sites", v.sites);
}

}  // namespace binade::wire
