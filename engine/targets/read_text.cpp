// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/read_text.h"

#include "engine/formats/error.h"
#include "engine/formats/input_file.h"

#include <filesystem>
#include <system_error>

namespace binade::targets {

namespace {

namespace fs = std::filesystem;

/// Names come from the text, which may be a stranger's: none leads out of the folder.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

}  // namespace

std::vector<std::string> files_read(const Target& target, std::string_view text, const std::string& folder) {
  std::vector<std::string> paths;
  if (target.files_beside == nullptr) return paths;
  try {
    for (const std::string& name : target.files_beside(text)) {
      const fs::path path = fs::path(folder) / name;
      std::error_code unknown;
      if (is_plain_name(name) && fs::exists(path, unknown)) paths.push_back(path.string());
    }
  } catch (const Error&) {
    paths.clear();  // read_text() reports it
  }
  return paths;
}

Read read_text(const Target& target, std::string_view text, const std::string& source, const std::string& folder,
               const Assignment& model) {
  if (target.read_with_files == nullptr) return target.read(text, source, model);
  TextsBeside beside;
  for (const std::string& path : files_read(target, text, folder)) {
    beside.emplace(fs::path(path).filename().string(), read_input_text(path));
  }
  return target.read_with_files(text, source, beside, model);
}

}  // namespace binade::targets
