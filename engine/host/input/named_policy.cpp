// SPDX-License-Identifier: Apache-2.0
#include "engine/host/input/named_policy.h"

#include "engine/autocast/resolve_executions.h"
#include "engine/formats/error.h"
#include "engine/formats/input_file.h"
#include "engine/graph/known_ops.h"
#include "engine/graph/samples.h"
#include "engine/policy/base_policy.h"
#include "engine/policy/finding_text.h"
#include "engine/policy/site_match.h"
#include "engine/train/device.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace binade::host {

namespace {

/// An op that writes an argument uses that argument's dtype, whatever format a rule sets.
void show_what_is_written(policy::Decision& decision, const graph::Site& site) {
  const bool asks = decision.rule != policy::kFromBase && (decision.kind == policy::Decision::Kind::kFormat ||
                                                           decision.kind == policy::Decision::Kind::kPromote);
  if (asks && site.in_place) decision.kind = policy::Decision::Kind::kFollow;
}

constexpr std::string_view kStartOfZip = "PK\x03\x04";  // TorchScript files are ZIP archives

[[noreturn]] void refuse_model(const std::string& text, const std::string& usage) {
  throw Error(ErrorCode::kUsage, text + " is a model, but this argument takes a policy",
              "Give the policy first: binade-engine " + usage);
}

}  // namespace

policy::Policy named_policy(const std::string& text, const std::string& usage) {
  if (text.starts_with("sample:")) refuse_model(text, usage);
  std::error_code unreadable;
  if (!std::filesystem::exists(text, unreadable) && !unreadable) {
    if (const auto base = policy::base_policy(text)) return *base;
    throw Error(ErrorCode::kBadFile, text + " does not exist", policy::hint_on_base(text) + hint_on_start(text));
  }
  const std::string file = read_input_text(text);
  if (file.starts_with(kStartOfZip)) refuse_model(text, usage);
  policy::Policy policy = policy::parse_policy(file, text);
  graph::check_ops(policy, text);
  return policy;
}

bool names_policy(const std::string& text) {
  std::error_code unreadable;
  if (!std::filesystem::is_regular_file(text, unreadable)) return policy::base_policy(text).has_value();
  std::ifstream file(text);
  char first = 0;
  file >> first;  // skips spaces
  return first == '{';
}

ModelSites::ModelSites(const std::string& model)
    : graph_(std::make_unique<graph::FlatGraph>(graph::open_model(model))) {
  for (const auto& site : graph_->sites()) {
    keys_.push_back(site->key);
    places_.push_back(autocast::place_of(*site));
    sites_.push_back(site.get());
  }
}

std::vector<std::string> ModelSites::sources() const {
  std::vector<std::string> sources;
  for (const graph::Site* site : sites_) sources.push_back(site->source);
  return sources;
}

policy_tools::ModelCalls ModelSites::calls() const {
  policy_tools::ModelCalls calls;
  calls.keys = keys_;
  calls.places = places_;
  for (const graph::Site* site : sites_) {
    const auto protects = [](graph::Role role) {
      return role == graph::Role::kStatistics || role == graph::Role::kIndex || role == graph::Role::kWritten;
    };
    calls.guarded.push_back(std::any_of(site->roles.begin(), site->roles.end(), protects));
  }
  return calls;
}

policy::Resolved ModelSites::resolve(const policy::Policy& policy) const {
  policy::Resolved resolved = autocast::resolve_for(policy, sites_, train::capabilities(c10::Device(c10::kCPU)));
  for (std::size_t i = 0; i < sites_.size(); ++i) show_what_is_written(resolved.sites[i], *sites_[i]);
  for (auto& [place, decision] : resolved.calls) {
    show_what_is_written(decision, *sites_[static_cast<std::size_t>(place.first)]);
  }
  for (policy::Finding& finding : resolved.findings) {
    if (finding.rule < 0) continue;
    const policy::SiteRule& rule = policy.sites[static_cast<std::size_t>(finding.rule)];
    const auto matches = [&rule](const policy::SiteKey& key) { return policy::matches(rule.match, key); };
    if (!policy::speaks_of_loss(rule) || std::any_of(keys_.begin(), keys_.end(), matches)) continue;
    finding.severity = policy::Finding::Severity::kNote;
    finding.message =
        policy::place_of(policy, finding.rule) + " refers to the loss, which belongs to a run. It was not checked.";
  }
  return resolved;
}

}  // namespace binade::host
