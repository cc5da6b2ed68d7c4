// SPDX-License-Identifier: Apache-2.0
#include "engine/host/process/trusted_models.h"

#include "engine/formats/error.h"
#include "engine/formats/printable.h"
#include "engine/formats/sha256.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

namespace binade::host {

namespace {

constexpr std::size_t kDigits = 64;

bool is_hash(const std::string& text) {
  return text.size() == kDigits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// Empty if the file cannot be read.
std::string hash_of(const std::string& file) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(file, unknown)) return {};  // a pipe could wait for ever
  std::ifstream from(file, std::ios::binary);
  if (!from) return {};
  formats::Sha256 hash;
  std::vector<char> part(std::size_t{1} << 20);
  do {
    from.read(part.data(), static_cast<std::streamsize>(part.size()));
    hash.add({reinterpret_cast<const std::uint8_t*>(part.data()), static_cast<std::size_t>(from.gcount())});
  } while (from);
  return from.eof() ? hash.finish() : std::string();
}

/// Whether what is appended begins a line. A person may have edited the file.
bool ends_with_line(const std::string& file) {
  std::ifstream from(file, std::ios::ate | std::ios::binary);
  if (!from || from.tellg() <= 0) return true;
  from.seekg(-1, std::ios::end);
  return from.get() == '\n';
}

}  // namespace

std::string trusted_models_file() {
  const auto below = [](const char* variable, const char* folder) -> std::string {
    const char* const value = std::getenv(variable);
    if (value == nullptr || *value != '/') return {};
    return (std::filesystem::path(value) / folder / "binade" / "trusted-models").string();
  };
  const std::string configured = below("XDG_CONFIG_HOME", "");
  return configured.empty() ? below("HOME", ".config") : configured;
}

std::set<std::string> trusted_models() {
  std::set<std::string> hashes;
  std::ifstream list(trusted_models_file());
  for (std::string line; std::getline(list, line);) {
    std::string hash = line.substr(0, kDigits);
    if (is_hash(hash)) hashes.insert(std::move(hash));
  }
  return hashes;
}

void trust_model(const std::string& file, const std::string& sha256) {
  if (!is_hash(sha256)) throw Error(ErrorCode::kUsage, "A model is trusted by the 64 digits of its SHA-256");
  if (trusted_models().contains(sha256)) return;
  // The hash comes from an engine that has read the file, and is not believed.
  if (hash_of(file) != sha256) {
    throw Error(ErrorCode::kBadFile, file + " has changed since its code was listed, or cannot be read",
                "Open it again.");
  }
  const std::string list = trusted_models_file();
  if (list.empty()) {
    throw Error(ErrorCode::kBadFile, "There is no folder for the list of trusted models",
                "Set HOME or XDG_CONFIG_HOME.");
  }
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(list).parent_path(), ignored);
  std::ofstream to(list, std::ios::app);
  if (!ends_with_line(list)) to << '\n';
  to << sha256 << "  " << formats::printable(file) << '\n';
  to.close();
  if (!to) throw Error(ErrorCode::kBadFile, list + " cannot be written", "Check its permissions and the free space.");
}

}  // namespace binade::host
