// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/site_match.h"

#include <string>

namespace binade::policy {

namespace {

/// `*` matches any characters, none too; linear in practice, never worse than the product of the lengths.
bool glob(std::string_view pattern, std::string_view text) {
  if (pattern.find('*') == std::string_view::npos) return pattern == text;
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;  // the last `*` met, and how much of the text it has taken
  std::size_t taken = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++taken;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

/// Whether `pattern` matches the path of the site's module or of a module around it.
bool matches_subtree(std::string_view pattern, std::string_view path) {
  for (std::string_view module = path; !module.empty();) {
    if (glob(pattern, module)) return true;
    const std::size_t dot = module.rfind('.');
    module = dot == std::string_view::npos ? std::string_view() : module.substr(0, dot);
  }
  return glob(pattern, "");  // the root, around everything
}

}  // namespace

std::string SiteKey::name() const {
  std::string text = path;
  if (!method.empty()) text += "::" + method;
  if (!text.empty()) text += "/";  // the root's own sites are `aten::mul#0`
  return text + op + "#" + std::to_string(ordinal);
}

bool matches(std::string_view match, const SiteKey& site) {
  return matches(match, site, site.name());
}

bool matches(std::string_view match, const SiteKey& site, std::string_view name) {
  const bool names_op_call = match.find('/') != std::string_view::npos || match.find('#') != std::string_view::npos;
  if (names_op_call) {
    if (glob(match, name)) return true;
    if (!site.path.empty() || !site.method.empty()) return false;
    return glob(match, "/" + std::string(name));  // `*/aten::mul#*` is the root's too
  }
  const std::size_t colons = match.rfind("::");
  if (colons == std::string_view::npos) return matches_subtree(match, site.path);
  // `path::method`: what that module calls in that method. Modules inside it have paths of their own.
  return glob(match.substr(0, colons), site.path) && glob(match.substr(colons + 2), site.method) &&
         !site.method.empty();
}

}  // namespace binade::policy
