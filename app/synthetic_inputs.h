// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/model_info.h"

#include <QList>
#include <QString>

#include <cstdint>

namespace binade::app {

/// A first guess at one SPEC for each input of forward that has no default, and where it comes from.
struct GuessedInput {
  QString spec;  ///< `float32[64,3,32,32]`
  QString from;  ///< `conv1.weight [16,3,3,3]`, or that nothing tells; never empty
};

/// What the engine found that the layers take; where none tells, a usual one. A person corrects it; the engine refuses
/// wrong shapes.
QList<GuessedInput> guessInputs(const wire::ModelInfo& model, std::int64_t batch);

}  // namespace binade::app
