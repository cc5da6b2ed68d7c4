// SPDX-License-Identifier: Apache-2.0
#include "engine/record/check_run_file.h"

#include "engine/formats/error.h"
#include "engine/formats/file_refusal.h"
#include "engine/formats/input_file.h"

#include <cerrno>
#include <filesystem>
#include <fstream>

namespace binade::record {

std::string not_a_run_file_hint(const std::string& path) {
  return path.ends_with(".binade") ? "The file is damaged, or another program wrote it. Open another run file."
                                   : "Open a file with the ending .binade.";
}

void check_run_file(const std::string& path) {
  check_input_file(path);
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) refuse_missing_file(path);
  if (!std::filesystem::is_regular_file(status)) {
    throw Error(ErrorCode::kBadFile, path + " is not a file", "Name a file with the ending .binade.");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    const FileRefusal why = file_refusal(path, errno, FileUse::kRead, "Check the read permission.");
    throw Error(ErrorCode::kBadFile, path + " cannot be read: " + why.reason, why.hint);
  }
  std::string head(16, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  if (file.gcount() == 0) {
    throw Error(ErrorCode::kBadFile, path + ": the file is empty, because the run ended before anything was recorded",
                "Delete it and record the run again.");
  }
  if (head != std::string("SQLite format 3\0", 16)) {
    throw Error(ErrorCode::kBadFile, path + " is not a run file of Binade", not_a_run_file_hint(path));
  }
}

}  // namespace binade::record
