// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/model_info.h"

#include <QStringList>

#include <cstdint>

namespace binade::app {

/// A first guess at one SPEC for each input of forward that has no default: `float32[64,3,32,32]` where the first
/// parameter is a convolution's weight, `float32[64,784]` for a linear one's, `int64[64,16]<1000` for an embedding's.
/// A person corrects it; the engine refuses wrong shapes.
QStringList guessInputs(const wire::ModelInfo& model, std::int64_t batch);

}  // namespace binade::app
