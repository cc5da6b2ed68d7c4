// SPDX-License-Identifier: Apache-2.0
#include "engine/files/atomic_file.h"
#include "engine/formats/error.h"
#include "engine/host/commands/commands.h"
#include "engine/host/commands/site_differences.h"
#include "engine/host/input/named_policy.h"
#include "engine/host/print/decision_text.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/print/text_table.h"
#include "engine/host/process/exit_code.h"
#include "engine/policy/rebase.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <utility>

namespace binade::host {

namespace {

policy::Base base_named(const std::string& text) {
  if (const auto base = policy::parse_base(text)) return *base;
  throw Error(ErrorCode::kUsage, "--base " + text + " is not a base list",
              "Base lists: cuda-amp, cpu-amp, apex-o0, apex-o1, all-float32.");
}

/// Returns the ways in which the converted policy differs, as sentences; with a model, one per op call that runs
/// differently.
std::vector<std::string> losses(const policy::Rebased& converted, const std::vector<SiteDifference>& sites,
                                bool with_model) {
  if (!with_model) return converted.inexact;
  std::vector<std::string> all;
  for (const SiteDifference& each : sites) {
    all.push_back(each.name() + " runs in " + each.second_text() + ", and ran in " + each.first_text());
  }
  return all;
}

/// Ops that the losses of a run call, with overloads. A model does not contain them; training adds them.
constexpr std::pair<const char*, const char*> kOfLosses[] = {{"aten::binary_cross_entropy_with_logits", ""},
                                                             {"aten::cosine_embedding_loss", ""},
                                                             {"aten::cross_entropy_loss", ""},
                                                             {"aten::huber_loss", ""},
                                                             {"aten::kl_div", ""},
                                                             {"aten::l1_loss", ""},
                                                             {"aten::log_softmax", "int"},
                                                             {"aten::mse_loss", ""},
                                                             {"aten::nll_loss", ""},
                                                             {"aten::nll_loss2d", ""},
                                                             {"aten::nll_loss_nd", ""},
                                                             {"aten::smooth_l1_loss", ""}};

/// Returns the ops that the model and its loss call, including those inside other ops. nullopt if an op's inner ops are
/// unknown.
std::optional<std::vector<policy::SiteKey>> called_by(const ModelSites& model, const policy::Policy& a,
                                                      const policy::Policy& b) {
  std::vector<policy::SiteKey> called = model.keys();
  for (const auto& [op, overload] : kOfLosses) called.push_back({"loss", {}, op, overload, 0});
  for (const policy::Policy* each : {&a, &b}) {
    const policy::Resolved table = model.resolve(*each);
    for (std::size_t i = 0; i < table.sites.size(); ++i) {
      if (!is_inside(table.sites[i], model.places()[i].inside)) continue;
      const auto kernel = kernel_of(model.keys()[i].op);
      if (!kernel) return std::nullopt;
      called.push_back({model.keys()[i].path, {}, *kernel, {}, 0});
    }
  }
  return called;
}

/// Returns a table of the op changes added for the new base list, with both lists' rules.
std::string added_text(const policy::Rebased& converted, policy::Base from) {
  TextTable table(2);
  for (const std::string& key : converted.added) {
    table.add(
        {key, policy::to_text(converted.policy.ops.at(key)), policy::reason_of(key, from, converted.policy.base)});
  }
  return table.text();
}

void write(const std::string& file, const std::string& text) {
  files::AtomicFile out(file);
  out.write(text.data(), text.size());
  out.commit();
}

}  // namespace

int policy_convert(const PolicyConvertOptions& options) {
  if (!options.out.empty() && std::filesystem::exists(options.out)) {
    throw Error(ErrorCode::kUsage, "--out: " + options.out + " already exists", "Choose another name.");
  }
  const policy::Policy policy = named_policy(options.policy, "policy convert POLICY [MODEL]");
  policy::Rebased converted{policy, {}, {}};
  if (!options.base.empty()) converted = policy::rebase(policy, base_named(options.base));
  std::vector<SiteDifference> sites;
  std::size_t of = 0;
  std::size_t left_out = 0;
  if (!options.model.empty()) {
    const ModelSites model(options.model);
    if (const auto called = called_by(model, policy, converted.policy)) {
      left_out = policy::keep_called(converted, *called);
    }
    sites = site_differences(model, policy, converted.policy);
    of = model.keys().size();
  }
  const std::vector<std::string> lost = losses(converted, sites, !options.model.empty());
  for (const std::string& each : lost) std::fprintf(stderr, "warning: %s\n", each.c_str());
  if (options.strict && !lost.empty()) {
    std::fprintf(stderr, "Nothing was written, because not all of %s can be preserved.\n", options.policy.c_str());
    return kFailed;
  }

  const std::string text = policy::to_json(converted.policy);
  if (!options.out.empty()) write(options.out, text);
  if (options.json) {
    nlohmann::ordered_json line{
        {"event", "converted"},     {"file", options.out},  {"policy", nlohmann::ordered_json::parse(text)},
        {"added", converted.added}, {"left_out", left_out}, {"warnings", lost}};
    if (!options.model.empty()) line.update({{"op_calls", of}, {"otherwise", sites.size()}});
    print_json(line);
    return kDone;
  }
  if (options.out.empty()) {
    std::printf("%s", text.c_str());
    return kDone;
  }
  std::printf("Wrote %s: base %s, %zu additional op changes.\n", options.out.c_str(),
              name(converted.policy.base).c_str(), converted.added.size());
  if (!options.model.empty()) {
    std::printf("%s", added_text(converted, policy.base).c_str());
    if (left_out > 0) {
      std::printf("%zu others were omitted, because %s does not call their ops.\n", left_out, options.model.c_str());
    }
    const auto otherwise = std::count_if(sites.begin(), sites.end(), [](const auto& each) { return !each.call; });
    std::printf("%zu of %zu op calls of %s run as before.\n", of - static_cast<std::size_t>(otherwise), of,
                options.model.c_str());
  }
  return kDone;
}

}  // namespace binade::host
