// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace binade::wire {

/// Cost of the casts of one argument at one site. Figures are means per step.
struct CastLine {
  /// What decides the site's format.
  enum class Cause : std::uint8_t { kBaseList, kSiteRule, kOpChange, kOwnBlock };
  int site = 0;
  std::string argument;  ///< `input`, `weight`; empty for casts inside a composite op
  formats::Format from;
  formats::Format to;
  double casts = 0;    ///< number of copies made
  double saved = 0;    ///< number of copies avoided by the cast cache
  double bytes = 0;    ///< bytes written by the copies made
  double seconds = 0;  ///< host time of the copies made; on a GPU the time to launch them
  Cause cause = Cause::kBaseList;
  std::string rule;           ///< kBaseList: name of the list; kSiteRule: `match` of the rule; otherwise empty
  bool widest = false;        ///< the site takes the widest of its arguments' formats, instead of a given one
  bool single_calls = false;  ///< rules for single calls of the site apply too
  /// `match` of the rule that an edit would add to remove the cast; empty: no rule for one op call does.
  std::string edit_match;
  std::optional<formats::Format> edit_format;  ///< format of that rule
  /// Bytes that a step's casts write with the edit, minus those without it; negative if the edit saves. Measured in
  /// forwards under the edited policy. Empty: not tried.
  std::optional<double> edit_bytes{};
  std::optional<double> edit_seconds{};  ///< the same for the forwards' time; empty with emulated formats
  friend bool operator==(const CastLine&, const CastLine&) = default;
};

/// Costs of the casts in the newest steps under one policy.
struct CastLedger {
  int policy_revision = 0;
  std::int64_t first_step = 0;
  std::int64_t last_step = 0;
  std::int64_t steps = 0;
  double step_seconds = 0;  ///< mean wall time of these steps
  std::vector<CastLine> lines;
  friend bool operator==(const CastLedger&, const CastLedger&) = default;
};

}  // namespace binade::wire
