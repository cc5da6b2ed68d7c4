// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/input_file.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace binade::fuzz {

namespace {

class Folder {
 public:
  Folder() : path_((std::filesystem::temp_directory_path() / "binade-fuzz-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error(path_ + " cannot be made");
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

const std::string& input_folder() {
  static const Folder folder;
  return folder.path();
}

}  // namespace

void make_input_folder() {
  input_folder();
}

std::string write_input(const std::string& ending, const std::string& bytes) {
  const std::string path = input_folder() + "/input" + ending;
  // Databases have files beside them.
  for (const char* beside : {"", "-wal", "-shm", "-journal"}) std::filesystem::remove(path + beside);
  write_file(path, bytes);
  return path;
}

std::string read_file(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error(file + " cannot be read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_file(const std::string& file, const std::string& bytes) {
  std::ofstream stream(file, std::ios::binary);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!stream.flush()) throw std::runtime_error(file + " cannot be written");
}

std::vector<std::string> read_folder(const std::string& folder, const std::string& ending) {
  std::vector<std::string> files;
  if (std::filesystem::exists(folder)) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().string().ends_with(ending)) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> contents;
  for (const std::string& file : files) contents.push_back(read_file(file));
  return contents;
}

}  // namespace binade::fuzz
