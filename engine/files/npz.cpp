// SPDX-License-Identifier: Apache-2.0
#include "engine/files/npz.h"

#include "engine/files/npy.h"
#include "engine/files/zip_file.h"
#include "engine/formats/printable.h"

#include <string_view>

namespace binade::files {

namespace {

constexpr std::string_view kNpyEnding = ".npy";

class NpzFile : public ArrayFile {
 public:
  explicit NpzFile(const std::string& file) : file_(file), archive_(file) {
    for (const auto& [name, entry] : archive_.entries()) {
      if (name.ends_with(kNpyEnding)) {
        names_.push_back(name.substr(0, name.size() - kNpyEnding.size()));
      } else {
        archive_.read(name);  // an array whose name is damaged in the directory would be missing in silence
      }
    }
  }
  const std::vector<std::string>& names() const override { return names_; }
  std::map<std::string, Array> read(const std::vector<std::string>& names, const Progress& progress) override {
    std::map<std::string, Array> arrays;
    for (const std::string& name : names) {
      const Bytes bytes = archive_.read(name + std::string(kNpyEnding), progress);
      arrays.emplace(name, array_of(read_npy(bytes, file_ + ": the array \"" + formats::printable(name) + "\"")));
    }
    return arrays;
  }

 private:
  std::string file_;
  ZipFile archive_;
  std::vector<std::string> names_;
};

}  // namespace

std::unique_ptr<ArrayFile> open_npz(const std::string& file) {
  return std::make_unique<NpzFile>(file);
}

}  // namespace binade::files
