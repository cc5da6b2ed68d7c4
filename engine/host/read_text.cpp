// SPDX-License-Identifier: Apache-2.0
#include "engine/host/read_text.h"

#include "engine/formats/error.h"

#include <fstream>
#include <sstream>

namespace binade::host {

std::string read_text(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (!stream || !(text << stream.rdbuf())) {
    throw Error(ErrorCode::kBadFile, file + " cannot be read", "Check the path and its permissions.");
  }
  return text.str();
}

}  // namespace binade::host
