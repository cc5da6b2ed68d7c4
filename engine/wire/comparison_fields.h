// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/wire, as fields.h: the fields of a comparison with float32 and of the cast ledger.

#include "engine/wire/casts.h"
#include "engine/wire/fields.h"

namespace binade::wire {

void fields(auto& field, Is<SiteDifference> auto& v) {
  field("site", v.site);
  field("calls", v.calls);
  field("forward", v.forward);
  field("added", v.added);
  field("measured", v.measured);
  field("gradient", v.gradient);
  field("cosine", v.cosine);
  field("gradient_added", v.gradient_added);
  field("arrived", v.arrived);
  field("inherited", v.inherited);
  field("becomes", v.becomes);
  field("becomes_at", v.becomes_at);
  field("zeroed", v.zeroed);
  field("gradient_zeroed", v.gradient_zeroed);
}

void fields(auto& field, Is<ReferenceNote> auto& v) {
  field("kind", v.kind);
  field("site", v.site);
  field("name", v.name);
  field("format", v.format);
}

void fields(auto& field, Is<Float32Comparison> auto& v) {
  field("step", v.step);
  field("loss", v.loss);
  field("float32_loss", v.float32_loss);
  field("scale", v.scale);
  field("sites", v.sites);
  field("reference", v.reference);
}

void fields(auto& field, Is<CastLine> auto& v) {
  field("site", v.site);
  field("argument", v.argument);
  field("from", v.from);
  field("to", v.to);
  field("casts", v.casts);
  field("saved", v.saved);
  field("bytes", v.bytes);
  field("seconds", v.seconds);
  field("cause", v.cause);
  field("edit", v.edit);
  field("edit_match", v.edit_match);
  field("edit_format", v.edit_format);
  field("edit_bytes", v.edit_bytes);
  field("edit_seconds", v.edit_seconds);
}

void fields(auto& field, Is<CastLedger> auto& v) {
  field("policy_revision", v.policy_revision);
  field("first_step", v.first_step);
  field("last_step", v.last_step);
  field("steps", v.steps);
  field("step_seconds", v.step_seconds);
  field("lines", v.lines);
}

}  // namespace binade::wire
