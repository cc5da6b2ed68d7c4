// SPDX-License-Identifier: Apache-2.0
#include "engine/host/input/read_text.h"

#include "engine/formats/error.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace binade::host {

std::string read_text(const std::string& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    throw Error(ErrorCode::kBadFile, file + " is a folder, not a file", "Name the file in it that is meant.");
  }
  if (!std::filesystem::exists(file, error) && !error) {
    throw Error(ErrorCode::kBadFile, file + " is missing: there is no such file", "Check the path.");
  }
  std::ifstream stream(file, std::ios::binary);
  std::string text;
  if (stream) text.assign(std::istreambuf_iterator<char>(stream), {});
  if (!stream || stream.bad()) {
    throw Error(ErrorCode::kBadFile, file + " cannot be read", "Check the path and its permissions.");
  }
  return text;
}

}  // namespace binade::host
