// SPDX-License-Identifier: Apache-2.0
#include "tests/app/fake_attach.h"

#include "engine/formats/error.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace binade::test {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kPart = 4096;

std::int64_t seconds(fs::file_time_type time) {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::file_clock::to_sys(time).time_since_epoch())
      .count();
}

}  // namespace

FakePeers::FakePeers(bool otherEdits, bool watch, const std::string& user) {
  peers_.you = otherEdits ? 2 : 1;
  if (otherEdits) peers_.peers.push_back({1, "anna at desk", 1'790'000'000});
  peers_.peers.push_back({peers_.you, user, 1'790'000'100});
  if (otherEdits) peers_.editor = 1;
  if (!otherEdits && !watch) peers_.editor = peers_.you;
}

void writeFakeTraining(std::int64_t process) {
  if (const char* file = std::getenv(kFakeTrainingFile)) std::ofstream(file) << process << std::flush;
}

wire::AttachedRun fakeTraining() {
  std::int64_t process = 4242;
  if (const char* file = std::getenv(kFakeTrainingFile)) std::ifstream(file) >> process;
  return {.name = "made-up",
          .process = process,
          .host = "box",
          .run_file = "/far/made-up.binade",
          .since = 1'790'000'000,
          .step = 0,
          .peers = 0};
}

wire::FolderList listFolder(const wire::ListFolder& wanted) {
  fs::path folder = wanted.path.empty() ? fs::temp_directory_path() : fs::path(wanted.path);
  if (fs::is_regular_file(folder)) folder = folder.parent_path();
  if (!fs::is_directory(folder)) {
    throw Error{ErrorCode::kBadFile, "folder " + folder.string() + " does not exist", "Choose another one."};
  }
  wire::FolderList list;
  list.path = fs::canonical(folder).string();
  if (fs::path(list.path).has_relative_path()) list.parent = fs::path(list.path).parent_path().string();
  list.home = fs::temp_directory_path().string();
  for (const fs::directory_entry& each : fs::directory_iterator(folder)) {
    const std::string name = each.path().filename().string();
    if (!wanted.hidden && name.front() == '.') continue;
    list.entries.push_back({name, each.is_directory(),
                            each.is_regular_file() ? static_cast<std::int64_t>(each.file_size()) : 0,
                            seconds(each.last_write_time()), true});
  }
  std::sort(list.entries.begin(), list.entries.end(), [](const wire::FolderEntry& a, const wire::FolderEntry& b) {
    return a.folder != b.folder ? a.folder : a.name < b.name;
  });
  return list;
}

wire::FilePart readFile(const wire::ReadFile& wanted) {
  if (!fs::is_regular_file(wanted.file)) {
    throw Error{ErrorCode::kBadFile, "file " + wanted.file + " does not exist", "Choose another one."};
  }
  wire::FilePart part;
  part.copy = "copy";
  if (wanted.copy.empty()) {
    part.prepared = 0.5;
    return part;
  }
  part.ready = true;
  part.prepared = 1;
  part.size = static_cast<std::int64_t>(fs::file_size(wanted.file));
  part.offset = wanted.offset;
  std::ifstream in(wanted.file, std::ios::binary);
  in.seekg(wanted.offset);
  part.data.value.resize(
      static_cast<std::size_t>(std::clamp<std::int64_t>(part.size - wanted.offset, 0, std::min(kPart, wanted.bytes))));
  in.read(part.data.value.data(), static_cast<std::streamsize>(part.data.value.size()));
  return part;
}

}  // namespace binade::test
