// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/output_file.h"

#include "engine/formats/error.h"

#include <filesystem>
#include <system_error>

namespace binade {

void refuse_existing(const std::string& file, const std::string& option) {
  std::error_code ignored;
  if (!std::filesystem::exists(std::filesystem::symlink_status(file, ignored))) return;
  throw Error(ErrorCode::kUsage, (option.empty() ? "" : option + ": ") + file + " already exists",
              "Choose another name.");
}

}  // namespace binade
