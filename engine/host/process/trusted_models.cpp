// SPDX-License-Identifier: Apache-2.0
#include "engine/host/process/trusted_models.h"

#include "engine/formats/error.h"
#include "engine/formats/file_refusal.h"
#include "engine/formats/printable.h"
#include "engine/formats/sha256.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
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

/// The model of a line; nothing for a line without a hash.
std::optional<wire::TrustedModel> model_of(const std::string& line) {
  wire::TrustedModel model{line.substr(0, kDigits), {}};
  if (!is_hash(model.sha256)) return std::nullopt;
  const std::size_t path = line.find_first_not_of(" \t*", kDigits);  // sha256sum marks binary files by a star
  if (path != std::string::npos) model.file = line.substr(path);
  return model;
}

std::vector<std::string> lines_of_list() {
  std::vector<std::string> lines;
  std::ifstream list(trusted_models_file());
  for (std::string line; std::getline(list, line);) lines.push_back(std::move(line));
  return lines;
}

/// Replaces the list as a whole, so that a failure leaves the old one.
void replace_list(const std::vector<std::string>& lines) {
  const std::string list = trusted_models_file();
  const std::string part = list + ".part";
  const auto fail = [&](int error) {
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    const FileRefusal why = file_refusal(list, error, FileUse::kWrite, "Check its permissions and the free space.");
    throw Error(ErrorCode::kBadFile, list + " cannot be written: " + why.reason, why.hint);
  };
  errno = 0;
  std::ofstream to(part, std::ios::trunc);
  for (const std::string& line : lines) to << line << '\n';
  to.close();
  if (!to) fail(errno);
  std::error_code error;
  std::filesystem::rename(part, list, error);
  if (error) fail(error.value());
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
  for (wire::TrustedModel& model : listed_trusted_models()) hashes.insert(std::move(model.sha256));
  return hashes;
}

std::vector<wire::TrustedModel> listed_trusted_models() {
  std::vector<wire::TrustedModel> models;
  for (const std::string& line : lines_of_list()) {
    if (auto model = model_of(line)) models.push_back(std::move(*model));
  }
  return models;
}

std::vector<wire::TrustedModel> end_trust(const std::string& named) {
  std::vector<std::string> lines = lines_of_list();
  std::vector<wire::TrustedModel> removed;
  const auto remove_if = [&](const auto& is_meant) {
    std::erase_if(lines, [&](const std::string& line) {
      const auto model = model_of(line);
      if (!model || !is_meant(*model)) return false;
      removed.push_back(*model);
      return true;
    });
  };
  std::error_code unknown;
  const std::string path = formats::printable(named);
  const std::string whole = formats::printable(std::filesystem::absolute(named, unknown).lexically_normal().string());
  remove_if([&](const wire::TrustedModel& each) {
    return each.sha256 == named || (!each.file.empty() && (each.file == path || each.file == whole));
  });
  if (removed.empty() && !is_hash(named)) {
    const std::string hash = hash_of(named);
    remove_if([&](const wire::TrustedModel& each) { return each.sha256 == hash; });
  }
  if (removed.empty()) {
    throw Error(ErrorCode::kUsage, named + " is not a trusted model",
                "List the trusted models with binade-engine trust, and name one by its SHA-256 or path.");
  }
  replace_list(lines);
  return removed;
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
