// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks/sameness.h"

#include "engine/formats/error.h"
#include "engine/formats/sha256.h"
#include "engine/wire/codec.h"
#include "engine/wire/data_files.h"

#include <torch/version.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>

namespace binade::ranks {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kWholeUpTo = std::uintmax_t{64} << 20;
constexpr std::uintmax_t kEnd = std::uintmax_t{16} << 20;

std::string hash_of(const std::string& text) {
  formats::Sha256 hash;
  hash.add({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  return hash.finish();
}

void add_part(formats::Sha256& hash, std::ifstream& input, std::uintmax_t first, std::uintmax_t size) {
  std::string part(std::size_t{1} << 20, '\0');
  input.seekg(static_cast<std::streamoff>(first));
  while (size > 0) {
    const auto wanted = std::min<std::uintmax_t>(size, part.size());
    input.read(part.data(), static_cast<std::streamsize>(wanted));
    const auto count = static_cast<std::size_t>(input.gcount());
    if (count == 0) return;
    hash.add({reinterpret_cast<const std::uint8_t*>(part.data()), count});
    size -= count;
  }
}

std::string hash_of_file(const std::string& file) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  std::ifstream input(file, std::ios::binary);
  if (error || !input) throw Error(ErrorCode::kBadFile, file + " cannot be read", "Check that the file exists.");
  formats::Sha256 hash;
  const std::string length = std::to_string(size) + " bytes\n";
  hash.add({reinterpret_cast<const std::uint8_t*>(length.data()), length.size()});
  if (size <= kWholeUpTo) {
    add_part(hash, input, 0, size);
  } else {
    add_part(hash, input, 0, kEnd);
    add_part(hash, input, size - kEnd, kEnd);
  }
  return hash.finish();
}

std::string name_of_file(const std::string& file) {
  return fs::path(file).filename().string();
}

/// The run description without what may differ: where files are, and what rank 0 alone writes.
wire::RunConfig common(wire::RunConfig config) {
  config.run_file.clear();
  config.resume.clear();
  config.checkpoint = {};
  config.model = config.model.starts_with("sample:") ? config.model : name_of_file(config.model);
  config.weights = name_of_file(config.weights);
  config.data.folder.clear();
  for (std::string& file : config.data.files) file = name_of_file(file);
  config.profile = {};
  config.policy = {};  // its table is compared
  return config;
}

std::string hash_of_values(const train::Training& training) {
  formats::Sha256 hash;
  const auto add = [&hash](const std::string& name, const at::Tensor& tensor) {
    hash.add({reinterpret_cast<const std::uint8_t*>(name.data()), name.size()});
    const at::Tensor values = tensor.detach().cpu().contiguous();
    hash.add({static_cast<const std::uint8_t*>(values.const_data_ptr()), values.nbytes()});
  };
  for (const auto& [name, parameter] : training.model.parameters()) add(name, parameter);
  for (const auto& [name, buffer] : training.model.buffers()) add(name, buffer);
  return hash.finish();
}

std::string hash_of_table(const train::Training& training) {
  wire::PolicyApplied table;
  table.decisions = training.policy->sites;
  return hash_of(wire::encode_text(table));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> contents_of(const train::Training& training) {
  const wire::RunConfig& config = training.config;
  std::vector<std::pair<std::string, std::string>> all;
  all.emplace_back("LibTorch", TORCH_VERSION);
  all.emplace_back("the run description", hash_of(wire::to_json(common(config))));
  if (!config.model.starts_with("sample:")) {
    all.emplace_back("the model file " + name_of_file(config.model), hash_of_file(config.model));
  }
  if (!config.weights.empty()) {
    all.emplace_back("the file of weights " + name_of_file(config.weights), hash_of_file(config.weights));
  }
  for (const std::string& file : wire::data_files(config.data)) {
    all.emplace_back("the data file " + name_of_file(file), hash_of_file(file));
  }
  all.emplace_back("the starting values", hash_of_values(training));
  all.emplace_back("the policy table", hash_of_table(training));
  all.emplace_back("the device", training.device.is_cuda() ? "cuda" : "cpu");
  return all;
}

std::string difference(const std::vector<std::pair<std::string, std::string>>& own,
                       const std::vector<std::pair<std::string, std::string>>& of_rank_0) {
  constexpr std::size_t kShown = 12;
  const std::map<std::string, std::string> theirs(of_rank_0.begin(), of_rank_0.end());
  std::string text;
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
  for (const auto& [name, value] : own) {
    const auto found = theirs.find(name);
    if (found == theirs.end()) {
      add(name + " is read here only");
    } else if (found->second != value) {
      add(name + " is " + value.substr(0, kShown) + ", not " + found->second.substr(0, kShown));
    }
  }
  for (const auto& [name, value] : of_rank_0) {
    const bool missing = std::none_of(own.begin(), own.end(), [&](const auto& each) { return each.first == name; });
    if (missing) add(name + " is not read here");
  }
  return text;
}

}  // namespace binade::ranks
