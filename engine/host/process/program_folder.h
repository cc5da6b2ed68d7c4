// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <system_error>

namespace binade::host {

/// The folder of the program that was started: of `binade-engine` in `bin`, also if that is the launcher of a package
/// and this program lies elsewhere. `failed` is set if the system does not name it.
std::filesystem::path program_folder(std::error_code& failed);

/// Replaces this process by `setup-libtorch`, which installs LibTorch, with the arguments `argv`; the first is replaced
/// by the script's path. Returns an exit code only if it cannot be started, after a message to standard error.
int run_setup(char** argv);

}  // namespace binade::host
