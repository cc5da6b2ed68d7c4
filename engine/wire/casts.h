// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace binade::wire {

/// What the casts of one argument of one site cost; figures are means a step.
struct CastLine {
  int site = 0;
  std::string argument;  ///< `input`, `weight`; empty for casts inside a composite op
  formats::Format from;
  formats::Format to;
  double casts = 0;                            ///< copies made
  double saved = 0;                            ///< copies that the cast cache had already
  double bytes = 0;                            ///< written by those made
  double seconds = 0;                          ///< host time of those made; on a GPU that is the launch, not the copy
  std::string cause;                           ///< a sentence: which rule asks for the format
  std::string edit;                            ///< what would remove it, in words; empty: no edit does
  std::string edit_match;                      ///< of the rule that would remove it
  std::optional<formats::Format> edit_format;  ///< of that rule
  /// What a step's casts write with the edit, less what they write without it: below 0 it saves. Of one forward under
  /// the edited policy; nothing: not tried.
  std::optional<double> edit_bytes{};
  std::optional<double> edit_seconds{};  ///< the same of that forward's time; not of emulated formats
  friend bool operator==(const CastLine&, const CastLine&) = default;
};

/// The casts of the newest steps under one policy.
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
