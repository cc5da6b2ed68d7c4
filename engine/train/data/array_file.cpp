// SPDX-License-Identifier: Apache-2.0
#include "engine/train/data/array_file.h"

#include "engine/formats/error.h"
#include "engine/train/data/csv.h"
#include "engine/train/data/npy.h"
#include "engine/train/data/npz.h"
#include "engine/train/data/torch_file.h"
#include "engine/train/safetensors.h"

#include <array>
#include <filesystem>
#include <string_view>

namespace binade::train {

namespace {

class SafetensorsArrays : public ArrayFile {
 public:
  explicit SafetensorsArrays(const std::string& file) : tensors_(read_safetensors(file).tensors) {
    for (const auto& [name, tensor] : tensors_) names_.push_back(name);
  }
  const std::vector<std::string>& names() const override { return names_; }
  std::map<std::string, Array> read(const std::vector<std::string>& names, const Waiting& /*waiting*/) override {
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

std::unique_ptr<ArrayFile> open_arrays(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  std::string known;
  for (const Kind& kind : kKinds) {
    if (kind.ending == ending) return kind.open(file);
    known += (known.empty() ? "" : ", ") + std::string(kind.ending);
  }
  throw Error(ErrorCode::kBadFile, file + ": files that end in \"" + ending + "\" are not read as data",
              "Known endings: " + known + ".");
}

std::string array_name(const std::string& file) {
  return std::filesystem::path(file).stem().string();
}

}  // namespace binade::train
