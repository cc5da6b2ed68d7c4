// SPDX-License-Identifier: Apache-2.0
#include "engine/host/process/output_check.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace binade::host {

std::string output_failure() {
  errno = 0;
  if (std::fflush(stdout) != 0) return std::strerror(errno);
  if (std::ferror(stdout) == 0) return {};
  // The reason of the earlier failure is lost; another write fails for the same one.
  errno = 0;
  return ::write(STDOUT_FILENO, "\n", 1) < 0 ? std::strerror(errno) : "a part of the output was rejected";
}

}  // namespace binade::host
