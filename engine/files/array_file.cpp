// SPDX-License-Identifier: Apache-2.0
#include "engine/files/array_file.h"

#include "engine/files/csv.h"
#include "engine/files/npy.h"
#include "engine/files/npz.h"
#include "engine/files/safetensors.h"
#include "engine/files/torch_file.h"
#include "engine/formats/error.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string_view>

namespace binade::files {

namespace {

/// Unlike a TorchFile, it has one order of names and no checksums to check before the first read.
class SafetensorsArrays : public ArrayFile {
 public:
  explicit SafetensorsArrays(const std::string& file) : tensors_(map_safetensors(file).tensors) {
    for (const auto& [name, tensor] : tensors_) names_.push_back(name);
  }
  const std::vector<std::string>& names() const override { return names_; }
  std::map<std::string, Array> read(const std::vector<std::string>& names, const Progress& /*progress*/) override {
    std::map<std::string, Array> arrays;
    for (const std::string& name : names) arrays.emplace(name, array_of(tensors_.at(name)));
    return arrays;
  }

 private:
  std::map<std::string, at::Tensor> tensors_;
  std::vector<std::string> names_;
};

std::unique_ptr<ArrayFile> open_safetensors(const std::string& file) {
  return std::make_unique<SafetensorsArrays>(file);
}

struct Kind {
  std::string_view ending;
  std::unique_ptr<ArrayFile> (*open)(const std::string&);
};
constexpr std::array<Kind, 8> kKinds{{{".npy", open_npy},
                                      {".npz", open_npz},
                                      {".csv", open_csv},
                                      {".safetensors", open_safetensors},
                                      {".pt", open_torch_file},
                                      {".pth", open_torch_file},
                                      {".bin", open_torch_file},
                                      {".ckpt", open_torch_file}}};

}  // namespace

namespace {

/// A folder where a file should be: what in it could be named.
[[noreturn]] void refuse_folder(const std::string& folder) {
  constexpr std::size_t kMostNamed = 3;
  std::set<std::string> files;
  bool idx = false;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    const std::string ending = entry.path().extension().string();
    idx = idx || name.starts_with("train-images-idx3-ubyte");
    if (std::any_of(kKinds.begin(), kKinds.end(), [&](const Kind& kind) { return kind.ending == ending; })) {
      files.insert(name);
    }
  }
  std::string hint = "Name the files in this folder";
  std::size_t named = 0;
  for (const std::string& each : files) {
    if (++named <= kMostNamed) hint += (named == 1 ? ": " : ", ") + each;
  }
  if (files.size() > kMostNamed) hint += " and " + std::to_string(files.size() - kMostNamed) + " more";
  if (files.empty()) hint = "The folder contains no supported data file";
  if (idx)
    hint = "The folder contains a data set in MNIST's format. Use \"kind\": \"idx\", \"folder\": \"" + folder + "\"";
  throw Error(ErrorCode::kBadFile, folder + " is a folder, but data.files must name files", hint + ".");
}

}  // namespace

std::unique_ptr<ArrayFile> open_arrays(const std::string& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) refuse_folder(file);
  const std::string ending = std::filesystem::path(file).extension().string();
  std::string known;
  for (const Kind& kind : kKinds) {
    if (kind.ending == ending) return kind.open(file);
    known += (known.empty() ? "" : ", ") + std::string(kind.ending);
  }
  throw Error(ErrorCode::kBadFile, file + ": data files with the ending \"" + ending + "\" are not supported",
              "Supported endings: " + known + ".");
}

std::string array_name(const std::string& file) {
  return std::filesystem::path(file).stem().string();
}

}  // namespace binade::files
