// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

namespace binade::host {

/// Returns the demo run: a small convolutional network on Fashion-MNIST in float16 under the CUDA lists. Its loss scale
/// starts too high and grows soon, so that skips, back-off and growth show within a minute.
wire::RunConfig demo_run();

/// Returns the path of a new run file, `<name>-<date>-<time>.binade`, in the user's data folder, or in the working
/// directory if there is none. Creates that folder. Throws Error{kBadFile} if it cannot be created.
std::string new_run_file(const std::string& name);

/// Makes the folder of a run file that new_run_file() named, and tells where it is if no variable said it. Before the
/// file is created, and no earlier: a run that is refused leaves nothing behind. Other folders are their owners' to
/// make. Throws Error{kBadFile} where it cannot be made.
void make_run_folder(const std::string& run_file);

}  // namespace binade::host
