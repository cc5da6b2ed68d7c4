// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

namespace binade::host {

/// The demo: a small convolutional network on Fashion-MNIST in float16 under the CUDA lists, with a loss scale that
/// starts too high and grows soon, so that skip, back-off and growth all show within a minute.
wire::RunConfig demo_run();

/// A new file in the user's folder for recorded runs (created), `<name>-<date>-<time>.binade`.
std::string new_run_file(const std::string& name);

}  // namespace binade::host
