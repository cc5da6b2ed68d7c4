// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace binade::views {

/// Whether an answer is good news for the user.
enum class AnswerTone {
  kGood,
  kBad,
  kUnknown,  ///< not examined yet
};

}  // namespace binade::views
