// SPDX-License-Identifier: Apache-2.0
#include "engine/host/process/program_folder.h"

#include "engine/host/process/exit_code.h"
#include "engine/host/process/setup_script.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace binade::host {

std::filesystem::path program_folder(std::error_code& failed) {
  failed.clear();
  const char* const launcher = std::getenv("BINADE_LAUNCHER");  // set by packaging/binade-engine.in
  if (launcher != nullptr && *launcher != '\0') return std::filesystem::path(launcher).parent_path();
  return std::filesystem::read_symlink("/proc/self/exe", failed).parent_path();
}

int run_setup(char** argv) {
  std::error_code failed;
  std::string script = (program_folder(failed) / kSetupScript).lexically_normal().string();
  argv[0] = script.data();
  ::execv(script.c_str(), argv);
  std::fprintf(stderr, "binade-engine: %s could not be started: %s\n", script.c_str(), std::strerror(errno));
  std::fprintf(stderr, "  Install Binade again.\n");
  return kFailed;
}

}  // namespace binade::host
