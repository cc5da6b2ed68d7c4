// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/model_info.h"

#include <QList>
#include <QString>

#include <cstdint>

namespace binade::app {

/// A guessed SPEC for one input of forward, and its origin.
struct GuessedInput {
  QString spec;  ///< `float32[64,3,32,32]`
  QString from;  ///< `conv1.weight [16,3,3,3]`, or that it is only a usual shape; never empty
};

/// Returns a guess for each input without default: the engine's, from the shapes that layers take, or a usual shape.
/// The user can correct them; the engine refuses wrong shapes.
QList<GuessedInput> guessInputs(const wire::ModelInfo& model, std::int64_t batch);

}  // namespace binade::app
