// SPDX-License-Identifier: Apache-2.0
#include "engine/tuning/search_contents.h"

#include "engine/formats/error.h"
#include "engine/formats/input_file.h"
#include "engine/wire/data_files.h"
#include "engine/wire/utf8.h"

#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

namespace binade::tuning {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kMostRead = std::uintmax_t{64} << 20;  // bytes of a data file

std::string by_checksum(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) refuse_missing_file(file);
  std::vector<char> block(std::size_t{1} << 20);
  uLong checksum = ::crc32(0, nullptr, 0);
  std::uint64_t size = 0;
  while (stream.read(block.data(), static_cast<std::streamsize>(block.size())) || stream.gcount() > 0) {
    const auto count = static_cast<std::size_t>(stream.gcount());
    checksum = ::crc32(checksum, reinterpret_cast<const Bytef*>(block.data()), static_cast<uInt>(count));
    size += count;
  }
  return std::to_string(size) + " bytes, checksum " + std::to_string(checksum);
}

std::string by_size_or_checksum(const std::string& file) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  if (error) refuse_missing_file(file);
  if (size <= kMostRead) return by_checksum(file);
  const auto changed = fs::last_write_time(file, error).time_since_epoch().count();
  return std::to_string(size) + " bytes, changed at " + std::to_string(changed);
}

}  // namespace

Contents contents_of(const wire::RunConfig& run, const std::string& checkpoint) {
  Contents contents;
  for (const std::string& file : {run.model, run.weights, checkpoint}) {
    if (!file.empty() && !file.starts_with("sample:")) contents[wire::valid_utf8(file)] = by_checksum(file);
  }
  for (const std::string& file : wire::data_files(run.data))
    contents[wire::valid_utf8(file)] = by_size_or_checksum(file);
  return contents;
}

void check_contents(const Contents& stored, const Contents& now, const std::string& state) {
  const auto refuse = [&state](const std::string& file, const std::string& what) {
    throw Error(ErrorCode::kUsage,
                file + " " + what + " since the search in " + state + " began, so its tries no longer hold",
                "Put the old file back to go on with that search, or start a new one in another folder with --out.");
  };
  for (const auto& [file, was] : stored) {
    const auto found = now.find(file);
    if (found == now.end()) refuse(file, "was removed");
    if (found->second != was) refuse(file, "has changed");
  }
  for (const auto& [file, is] : now) {
    if (!stored.contains(file)) refuse(file, "was added");
  }
}

}  // namespace binade::tuning
