// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace binade::wire {

// Files of the engine's computer, for an explorer on another one.
//   folder.list  ListFolder -> FolderList
//   file.read    ReadFile -> FilePart     (of a run file only)

/// Asks for the content of a folder. No file is opened.
struct ListFolder {
  std::string path{};   ///< empty: the user's home folder; a file means its folder; `~/` and relative paths: from there
  bool hidden = false;  ///< also names that begin with a dot
  friend bool operator==(const ListFolder&, const ListFolder&) = default;
};

struct FolderEntry {
  std::string name{};
  bool folder = false;
  std::int64_t bytes = 0;     ///< of a file
  std::int64_t modified = 0;  ///< seconds since 1970, UTC
  bool readable = true;       ///< the engine's user may open it
  friend bool operator==(const FolderEntry&, const FolderEntry&) = default;
};

/// The content of a folder: folders first, then files, each by name.
struct FolderList {
  std::string path{};    ///< absolute, without `.` and `..`
  std::string parent{};  ///< empty: this is the root
  std::string home{};    ///< the user's home folder
  std::vector<FolderEntry> entries{};
  std::int64_t left_out = 0;  ///< entries beyond the 10,000 that a list holds
  friend bool operator==(const FolderList&, const FolderList&) = default;
};

inline constexpr std::int64_t kMostFolderEntries = 10'000;
inline constexpr std::int64_t kLargestFilePart = std::int64_t{1} << 20;  ///< bytes

/// Asks for a part of a run file. The first request, with an empty `copy`, makes a consistent copy of the file on the
/// engine's side, which also works while a training writes it; later requests name that copy. A connection has one copy
/// at a time: another first request replaces it.
struct ReadFile {
  std::string file{};
  std::string copy{};  ///< FilePart::copy; empty: begin
  std::int64_t offset = 0;
  std::int64_t bytes = kLargestFilePart;  ///< at most; limited to kLargestFilePart
  friend bool operator==(const ReadFile&, const ReadFile&) = default;
};

/// A sequence of bytes; CBOR has a type for it.
struct Bytes {
  std::string value{};
  friend bool operator==(const Bytes&, const Bytes&) = default;
};

/// The answer to ReadFile. While the copy is being made, `ready` is false and `data` is empty: repeat the request, with
/// `copy`. A part shorter than requested is the last one.
struct FilePart {
  std::string copy{};  ///< names the copy in later requests
  bool ready = false;
  double prepared = 0;    ///< share of the copy that is made, 0..1
  std::int64_t size = 0;  ///< bytes of the copy, once it is ready
  std::int64_t offset = 0;
  Bytes data{};
  friend bool operator==(const FilePart&, const FilePart&) = default;
};

}  // namespace binade::wire
