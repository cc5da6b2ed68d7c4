// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/corpus.h"

#include "tests/fuzz/input_file.h"
#include "tests/support/places.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <utility>

namespace binade::fuzz {

namespace {

constexpr std::size_t kLongestName = 60;
/// Larger files of the corpus are there for their size, such as for deep nesting, and are only read.
constexpr std::size_t kLargestToDamage = 65'536;

/// The words of a message, without quoted ones and numbers, joined by hyphens.
std::string kind_of(const std::string& message, const std::string& named) {
  std::string text = message;
  if (const std::size_t at = text.find(named); at != std::string::npos) text = text.substr(at + named.size());
  std::string kind;
  bool quoted = false;
  for (const char each : text) {
    if (each == '"') quoted = !quoted;
    if (quoted || kind.size() >= kLongestName) continue;
    if (std::isalpha(static_cast<unsigned char>(each)) != 0) {
      kind += static_cast<char>(std::tolower(static_cast<unsigned char>(each)));
    } else if (!kind.empty() && kind.back() != '-') {
      kind += '-';
    }
  }
  while (!kind.empty() && kind.back() == '-') kind.pop_back();
  return kind.empty() ? "refused" : kind;
}

}  // namespace

std::vector<std::string> corpus_files(const Reader& reader) {
  std::vector<std::string> files;
  const std::filesystem::path folder = std::filesystem::path(BINADE_SOURCE_DIR "/tests/fuzz/corpus") / reader.name;
  if (std::filesystem::exists(folder)) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Originals::Originals(const Reader& reader) {
  for (std::string& bytes : reader.valid()) {
    Outcome outcome = outcome_of(reader, bytes);
    if (!outcome.accepted) throw Fault("a valid file for " + reader.name + " is refused: " + outcome.text);
    all_.push_back({std::move(bytes), std::move(outcome.text)});
  }
  valid_ = all_.size();
  if (valid_ == 0) throw Fault("there is no valid file for " + reader.name);
  for (const std::string& file : corpus_files(reader)) {
    std::string bytes = read_file(file);
    if (!bytes.empty() && bytes.size() <= kLargestToDamage) all_.push_back({std::move(bytes), std::nullopt});
  }
}

int collect(const Reader& reader, std::uint32_t seed, std::uint32_t mutations, const std::string& folder) {
  const std::vector<std::string> valid = reader.valid();
  std::map<std::string, std::string> smallest;  // by kind
  for (std::uint32_t end = seed + mutations; seed < end; ++seed) {
    const std::string bytes = reader.mutate(valid[seed % valid.size()], seed).bytes;
    const Outcome outcome = outcome_of(reader, bytes);
    if (outcome.accepted) continue;
    std::string& held = smallest[kind_of(outcome.text, reader.named)];
    if (held.empty() || bytes.size() < held.size()) held = bytes;
  }
  std::filesystem::create_directories(folder);
  for (const auto& [kind, bytes] : smallest) write_file(folder + "/" + kind + reader.ending, bytes);
  return 0;
}

}  // namespace binade::fuzz
