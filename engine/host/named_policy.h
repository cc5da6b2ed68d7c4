// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/flat_graph.h"
#include "engine/policy/resolve.h"

#include <memory>
#include <string>
#include <vector>

namespace binade::host {

/// The policy that a person names on the command line: a file, or a base list by its name (`cuda-amp`), unedited.
/// `usage` is the command's form, `policy show POLICY [MODEL]`. Throws Error{kUsage} where a model is named in its
/// place, and what parse_policy and check_ops throw.
policy::Policy named_policy(const std::string& text, const std::string& usage);

/// Whether a rule speaks of a loss, which comes with a run and not with the model.
bool speaks_of_loss(const policy::SiteRule& rule);

/// The op calls of a model, for the tables that policies make of them.
class ModelSites {
 public:
  /// A TorchScript file or `sample:NAME`; throws what open_model and FlatGraph throw.
  explicit ModelSites(const std::string& model);

  const std::vector<policy::SiteKey>& keys() const { return keys_; }
  const std::vector<policy::SitePlace>& places() const { return places_; }  ///< of the same length

  /// What `policy` makes of them on the CPU, to be shown: what writes an argument follows it. A rule for the loss,
  /// which comes with a run, is noted as not checked.
  policy::Resolved resolve(const policy::Policy& policy) const;

 private:
  std::unique_ptr<graph::FlatGraph> graph_;
  std::vector<const graph::Site*> sites_;
  std::vector<policy::SiteKey> keys_;
  std::vector<policy::SitePlace> places_;
};

}  // namespace binade::host
