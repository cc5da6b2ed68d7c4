// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/checked_text.h"

#include "engine/formats/error.h"
#include "engine/policy/finding_text.h"

#include <algorithm>
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

/// Rules for single op calls cannot replace a change of an op inside others, so no target can say this by itself.
void declare_lost_inside(const Proof& proof, std::vector<Finding>& findings) {
  if (proof.lost_inside.empty()) return;
  findings.push_back({Finding::Kind::kInexpressible,
                      "changes of ops (" + policy::first_of(proof.lost_inside) +
                          ") also act inside op calls that run other ops, such as an LSTM; the file does not state "
                          "them there",
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
  if (target.read == nullptr) return text;
  text.proof = proof_of(target, text.written, assignment);
  declare_lost_inside(*text.proof, text.written.findings);
  return text;
}

}  // namespace binade::targets
