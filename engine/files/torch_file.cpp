// SPDX-License-Identifier: Apache-2.0
#include "engine/files/torch_file.h"

#include "engine/files/pickle.h"
#include "engine/files/zip_file.h"
#include "engine/formats/error.h"

#include <memory>
#include <set>
#include <string_view>

namespace binade::files {

namespace {

constexpr std::string_view kPickle = "data.pkl";

[[noreturn]] void refuse(const std::string& file, const std::string& why, const std::string& hint) {
  throw Error(ErrorCode::kBadFile, file + " " + why, hint);
}

/// Before PyTorch 1.6 torch.save wrote several pickles one after the other.
void check_kind(const std::string& file) {
  const Bytes bytes = map_file(file);
  const std::string_view head = bytes.text();
  if (head.starts_with("PK")) return;
  if (head.starts_with('\x80')) {
    refuse(file, "is in the format of torch.save before PyTorch 1.6, which is not supported",
           "Save it again in Python: torch.save(torch.load(FILE, weights_only=True), FILE).");
  }
  refuse(file, "is not a torch.save file: it is not a ZIP archive", "Save it with torch.save(tensors, FILE).");
}

/// The folder in the archive that holds everything: `archive/`.
std::string folder_of(const ZipFile& archive, const std::string& file) {
  for (const auto& [name, entry] : archive.entries()) {
    if (!name.ends_with(kPickle)) continue;
    const std::string folder = name.substr(0, name.size() - kPickle.size());
    if (archive.entries().contains(folder + "constants.pkl")) {
      refuse(file, "is a TorchScript module, not tensors",
             "Use this file as the model. For data, save a dict of tensors.");
    }
    return folder;
  }
  refuse(file, "is a ZIP archive, but was not written by torch.save", "Save it with torch.save(tensors, FILE).");
}

/// What a file of torch.save holds. Its tensors' bytes are not checked yet.
struct Contents {
  std::shared_ptr<const ZipFile> archive;
  std::set<std::string> storages;  ///< the entries with tensors' bytes
  std::vector<std::pair<std::string, at::Tensor>> tensors;

  void check(const Progress& progress) const {
    for (const std::string& storage : storages) archive->check(storage, progress);
  }
};

Contents contents_of(const std::string& file) {
  check_kind(file);
  Contents contents;
  contents.archive = std::make_shared<const ZipFile>(file);
  const ZipFile& archive = *contents.archive;
  const std::string folder = folder_of(archive, file);
  if (archive.entries().contains(folder + "byteorder") && archive.read(folder + "byteorder").text() == "big") {
    refuse(file, "was saved on a big-endian machine", "Save it again on a little-endian machine, or as safetensors.");
  }
  const Pickle pickle = read_pickle(
      archive.read(folder + std::string(kPickle)),
      [&](const std::string& key) {
        const std::string storage = folder + "data/" + key;
        contents.storages.insert(storage);
        return archive.read_unchecked(storage);
      },
      file);
  contents.tensors = tensors_in(pickle, file);
  return contents;
}

class TorchFile : public ArrayFile {
 public:
  explicit TorchFile(const std::string& file) : contents_(contents_of(file)) {
    for (auto& [path, tensor] : contents_.tensors) {
      const std::string name = path.empty() ? array_name(file) : path;
      if (!tensors_.emplace(name, tensor).second) refuse(file, "holds " + name + " twice", "Rename one of them.");
      names_.push_back(name);
    }
  }
  const std::vector<std::string>& names() const override { return names_; }
  std::map<std::string, Array> read(const std::vector<std::string>& names, const Progress& progress) override {
    if (!checked_) contents_.check(progress);
    checked_ = true;
    std::map<std::string, Array> arrays;
    for (const std::string& name : names) arrays.emplace(name, array_of(tensors_.at(name)));
    return arrays;
  }

 private:
  Contents contents_;
  bool checked_ = false;
  std::vector<std::string> names_;
  std::map<std::string, at::Tensor> tensors_;
};

}  // namespace

std::vector<std::pair<std::string, at::Tensor>> read_torch_file(const std::string& file) {
  Contents contents = contents_of(file);
  contents.check({});
  return std::move(contents.tensors);
}

std::unique_ptr<ArrayFile> open_torch_file(const std::string& file) {
  return std::make_unique<TorchFile>(file);
}

}  // namespace binade::files
