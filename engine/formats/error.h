// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace binade {

/// Kind of an error. It decides a command's exit code and where the explorer shows the error.
enum class ErrorCode {
  kBadFile,      ///< A file of the wrong kind, truncated or unreadable. Exit code 1.
  kBadModel,     ///< A TorchScript file that loads but cannot run as requested. Exit code 1.
  kBadData,      ///< A data set that is missing, has the wrong shape or contains NaN. Exit code 1.
  kBadPolicy,    ///< A policy with an unknown op, site, format or field. Exit code 1.
  kBadRun,       ///< A run description with a missing or wrong field. Exit code 1.
  kUsage,        ///< An invalid command line or request. Exit code 2.
  kUnsafe,       ///< A file that would run code when loaded. Exit code 3.
  kCancelled,    ///< Cancelled by the user. Exit code 130.
  kInternal,     ///< A bug in Binade. Exit code 1.
  kOutOfMemory,  ///< A tensor could not be allocated. Ends a training step, not the training; elsewhere exit code 1.
};

/// The engine's only exception. `message` names the file, op or field and what is wrong with it; `hint` is the next
/// step and may be empty. `field` is the path of the field of a run description that is wrong, such as
/// `optimizer.learning_rate`; empty if there is none. Thrown on any thread of the engine, caught in `host`.
struct Error : std::runtime_error {
  Error(ErrorCode error_code, const std::string& message, std::string next_step = {})
      : std::runtime_error(whole(message)), code(error_code), hint(std::move(next_step)) {}

  /// The same error, at a field.
  Error at(std::string path) && {
    field = std::move(path);
    return std::move(*this);
  }

  ErrorCode code;
  std::string hint;
  std::string field;

 private:
  /// Writes NUL as `\x00`, since what() would end there.
  static std::string whole(const std::string& message) {
    std::string text;
    for (const char each : message) {
      if (each == '\0')
        text += "\\x00";
      else
        text += each;
    }
    return text;
  }
};

}  // namespace binade
