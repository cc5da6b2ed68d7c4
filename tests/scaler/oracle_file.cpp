// SPDX-License-Identifier: Apache-2.0
#include "tests/scaler/oracle_file.h"

#include <zstd.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace binade::test {

std::vector<nlohmann::json> readJsonLines(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot open " + file);
  const std::string packed{std::istreambuf_iterator<char>(stream), {}};
  const auto size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN) throw std::runtime_error("not zstd: " + file);
  std::string text(size, '\0');
  const auto read = ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
  if (ZSTD_isError(read) || read != size) throw std::runtime_error("damaged: " + file);
  std::vector<nlohmann::json> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

}  // namespace binade::test
