// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/targets/proof.h"

#include <optional>
#include <vector>

namespace binade::targets {

/// A file in the format of a target, read back and compared with its policy. The command `export` and the window write
/// this text and no other.
struct CheckedText {
  Written written;
  std::optional<Proof> proof;  ///< empty: the target is for people and cannot be read

  /// Whether the text says all that the policy says. If not, a person has to ask for the nearest text.
  bool exact() const;
};

/// Writes and proves, and adds the finding for Proof::lost_inside. Throws Error{kInternal} if the target cannot read
/// its own text, or if the text treats op calls in another way or sets another loss scaler without a finding that says
/// so: such a text must not reach a file.
CheckedText checked_text(const Target& target, const Assignment& assignment);

/// Whether a finding states that the file deviates from the policy.
bool deviates(const std::vector<Finding>& findings);

}  // namespace binade::targets
