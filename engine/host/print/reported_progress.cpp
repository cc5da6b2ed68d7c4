// SPDX-License-Identifier: Apache-2.0
#include "engine/host/print/reported_progress.h"

#include <cstdio>

namespace binade::host {

files::Progress reported_progress() {
  return {{}, [](const std::string& progress) { std::fprintf(stderr, "%s\n", progress.c_str()); }};
}

}  // namespace binade::host
