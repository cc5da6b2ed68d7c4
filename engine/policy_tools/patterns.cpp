// SPDX-License-Identifier: Apache-2.0
#include "engine/policy_tools/patterns.h"

#include <cstddef>
#include <string_view>

namespace binade::policy_tools {

namespace {

constexpr std::size_t kIndicesInAnyMix = 3;  ///< with more indices in a path, one or all of them become `*`

using Segments = std::vector<std::string>;

Segments split(std::string_view path) {
  Segments segments;
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    segments.emplace_back(path.substr(0, dot));
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return segments;
}

/// `layer*` for `layer1`, `*` for `3`; empty for a segment without an index at its end.
std::string starred(const std::string& segment) {
  const std::size_t last = segment.find_last_not_of("0123456789");
  const std::size_t length = last == std::string::npos ? 0 : last + 1;
  return length == segment.size() ? std::string() : segment.substr(0, length) + "*";
}

std::string joined(const Segments& segments, std::size_t length) {
  std::string path;
  for (std::size_t i = 0; i < length; ++i) path += (i == 0 ? "" : ".") + segments[i];
  return path;
}

/// The paths that differ from `segments` in their indices: for every mix of a few indices, or else for each index
/// alone and for all.
std::vector<Segments> variants_of(const Segments& segments) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (!starred(segments[i]).empty()) indices.push_back(i);
  }
  std::vector<std::vector<std::size_t>> mixes;
  if (indices.size() <= kIndicesInAnyMix) {
    for (unsigned mix = 1; mix < 1U << indices.size(); ++mix) {
      std::vector<std::size_t>& chosen = mixes.emplace_back();
      for (std::size_t i = 0; i < indices.size(); ++i) {
        if ((mix >> i & 1U) != 0) chosen.push_back(indices[i]);
      }
    }
  } else {
    for (const std::size_t index : indices) mixes.push_back({index});
    mixes.push_back(indices);
  }
  std::vector<Segments> variants;
  for (const std::vector<std::size_t>& mix : mixes) {
    Segments& variant = variants.emplace_back(segments);
    for (const std::size_t index : mix) variant[index] = starred(segments[index]);
  }
  return variants;
}

}  // namespace

void add_patterns_of(const policy::SiteKey& site, std::set<PatternText>& patterns) {
  const Segments segments = split(site.path);
  const std::string every = "/" + site.op + "#*";
  for (std::size_t length = 1; length <= segments.size(); ++length) {
    const std::string module = joined(segments, length);
    patterns.insert({Form::kModule, module});
    patterns.insert({Form::kCallsOfOp, module + "*" + every});
    patterns.insert({Form::kCallsOfOp, module + ".*" + every});
  }
  const std::string method = site.method.empty() ? "" : "::" + site.method;
  const std::string call = method + "/" + site.op + "#";
  const std::string number = std::to_string(site.ordinal);
  if (!site.path.empty() || !method.empty()) patterns.insert({Form::kCall, site.path + call + "*"});
  const std::vector<Segments> variants = variants_of(segments);
  for (const Segments& variant : variants) {
    for (std::size_t length = 1; length <= variant.size(); ++length) {
      if (variant[length - 1] != segments[length - 1]) patterns.insert({Form::kModules, joined(variant, length)});
    }
    const std::string path = joined(variant, variant.size());
    patterns.insert({Form::kModules, path});
    patterns.insert({Form::kCall, path + call + number});
    patterns.insert({Form::kCall, path + call + "*"});
  }
  if (site.path.empty() && method.empty()) patterns.insert({Form::kCall, site.op + "#*"});
  patterns.insert({Form::kCallsOfModel, "*" + every});
  patterns.insert({Form::kEverything, "*"});
}

}  // namespace binade::policy_tools
