// SPDX-License-Identifier: Apache-2.0
#include "engine/host/process/log.h"

#include <cstdio>
#include <string>

namespace binade::host {

void log(std::string_view level, std::string_view text) {
  std::string line(level);
  line += ": ";
  line += text;
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);  // one call, so that lines of several threads do not mix
}

}  // namespace binade::host
