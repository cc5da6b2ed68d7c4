// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/data_files.h"

#include <filesystem>
#include <system_error>
#include <utility>

namespace binade::wire {

std::string find_idx_file(const std::string& folder, const std::string& name) {
  const std::filesystem::path plain = std::filesystem::path(folder) / name;
  std::error_code ignored;
  if (std::filesystem::exists(plain, ignored)) return plain.string();
  const std::filesystem::path packed = plain.string() + ".gz";
  return std::filesystem::exists(packed, ignored) ? packed.string() : std::string();
}

std::vector<std::string> data_files(const DataConfig& data) {
  if (data.kind == "files") return data.files;
  std::vector<std::string> files;
  if (data.kind != "idx") return files;
  for (const char* name :
       {"train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"}) {
    std::string file = find_idx_file(data.folder, name);
    if (!file.empty()) files.push_back(std::move(file));
  }
  return files;
}

}  // namespace binade::wire
