// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/flat_graph.h"
#include "engine/policy/resolve.h"
#include "engine/policy_tools/model_calls.h"

#include <memory>
#include <string>
#include <vector>

namespace binade::host {

/// Returns the policy named on the command line: a policy file, or an unedited base list such as `cuda-amp`. `usage` is
/// the command's form, `policy show POLICY [MODEL]`. Throws Error{kUsage} if `text` names a model, Error{kBadFile} if
/// there is no such file, and what parse_policy and check_ops throw.
policy::Policy named_policy(const std::string& text, const std::string& usage);

/// Returns whether `text` names a policy and not a model: a base list, or a file of JSON.
bool names_policy(const std::string& text);

/// The op calls of a model, for the tables that policies make of them.
class ModelSites {
 public:
  /// `model` is a TorchScript file or `sample:NAME`. Throws what open_model and FlatGraph throw.
  explicit ModelSites(const std::string& model);

  const std::vector<policy::SiteKey>& keys() const { return keys_; }
  const std::vector<policy::SitePlace>& places() const { return places_; }  ///< parallel to keys()
  std::vector<std::string> sources() const;                                 ///< parallel to keys(): `model.py:42`

  /// These op calls for the tools that change policies.
  policy_tools::ModelCalls calls() const;

  /// Resolves `policy` for these op calls on the CPU, for display. Ops that write an argument are shown as following
  /// it. Rules for the loss get a note that they were not checked.
  policy::Resolved resolve(const policy::Policy& policy) const;

 private:
  std::unique_ptr<graph::FlatGraph> graph_;
  std::vector<const graph::Site*> sites_;
  std::vector<policy::SiteKey> keys_;
  std::vector<policy::SitePlace> places_;
};

}  // namespace binade::host
