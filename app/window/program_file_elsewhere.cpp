// SPDX-License-Identifier: Apache-2.0
#include "app/window/program_file.h"

// For systems other than Linux, on which Binade's packages bring no fonts.

namespace binade::app {

QString programFile() {
  return {};
}

}  // namespace binade::app
