// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/array_file.h"

#include <span>

namespace binade::batches {

/// The arrays of several files, by name.
class ArraySet {
 public:
  /// Opens the files; throws as open_arrays.
  explicit ArraySet(const std::vector<std::string>& files);

  /// One array, with what a person knows it by: `table.csv, "age"`.
  struct Named {
    std::string label;
    files::Array array;
  };
  /// Arrays that a field of the run description asks for: `name`, or `FILE:name` with the file's name without folder.
  struct Request {
    std::string field;
    std::vector<std::string> from;
  };

  bool has(const std::string& name) const;
  /// The arrays of each request. Every file is read once. Throws Error{kBadRun} naming the field where a name is
  /// unknown (with the nearest one) or stands in several files, and as ArrayFile::read.
  std::vector<std::vector<Named>> read(std::span<const Request> requests, const files::Progress& progress = {}) const;

 private:
  struct Place {
    std::size_t file = 0;
    std::string name;
  };
  Place place(const std::string& from, const std::string& field) const;
  std::vector<std::string> all_names() const;

  std::vector<std::string> short_names_;  ///< of the files, without folder
  std::vector<std::unique_ptr<files::ArrayFile>> files_;
};

}  // namespace binade::batches
