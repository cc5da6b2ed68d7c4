// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/file_refusal.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace binade {

namespace {

namespace fs = std::filesystem;

std::atomic<bool> confined{false};

bool is_refusal(int error) {
  return error == EACCES || error == EPERM;
}

/// Asks for the permissions alone: Landlock does not answer for access().
bool permissions_allow(const std::string& file, FileUse use) {
  if (use == FileUse::kRead) return ::access(file.c_str(), R_OK) == 0;
  std::error_code unknown;
  if (fs::exists(fs::symlink_status(file, unknown))) return ::access(file.c_str(), W_OK) == 0;
  const fs::path parent = fs::path(file).parent_path();
  return ::access(parent.empty() ? "." : parent.c_str(), W_OK | X_OK) == 0;
}

}  // namespace

const char* const kModelRefusedHint =
    "The model's code tried to use a file, which the confinement refuses. Files of the model's own choice open only "
    "in an unconfined engine: for a command without --confined, for the explorer see docs/security.md. Do that only if "
    "you know the author.";

void set_confined() {
  confined = true;
}

bool is_confined() {
  return confined;
}

FileRefusal file_refusal(const std::string& file, int error, FileUse use, std::string hint) {
  if (!is_confined() || !is_refusal(error) || !permissions_allow(file, use)) {
    return {std::strerror(error), std::move(hint)};
  }
  return {"the confinement refuses it",
          "A confined engine uses only the files that the command or the run description names. Name this file there, "
          "or do not confine the engine if you know the authors of all these files: see docs/security.md."};
}

bool names_confinement(const std::string& text) {
  if (!is_confined()) return false;
  return text.find(std::strerror(EACCES)) != std::string::npos || text.find(std::strerror(EPERM)) != std::string::npos;
}

}  // namespace binade
