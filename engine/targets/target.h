// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"
#include "engine/policy/resolve.h"
#include "engine/targets/finding.h"
#include "engine/wire/run_config.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace binade::targets {

/// What a target writes: a policy, its meaning for each op call of a model, and the loss scaler of a run. A plain
/// value, except that `places` point into the model that they come from.
struct Assignment {
  std::string model;  ///< file of the model, for headers of files; empty for settings without a model
  policy::Policy policy;
  policy::Resolved table;  ///< policy::resolve() of `keys` and `places`, for a device that has every format
  std::vector<policy::SiteKey> keys;
  std::vector<policy::SitePlace> places;     ///< parallel to `keys`
  std::vector<std::string> sources;          ///< parallel to `keys`: `model.py:42`; empty without debug information
  std::optional<wire::ScalerConfig> scaler;  ///< empty: unknown, because no run was given

  /// Whether an op call only shares its argument's memory, so that no rule casts it.
  bool is_view(std::size_t site) const { return !places.empty() && places[site].view; }
};

/// A file in the format of a target.
struct Written {
  std::string text;
  std::vector<Finding> findings;  ///< with one kInexpressible for each kind of thing that the format cannot say
};

/// A target as read back: the policy that its text states, for the op calls of a model.
struct Read {
  policy::Policy policy;
  std::optional<wire::ScalerConfig> scaler;
  std::vector<Finding> findings;  ///< what was in the text and has no counterpart in a policy
};

/// Texts of the files beside a text, by file name.
using TextsBeside = std::map<std::string, std::string>;

/// A file format of another program, or for people, that a policy can be written in.
struct Target {
  std::string_view name;    ///< on the command line: `modelopt`
  std::string_view title;   ///< in the window: `NVIDIA ModelOpt AutoCast`
  std::string_view suffix;  ///< `.yaml`
  std::string_view doc;     ///< one sentence: what reads the file, and the version it was written for
  Written (*write)(const Assignment& assignment) = nullptr;
  /// Null: the target is for people only and cannot be read. `source` is the file's name, for messages. Throws
  /// Error{kBadPolicy}, naming line or field, if the text is not in the format.
  Read (*read)(std::string_view text, const std::string& source, const Assignment& model) = nullptr;

  // Of targets whose text may name other files that belong to it; both null for all others. read_text() calls them.

  /// The names of these files, without folders. Throws as `read` does.
  std::vector<std::string> (*files_beside)(std::string_view text) = nullptr;
  /// Reads the text with those of its files that exist. Throws as `read` does, also if a file is missing that the text
  /// cannot be read without.
  Read (*read_with_files)(std::string_view text, const std::string& source, const TextsBeside& beside,
                          const Assignment& model) = nullptr;
};

/// All targets, in the order of the guide. Each `*_target.cpp` defines one.
const std::vector<Target>& targets();

/// The target of that name, which lives until the program ends. Null for an unknown name.
const Target* find_target(std::string_view name);

}  // namespace binade::targets
