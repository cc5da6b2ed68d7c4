// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/error.h"

namespace binade::host {

inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kWrongUsage = 2;
inline constexpr int kRefused = 3;
inline constexpr int kNoLibTorch = 4;  ///< of the launcher and of `setup --check`; no command returns it
inline constexpr int kCancelled = 130;

/// Returns the exit code of a command that failed with this error.
constexpr int exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return kWrongUsage;
    case ErrorCode::kUnsafe:
      return kRefused;
    case ErrorCode::kCancelled:
      return kCancelled;
    default:
      return kFailed;
  }
}

}  // namespace binade::host
