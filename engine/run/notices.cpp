// SPDX-License-Identifier: Apache-2.0
#include "engine/run/notices.h"

#include <cmath>
#include <utility>

namespace binade::run {

namespace {

wire::Event event(wire::Event::Kind kind, std::int64_t step, double scale, wire::Event::Facts facts) {
  wire::Event made;
  made.kind = kind;
  made.step = step;
  made.scale = scale;
  made.facts = std::move(facts);
  return made;
}

}  // namespace

wire::Event scale_warning(const scaler::ScaleWarning& warning) {
  return event(wire::Event::Kind::kScaleWarning, warning.step, warning.scale,
               wire::ScaleTrouble{warning.message, warning.cause});
}

wire::Event diverged(std::int64_t step, double scale, double loss, std::int64_t in_a_row, bool scaled, bool pauses) {
  return event(wire::Event::Kind::kDiverged, step, scale, wire::Diverged{std::isnan(loss), in_a_row, scaled, pauses});
}

wire::Event clip_refused(std::int64_t step, double scale, const std::string& parameter, bool by_norm) {
  return event(wire::Event::Kind::kGradientOverflow, step, scale, wire::ClipRefused{parameter, by_norm});
}

wire::Event out_of_memory(std::int64_t step, double scale, const std::string& what) {
  return event(wire::Event::Kind::kOutOfMemory, step, scale, wire::OutOfMemory{what, /*in_optimizer=*/false});
}

wire::Event half_step(std::int64_t step, double scale, const std::string& failure) {
  return event(wire::Event::Kind::kOutOfMemory, step, scale, wire::OutOfMemory{failure, /*in_optimizer=*/true});
}

}  // namespace binade::run
