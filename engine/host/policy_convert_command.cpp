// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/host/commands.h"
#include "engine/host/decision_text.h"
#include "engine/host/exit_code.h"
#include "engine/host/named_policy.h"
#include "engine/host/policy_json.h"
#include "engine/host/site_differences.h"
#include "engine/policy/rebase.h"
#include "engine/train/atomic_file.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace binade::host {

namespace {

policy::Base base_named(const std::string& text) {
  if (const auto base = policy::parse_base(text)) return *base;
  throw Error(ErrorCode::kUsage, "--base " + text + " is no base list",
              "Base lists: cuda-amp, cpu-amp, apex-o0, apex-o1, all-float32.");
}

/// What the converted policy does otherwise, in sentences: at the op calls of the model where one is named.
std::vector<std::string> losses(const policy::Rebased& converted, const std::vector<SiteDifference>& sites,
                                bool with_model) {
  if (!with_model) return converted.inexact;
  std::vector<std::string> all;
  for (const SiteDifference& each : sites) {
    all.push_back(each.name() + " runs in " + decision_text(each.second) + ", and ran in " + decision_text(each.first));
  }
  return all;
}

void write(const std::string& file, const std::string& text) {
  train::AtomicFile out(file);
  out.write(text.data(), text.size());
  out.commit();
}

}  // namespace

int policy_convert(const PolicyConvertOptions& options) {
  if (!options.out.empty() && std::filesystem::exists(options.out)) {
    throw Error(ErrorCode::kUsage, "--out: " + options.out + " is there already", "Choose another name.");
  }
  const policy::Policy policy = named_policy(options.policy, "policy convert POLICY [MODEL]");
  policy::Rebased converted{policy, {}, {}};
  if (!options.base.empty()) converted = policy::rebase(policy, base_named(options.base));
  std::vector<SiteDifference> sites;
  std::size_t of = 0;
  if (!options.model.empty()) {
    const ModelSites model(options.model);
    sites = site_differences(model, policy, converted.policy);
    of = model.keys().size();
  }
  const std::vector<std::string> lost = losses(converted, sites, !options.model.empty());
  for (const std::string& each : lost) std::fprintf(stderr, "warning: %s\n", each.c_str());
  if (options.strict && !lost.empty()) {
    std::fprintf(stderr, "Nothing is written: not all of %s can be kept.\n", options.policy.c_str());
    return kFailed;
  }

  const std::string text = policy::to_json(converted.policy);
  if (!options.out.empty()) write(options.out, text);
  if (options.json) {
    nlohmann::ordered_json line{{"event", "converted"},
                                {"file", options.out},
                                {"policy", nlohmann::ordered_json::parse(text)},
                                {"added", converted.added},
                                {"warnings", lost}};
    if (!options.model.empty()) line.update({{"op_calls", of}, {"otherwise", sites.size()}});
    print_json(line);
    return kDone;
  }
  if (options.out.empty()) {
    std::printf("%s", text.c_str());
    return kDone;
  }
  std::printf("Wrote %s: base %s, %zu op changes more.\n", options.out.c_str(), name(converted.policy.base).c_str(),
              converted.added.size());
  if (!options.model.empty()) {
    const auto otherwise = std::count_if(sites.begin(), sites.end(), [](const auto& each) { return !each.call; });
    std::printf("%zu of %zu op calls of %s run as before.\n", of - static_cast<std::size_t>(otherwise), of,
                options.model.c_str());
  }
  return kDone;
}

}  // namespace binade::host
