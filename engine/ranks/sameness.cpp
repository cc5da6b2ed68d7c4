// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks/sameness.h"

#include "engine/formats/error.h"
#include "engine/formats/sha256.h"
#include "engine/wire/codec.h"
#include "engine/wire/data_files.h"

#include <nlohmann/json.hpp>

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
constexpr std::size_t kShown = 8;   // digits of a hash
constexpr std::size_t kShort = 40;  // characters of a value that is named as it is; a hash has 64

constexpr const char* kLibTorch = "the version of LibTorch";
constexpr const char* kField = "the run description's ";
constexpr const char* kModelFile = "the model file ";
constexpr const char* kWeightsFile = "the file of weights ";
constexpr const char* kDataFile = "the data file ";
constexpr const char* kValues = "the starting values";
constexpr const char* kTable = "the policy table";
constexpr const char* kDevice = "the device";

bool is_file(const std::string& name) {
  return name.starts_with(kModelFile) || name.starts_with(kWeightsFile) || name.starts_with(kDataFile);
}

/// Whether the value is a text for people, and not a hash.
bool is_plain(const std::string& name, const std::string& value) {
  return name == kLibTorch || name == kDevice || (name.starts_with(kField) && value.size() <= kShort);
}

/// Whether other contents decide it, so that it is named only if those are equal.
bool is_consequence(const std::string& name) {
  return name == kValues || name == kTable;
}

/// `a, b and c`.
std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  return text;
}

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

Contents contents_of(const train::Training& training) {
  const wire::RunConfig& config = training.config;
  Contents all;
  all.emplace_back(kLibTorch, TORCH_VERSION);
  const nlohmann::json fields = nlohmann::json::parse(wire::to_json(common(config)));
  for (const auto& [field, value] : fields.items()) {
    const std::string text = value.dump();
    all.emplace_back(kField + field, text.size() <= kShort ? text : hash_of(text));
  }
  if (!config.model.starts_with("sample:")) {
    all.emplace_back(kModelFile + name_of_file(config.model), hash_of_file(config.model));
  }
  if (!config.weights.empty()) {
    all.emplace_back(kWeightsFile + name_of_file(config.weights), hash_of_file(config.weights));
  }
  for (const std::string& file : wire::data_files(config.data)) {
    all.emplace_back(kDataFile + name_of_file(file), hash_of_file(file));
  }
  all.emplace_back(kValues, hash_of_values(training));
  all.emplace_back(kTable, hash_of_table(training));
  all.emplace_back(kDevice, training.device.is_cuda() ? "cuda" : "cpu");
  return all;
}

Difference difference(const Contents& own, const Contents& of_rank_0) {
  const std::map<std::string, std::string> theirs(of_rank_0.begin(), of_rank_0.end());
  Difference result;
  std::vector<std::string> causes, consequences;
  const auto add = [&](const std::string& name, const std::string& remark) {
    auto& list = is_consequence(name) ? consequences : causes;
    list.push_back(remark.empty() ? name : name + " (" + remark + ")");
    result.in_files = result.in_files || is_file(name);
  };
  for (const auto& [name, value] : own) {
    const auto found = theirs.find(name);
    if (found == theirs.end()) {
      add(name, name.starts_with(kField) ? "not given on rank 0" : "which rank 0 does not read");
    } else if (found->second != value && is_plain(name, value) && is_plain(name, found->second)) {
      add(name, value + ", not " + found->second);
    } else if (found->second != value) {
      add(name, {});
      if (!is_file(name)) continue;
      result.hashes += (result.hashes.empty() ? "" : ", ") + name + " " + value.substr(0, kShown) + ", not " +
                       found->second.substr(0, kShown);
    }
  }
  for (const auto& entry : of_rank_0) {
    const std::string& name = entry.first;
    const bool missing = std::none_of(own.begin(), own.end(), [&](const auto& each) { return each.first == name; });
    if (missing) add(name, name.starts_with(kField) ? "given only on rank 0" : "which only rank 0 reads");
  }
  result.what = list_of(causes.empty() ? consequences : causes);
  return result;
}

std::optional<Error> why_unlike(const std::vector<std::pair<std::string, Difference>>& ranks) {
  std::string text, hashes;
  bool in_files = false;
  for (const auto& [name, each] : ranks) {
    if (each.what.empty()) continue;
    text += (text.empty() ? "" : ". ") + name + " differs from rank 0 in " + each.what;
    in_files = in_files || each.in_files;
    if (!each.hashes.empty()) hashes += (hashes.empty() ? "" : "; ") + name + ": " + each.hashes;
  }
  if (text.empty()) return std::nullopt;
  if (!hashes.empty()) text += ". Hashes: " + hashes;
  return Error(ErrorCode::kBadRun, text,
               in_files ? "Copy these files from the computer of rank 0, and start all ranks again."
                        : "Start all ranks with the run description, the policy and the version of Binade of rank 0, "
                          "and on the same kind of device.");
}

}  // namespace binade::ranks
