// SPDX-License-Identifier: Apache-2.0
#include "engine/host/commands/saved_policy.h"

#include "engine/files/atomic_file.h"
#include "engine/host/process/version.h"

#include <array>
#include <ctime>
#include <filesystem>

namespace binade::host {

namespace {

/// `sample:cnn` stays, of a path only the file's name.
std::string file_name(const std::string& text) {
  return std::filesystem::path(text).filename().string();
}

}  // namespace

std::string date_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return {text.data(), length};
}

std::string changes_text(const policy::Policy& policy) {
  const std::size_t ops = policy.ops.size();
  const std::size_t rules = policy.sites.size();
  return (ops == 1 ? "1 change of an op" : std::to_string(ops) + " changes of ops") + ", " +
         (rules == 1 ? "1 site rule" : std::to_string(rules) + " site rules");
}

void save_policy(policy::Policy policy, const std::string& out, const MadeFor& model,
                 const std::vector<std::string>& from) {
  policy::Provenance& provenance = policy.provenance;
  provenance.made_by = std::string("binade-engine ") + kVersion;
  provenance.date = date_now();
  provenance.model = file_name(model.name);
  provenance.op_calls.reset();
  if (!model.name.empty()) provenance.op_calls = static_cast<std::int64_t>(model.op_calls);
  provenance.from.clear();
  for (const std::string& each : from) provenance.from.push_back(file_name(each));
  const std::string text = policy::to_json(policy);
  files::AtomicFile file(out);
  file.write(text.data(), text.size());
  file.commit();
}

}  // namespace binade::host
