// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/run_file_copy.h"
#include "engine/wire/envelope.h"
#include "engine/wire/far_files.h"

#include <memory>
#include <string>

namespace binade::host {

/// Lists folders of this computer, and reads run files, for an explorer on another one. Nothing else can be read: a
/// file must be an SQLite database with the application id of run files. Used on one thread.
class FarFiles {
 public:
  /// `only`: the one run file that may be read; empty: every run file.
  explicit FarFiles(std::string only = {}) : only_(std::move(only)) {}

  static bool knows(const std::string& method);

  /// The result of folder.list or file.read. A copy of a run file is made in parts, so that no call takes much longer
  /// than 50 ms. Throws BadParams, and Error{kBadFile, kUsage} for what cannot be listed or read.
  nlohmann::json answer(const wire::Request& request);

 private:
  wire::FilePart read(const wire::ReadFile& asked);

  std::string only_;
  std::string file_;  ///< source of copy_
  std::int64_t copies_ = 0;
  std::unique_ptr<record::RunFileCopy> copy_;
};

/// The content of a folder. Throws Error{kBadFile} if it cannot be listed.
wire::FolderList list_folder(const wire::ListFolder& asked);

}  // namespace binade::host
