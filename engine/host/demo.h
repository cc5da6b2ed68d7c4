// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

namespace binade::host {

/// The demo: a small convolutional network on Fashion-MNIST in float16 under the CUDA lists, with a loss scale that
/// starts too high and grows soon, so that skip, back-off and growth all show within a minute.
wire::RunConfig demo_run();

/// A new file in the user's folder for recorded runs (created), `<name>-<date>-<time>.binade`.
std::string new_run_file(const std::string& name);

/// Makes the folder of a run file that new_run_file() named, and tells where it is if no variable said it. Before the
/// file is created, and no earlier: a run that is refused leaves nothing behind. Other folders are their owners' to
/// make. Throws Error{kBadFile} where it cannot be made.
void make_run_folder(const std::string& run_file);

}  // namespace binade::host
