// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/checked_text.h"

#include "engine/formats/error.h"
#include "engine/policy/decide.h"
#include "engine/policy/finding_text.h"
#include "engine/policy/inner_reach.h"

#include <algorithm>
#include <set>
#include <string>

namespace binade::targets {

namespace {

/// Whether a finding concerns the whole file: those on the loss scaler do.
bool declares_scaler(const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.kind == Finding::Kind::kInexpressible && finding.sites.empty();
  });
}

Proof proof_of(const Target& target, const Written& written, const Assignment& assignment) {
  const std::string fault = "The target " + std::string(target.name) + " wrote a text that ";
  constexpr const char* kReport = "This is a bug in Binade. Please report it with the policy and the model.";
  Proof proof;
  try {
    proof = prove(target, written, assignment);
  } catch (const Error& error) {
    throw Error(ErrorCode::kInternal, fault + "it cannot read: " + error.what() + ". Nothing was written", kReport);
  }
  if (!proof.undeclared.empty()) {
    throw Error(ErrorCode::kInternal,
                fault + "treats op calls in another way without saying so: " + policy::first_of(proof.undeclared) +
                    ". Nothing was written",
                kReport);
  }
  if (!proof.scaler_equal && !declares_scaler(written.findings)) {
    throw Error(ErrorCode::kInternal, fault + "sets another loss scaler without saying so. Nothing was written",
                kReport);
  }
  return proof;
}

/// What CUDA's list says of a recurrent layer ends at the layer's arguments and results.
void note_recurrent_layers(const Assignment& assignment, std::vector<Finding>& findings) {
  Findings notes;
  for (std::size_t i = 0; i < assignment.keys.size(); ++i) {
    const policy::Decision& decision = assignment.table.sites[i];
    const bool by_list = decision.rule < 0 && decision.kind == policy::Decision::Kind::kFormat;
    if (!by_list || !policy::runs_as_cudnn(assignment.table.lists_of(decision), assignment.keys[i].op)) continue;
    notes.add(Finding::Kind::kNote,
              "on CUDA a recurrent layer is one op of cuDNN, in " + formats::name(decision.format) +
                  ": cuDNN decides what it computes inside, and changes of other ops do not act there",
              assignment.keys[i].name());
  }
  findings.insert(findings.end(), notes.list().begin(), notes.list().end());
}

/// The op calls that the target names in a deviation although the text treats them as a whole like the policy: the
/// deviation is inside them.
std::set<std::string> declared_inside(const Proof& proof, const std::vector<Finding>& findings) {
  std::set<std::string> names;
  for (const Finding& finding : findings) {
    if (finding.kind == Finding::Kind::kInexpressible) names.insert(finding.sites.begin(), finding.sites.end());
  }
  for (const std::string& different : proof.different) names.erase(different);
  return names;
}

/// Rules for single op calls cannot replace a change of an op inside others. Adds a finding unless the target has
/// declared all op calls that this concerns.
void declare_lost_inside(const Assignment& assignment, const Proof& proof, std::vector<Finding>& findings) {
  if (proof.lost_inside.empty()) return;
  const std::set<std::string> declared = declared_inside(proof, findings);
  std::set<std::string> ops;  // that run the changed ones
  bool all_declared = !assignment.places.empty();
  for (std::size_t i = 0; i < assignment.places.size(); ++i) {
    const bool reached = std::any_of(proof.lost_inside.begin(), proof.lost_inside.end(), [&](const std::string& key) {
      return policy::op_change_reaches_inside(key, assignment.keys[i], assignment.places[i], assignment.table,
                                              assignment.table.sites[i]);
    });
    if (!reached) continue;
    ops.insert(assignment.keys[i].op);
    all_declared = all_declared && declared.contains(assignment.keys[i].name());
  }
  if (all_declared) return;
  const std::string named = ops.empty() ? "" : " (" + policy::first_of({ops.begin(), ops.end()}) + ")";
  findings.push_back({Finding::Kind::kInexpressible,
                      "changes of ops (" + policy::first_of(proof.lost_inside) +
                          ") also act inside op calls that run other ops" + named +
                          "; the file does not state them there",
                      {}});
}

}  // namespace

bool deviates(const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.kind == Finding::Kind::kInexpressible; });
}

bool CheckedText::exact() const {
  return !deviates(written.findings) && (!proof || proof->exact());
}

CheckedText checked_text(const Target& target, const Assignment& assignment) {
  CheckedText text{target.write(assignment), std::nullopt};
  note_recurrent_layers(assignment, text.written.findings);
  if (target.read == nullptr) return text;
  text.proof = proof_of(target, text.written, assignment);
  declare_lost_inside(assignment, *text.proof, text.written.findings);
  return text;
}

}  // namespace binade::targets
