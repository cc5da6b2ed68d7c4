// SPDX-License-Identifier: Apache-2.0
#include "engine/interchange/new_path.h"

#include "engine/formats/error.h"
#include "engine/formats/file_refusal.h"
#include "engine/formats/output_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace binade::interchange {

namespace fs = std::filesystem;

NewPath::NewPath(const std::string& path) {
  fs::path whole = fs::absolute(path).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();  // `runs/cnn/`
  path_ = whole.string();
  refuse_existing(path_);
  const fs::path parent = whole.parent_path();
  std::error_code ignored;
  if (!fs::is_directory(parent, ignored)) {
    throw Error(ErrorCode::kBadFile, parent.string() + " is not a folder", "Create the folder, or choose another.");
  }
  std::string pattern = (parent / ("." + whole.filename().string() + ".XXXXXX")).string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    const FileRefusal why = file_refusal(path_, errno, FileUse::kWrite, "Choose another folder.");
    throw Error(ErrorCode::kBadFile, path_ + " cannot be created: " + why.reason, why.hint);
  }
  folder_ = pattern;
  temporary_ = (fs::path(folder_) / whole.filename()).string();
}

NewPath::~NewPath() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void NewPath::commit() {
  refuse_existing(path_);
  std::error_code error;
  fs::rename(temporary_, path_, error);
  if (error) {
    throw Error(ErrorCode::kBadFile, path_ + " cannot be created: " + error.message(), "Choose another folder.");
  }
}

NewFile::NewFile(std::string path) : path_(std::move(path)), file_(std::fopen(path_.c_str(), "wbx")) {
  if (!file_) fail();
}

void NewFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) fail();
}

void NewFile::close() {
  if (std::fclose(file_.release()) != 0) fail();
}

void NewFile::fail() const {
  const int why = errno;
  throw Error(ErrorCode::kBadFile, path_ + " cannot be written: " + std::strerror(why),
              "Free some space, or choose another folder.");
}

}  // namespace binade::interchange
