// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaler/scaler_options.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace binade::test {

/// Where a replay first leaves the recording.
struct Difference {
  std::size_t call = 0;  ///< the index of the call
  std::string what;      ///< "error", "stepped", "scale", ...
  std::string text;      ///< a sentence with both sides
};

/// What replaying a recorded case gave.
struct Replayed {
  std::optional<Difference> difference;  ///< nothing: every value, stage and error text was the recorded one
  int calls = 0;
  int mapped = 0;  ///< calls whose recorded error exists in Python only and came as ours (mappedError)
};

/// Replays a recorded case call by call under `behaviour`.
Replayed replay(const nlohmann::json& recorded, scaler::Behaviour behaviour);

/// Our form of an error that only Python can make: the text that C++ throws, or "the compiler refuses it" where such a
/// call cannot be written. Empty for errors that are the same in both.
std::string mappedError(const std::string& call, const std::string& type, const std::string& text);

extern const char* const kRefusedByTheCompiler;

}  // namespace binade::test
