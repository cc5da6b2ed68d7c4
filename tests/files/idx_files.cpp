// SPDX-License-Identifier: Apache-2.0
#include "tests/files/idx_files.h"

#include <zlib.h>

#include <fstream>
#include <stdexcept>

namespace binade::test {

std::string idxBytes(std::uint8_t type, const std::vector<std::uint32_t>& sizes, const std::string& data) {
  std::string bytes{'\0', '\0', static_cast<char>(type), static_cast<char>(sizes.size())};
  for (const std::uint32_t size : sizes) {
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(size >> shift & 0xFF);
  }
  return bytes + data;
}

void writeFile(const std::string& file, const std::string& bytes) {
  if (file.ends_with(".gz")) {
    gzFile packed = gzopen(file.c_str(), "wb");
    if (packed == nullptr) throw std::runtime_error("cannot write " + file);
    gzwrite(packed, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(packed);
    return;
  }
  std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void writeDataSet(const std::string& folder, int train, int test, int classes, const std::string& ending) {
  for (const auto& [prefix, count] : {std::pair("train", train), std::pair("t10k", test)}) {
    std::string pictures;
    std::string labels;
    for (int i = 0; i < count; ++i) {
      pictures += std::string(16, static_cast<char>(i % 256));
      labels += static_cast<char>(i % classes);
    }
    const auto n = static_cast<std::uint32_t>(count);
    writeFile(folder + "/" + prefix + "-images-idx3-ubyte" + ending, idxBytes(8, {n, 4, 4}, pictures));
    writeFile(folder + "/" + prefix + "-labels-idx1-ubyte" + ending, idxBytes(8, {n}, labels));
  }
}

}  // namespace binade::test
