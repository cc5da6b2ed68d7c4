// SPDX-License-Identifier: Apache-2.0
#include "engine/host/print/told_waiting.h"

#include <cstdio>

namespace binade::host {

files::Waiting told_waiting() {
  return {{}, [](const std::string& progress) { std::fprintf(stderr, "%s\n", progress.c_str()); }};
}

}  // namespace binade::host
