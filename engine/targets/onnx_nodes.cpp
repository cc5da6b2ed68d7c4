// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/onnx_nodes.h"

#include "engine/targets/name_pattern.h"
#include "engine/targets/op_names.h"

#include <algorithm>
#include <map>
#include <utility>

namespace binade::targets {

namespace {

bool is_index(const std::string& part) {
  return !part.empty() && std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<std::string> path_parts(const std::string& path) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t dot = std::min(path.find('.', begin), path.size());
    parts.push_back(path.substr(begin, dot - begin));
    begin = dot + 1;
  }
  return parts;
}

/// `layers`, `0`, `fc` become `layers.0`, `fc`: an index belongs to its container. `container` is what precedes it.
struct Scope {
  std::string container;
  std::string name;
};

std::vector<Scope> scopes_of(const std::string& path) {
  std::vector<Scope> scopes;
  for (const std::string& part : path_parts(path)) {
    if (is_index(part) && !scopes.empty()) {
      const std::string container = scopes.back().name;
      scopes.back() = {container, container + "." + part};
    } else {
      scopes.push_back({"", part});
    }
  }
  return scopes;
}

std::string number_suffix(std::size_t number) {
  return number == 0 ? "" : "_" + std::to_string(number);
}

}  // namespace

std::vector<OnnxNodes> onnx_nodes(const Assignment& model) {
  std::vector<OnnxNodes> all;
  std::map<std::pair<std::string, std::string>, std::size_t> counts;  // by module and type
  for (const policy::SiteKey& key : model.keys) {
    OnnxNodes nodes;
    nodes.types = names_in("onnx", key.op);
    if (!nodes.types.empty()) nodes.number = counts[{key.path, nodes.types.front()}]++;
    all.push_back(std::move(nodes));
  }
  return all;
}

std::vector<std::string> onnx_names(const std::string& path, const OnnxNodes& nodes) {
  std::string with_containers;
  std::string without;
  for (const Scope& scope : scopes_of(path)) {
    if (!scope.container.empty()) with_containers += "/" + scope.container;
    with_containers += "/" + scope.name;
    without += "/" + scope.name;
  }
  std::vector<std::string> names;
  for (const std::string& type : nodes.types) {
    const std::string node = "/" + type + number_suffix(nodes.number);
    names.push_back(without + node);
    if (with_containers != without) names.push_back(with_containers + node);
  }
  return names;
}

std::string onnx_pattern(const std::string& path, const OnnxNodes& nodes, bool all_of_module) {
  std::string pattern = "^";
  for (const Scope& scope : scopes_of(path)) {
    if (!scope.container.empty()) pattern += "(/" + escaped_pattern(scope.container) + ")?";
    pattern += "/" + escaped_pattern(scope.name);
  }
  std::string types;
  for (const std::string& type : nodes.types) types += (types.empty() ? "" : "|") + type;
  pattern += nodes.types.size() > 1 ? "/(" + types + ")" : "/" + types;
  return pattern + (all_of_module ? "(_\\d+)?" : number_suffix(nodes.number)) + "$";
}

}  // namespace binade::targets
