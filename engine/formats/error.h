// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace binade {

/// What kind of thing went wrong; decides the exit code of a command and the place where the explorer shows it.
enum class ErrorCode {
  kBadFile,      ///< A file that is not what it should be: wrong kind, truncated, unreadable. Exit code 1.
  kBadModel,     ///< A TorchScript file that loads but cannot be run as asked. Exit code 1.
  kBadData,      ///< A data set that is missing, has the wrong shape, or holds NaN. Exit code 1.
  kBadPolicy,    ///< A policy with an unknown op, site, format or field. Exit code 1.
  kBadRun,       ///< A run description with a missing or wrong field. Exit code 1.
  kUsage,        ///< A command line or request that makes no sense. Exit code 2.
  kUnsafe,       ///< A file that would run code on load. Exit code 3.
  kCancelled,    ///< A person stopped it. Exit code 130.
  kInternal,     ///< A fault of ours. Exit code 1.
  kOutOfMemory,  ///< A tensor did not fit. Ends a training's step, not the training; else exit code 1.
};

/// The engine's one exception. `message` names the file, op or field and says what is wrong; `hint` says what to do
/// next (may be empty). Thrown on any thread of the engine, caught once, in `host`.
struct Error : std::runtime_error {
  Error(ErrorCode error_code, const std::string& message, std::string next_step = {})
      : std::runtime_error(message), code(error_code), hint(std::move(next_step)) {}

  ErrorCode code;
  std::string hint;
};

}  // namespace binade
