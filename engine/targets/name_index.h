// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/targets/name_pattern.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace binade::targets {

/// Names of a model, in an order in which a pattern finds those that it matches without a look at most others.
class NameIndex {
 public:
  /// Adds a name of `owner`, an index of the caller, which may have several names.
  void add(std::string name, std::size_t owner) { names_.emplace(std::move(name), owner); }

  /// The owners of names that a pattern matches, as starts() and occurs() do. An owner may be listed several times.
  std::vector<std::size_t> started_by(const NamePattern& pattern) const { return matched(pattern, true); }
  std::vector<std::size_t> containing(const NamePattern& pattern) const { return matched(pattern, false); }

 private:
  std::vector<std::size_t> matched(const NamePattern& pattern, bool at_start) const;

  std::multimap<std::string, std::size_t> names_;
};

}  // namespace binade::targets
