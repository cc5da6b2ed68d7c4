// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/model.h"

#include <string>

namespace binade::host {

/// Opens what a person names as a model: a TorchScript file, or `sample:NAME`.
graph::Model open_model(const std::string& name);

}  // namespace binade::host
