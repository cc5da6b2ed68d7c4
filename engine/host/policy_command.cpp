// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/specialise.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/known_ops.h"
#include "engine/graph/samples.h"
#include "engine/host/commands.h"
#include "engine/host/exit_code.h"
#include "engine/host/read_text.h"
#include "engine/policy/resolve.h"
#include "engine/train/device.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace binade::host {

namespace {

struct Shown {
  policy::Resolved resolved;
  std::vector<policy::SiteKey> keys;
};

Shown shown_for(const policy::Policy& policy, const std::string& model_name) {
  const graph::Model model = graph::open_model(model_name);
  const graph::FlatGraph flat(model);
  Shown shown;
  std::vector<const graph::Site*> sites;
  for (const auto& site : flat.sites()) {
    shown.keys.push_back(site->key);
    sites.push_back(site.get());
  }
  shown.resolved = autocast::resolve_for(policy, sites, train::capabilities(c10::Device(c10::kCPU)));
  return shown;
}

policy::Policy read_policy(const std::string& file) {
  policy::Policy policy = policy::parse_policy(read_text(file), file);
  graph::check_ops(policy, file);
  return policy;
}

const char* kind_text(policy::Decision::Kind kind) {
  using Kind = policy::Decision::Kind;
  switch (kind) {
    case Kind::kFormat:
      return "";
    case Kind::kPromote:
      return "promote";
    case Kind::kFollow:
      return "follow";
    case Kind::kSetDtype:
    case Kind::kAppendDtype:
      return "float32 result";
    case Kind::kBanned:
      return "banned";
    case Kind::kLeave:
      return "as it comes";
  }
  return "";
}

const char* severity_text(const policy::Finding& finding) {
  return finding.severity == policy::Finding::Severity::kNote ? "note" : "warning";
}

void print_findings(const std::vector<policy::Finding>& findings) {
  for (const policy::Finding& finding : findings) {
    std::printf("%s: %s\n", severity_text(finding), finding.message.c_str());
  }
}

}  // namespace

int policy_check(const PolicyOptions& options) {
  const policy::Policy policy = read_policy(options.file);
  std::vector<policy::Finding> findings;
  if (!options.model.empty()) findings = shown_for(policy, options.model).resolved.findings;
  if (options.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const policy::Finding& finding : findings)
      list.push_back({{"severity", severity_text(finding)}, {"rule", finding.rule}, {"message", finding.message}});
    std::printf(
        "%s\n",
        nlohmann::ordered_json{{"event", "checked"}, {"file", options.file}, {"findings", list}}.dump().c_str());
  } else {
    print_findings(findings);
    std::printf("%s is a valid policy%s\n", options.file.c_str(),
                options.model.empty() ? "; give a model to see what its rules match" : "");
  }
  return kDone;
}

int policy_show(const PolicyOptions& options) {
  const policy::Policy policy = read_policy(options.file);
  const Shown shown = shown_for(policy, options.model);
  for (std::size_t i = 0; i < shown.keys.size(); ++i) {
    const policy::Decision& decision = shown.resolved.sites[i];
    const std::string format = decision.kind == policy::Decision::Kind::kFormat ? formats::name(decision.format) : "";
    if (options.json) {
      const nlohmann::ordered_json line{{"event", "site"},
                                        {"site", shown.keys[i].name()},
                                        {"treatment", format.empty() ? kind_text(decision.kind) : "format"},
                                        {"format", format},
                                        {"execution", policy::name(decision.execution)},
                                        {"rule", decision.rule}};
      std::printf("%s\n", line.dump().c_str());
    } else {
      std::printf("%-56s %s%s%s\n", shown.keys[i].name().c_str(), format.c_str(), kind_text(decision.kind),
                  decision.execution == policy::Execution::kEmulated ? " (emulated)" : "");
    }
  }
  if (!options.json) print_findings(shown.resolved.findings);
  return kDone;
}

}  // namespace binade::host
