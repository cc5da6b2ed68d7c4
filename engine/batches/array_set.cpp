// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/array_set.h"

#include "engine/formats/error.h"
#include "engine/formats/printable.h"
#include "engine/policy/near_name.h"

#include <algorithm>
#include <filesystem>

namespace binade::batches {

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMostNames = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i)
    text += (i == 0 ? "" : ", ") + formats::printable(names[i]);
  if (names.size() > kMostNames) text += " and " + std::to_string(names.size() - kMostNames) + " more";
  return text;
}

}  // namespace

ArraySet::ArraySet(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (std::find(files.begin(), files.end(), file) != files.begin() + static_cast<std::ptrdiff_t>(files_.size())) {
      throw Error(ErrorCode::kBadRun, "data.files names " + file + " twice", "Delete one of them.").at("data.files");
    }
    short_names_.push_back(std::filesystem::path(file).filename().string());
    files_.push_back(files::open_arrays(file));
  }
}

bool ArraySet::has(const std::string& name) const {
  return std::any_of(files_.begin(), files_.end(), [&](const auto& file) { return contains(file->names(), name); });
}

std::vector<std::string> ArraySet::all_names() const {
  std::vector<std::string> all;
  for (const auto& file : files_) all.insert(all.end(), file->names().begin(), file->names().end());
  return all;
}

ArraySet::Place ArraySet::place(const std::string& from, const std::string& field) const {
  std::vector<Place> found;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (contains(files_[i]->names(), from)) found.push_back({i, from});
    const std::string prefix = short_names_[i] + ":";
    if (from.starts_with(prefix) && contains(files_[i]->names(), from.substr(prefix.size()))) {
      found.push_back({i, from.substr(prefix.size())});
    }
  }
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    const std::vector<std::string> known = all_names();
    const auto near = policy::nearest_name(from, known);
    throw Error(ErrorCode::kBadRun, field + " is \"" + formats::printable(from) + "\", which is in none of data.files",
                (near ? "Did you mean \"" + formats::printable(*near) + "\"? " : "") + "The files contain " +
                    (known.empty() ? "no arrays" : listed(known)) + ".")
        .at(field.substr(0, field.find(' ')));
  }
  const std::string one = short_names_[found[0].file];
  const std::string other = short_names_[found[1].file];
  throw Error(ErrorCode::kBadRun,
              field + " is \"" + formats::printable(from) + "\", which is in both " + one + " and " + other,
              one == other ? "Files are identified by their names without folder. Rename one of them."
                           : "Name one of them: \"" + one + ":" + formats::printable(found[0].name) + "\".")
      .at(field.substr(0, field.find(' ')));
}

std::vector<std::vector<ArraySet::Named>> ArraySet::read(std::span<const Request> requests,
                                                         const files::Progress& progress) const {
  std::vector<std::vector<Place>> places;
  std::vector<std::vector<std::string>> wanted(files_.size());
  for (const Request& request : requests) {
    auto& of_request = places.emplace_back();
    for (const std::string& from : request.from) {
      const Place& found = of_request.emplace_back(place(from, request.field));
      if (!contains(wanted[found.file], found.name)) wanted[found.file].push_back(found.name);
    }
  }
  std::vector<std::map<std::string, files::Array>> arrays;
  for (std::size_t i = 0; i < files_.size(); ++i) arrays.push_back(files_[i]->read(wanted[i], progress));

  std::vector<std::vector<Named>> all;
  for (const auto& of_request : places) {
    auto& named = all.emplace_back();
    for (const Place& each : of_request) {
      named.push_back(
          {short_names_[each.file] + ", \"" + formats::printable(each.name) + "\"", arrays[each.file].at(each.name)});
    }
  }
  return all;
}

}  // namespace binade::batches
