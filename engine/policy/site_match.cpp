// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/site_match.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace binade::policy {

/// Linear in practice; at worst the product of the two lengths.
bool matches_text(std::string_view pattern, std::string_view text) {
  if (pattern.find('*') == std::string_view::npos) return pattern == text;
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;  // position of the last `*`
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

namespace {

/// Whether `pattern` matches the path of the site's module or of an enclosing module.
bool matches_subtree(std::string_view pattern, std::string_view path) {
  if (pattern.find('*') == std::string_view::npos) {
    const bool begins = path.starts_with(pattern);  // the root, which has no name, encloses every module
    return begins && (pattern.empty() || path.size() == pattern.size() || path[pattern.size()] == '.');
  }
  for (std::string_view module = path; !module.empty();) {
    if (matches_text(pattern, module)) return true;
    const std::size_t dot = module.rfind('.');
    module = dot == std::string_view::npos ? std::string_view() : module.substr(0, dot);
  }
  return matches_text(pattern, "");  // the root encloses every module
}

}  // namespace

std::string SiteKey::name() const {
  std::string text = path;
  if (!method.empty()) text += "::" + method;
  if (!text.empty()) text += "/";  // the root's sites have no slash: `aten::mul#0`
  return text + op + "#" + std::to_string(ordinal);
}

SiteKey site_key(std::string_view name) {
  SiteKey key;
  const std::size_t number = name.rfind('#');
  if (number != std::string_view::npos) {
    const std::string_view digits = name.substr(number + 1);
    std::from_chars(digits.data(), digits.data() + digits.size(), key.ordinal);
    name = name.substr(0, number);
  }
  const std::size_t slash = name.rfind('/');
  key.op = name.substr(slash == std::string_view::npos ? 0 : slash + 1);
  if (slash == std::string_view::npos) return key;
  std::string_view module = name.substr(0, slash);
  if (const std::size_t colons = module.rfind("::"); colons != std::string_view::npos) {
    key.method = module.substr(colons + 2);
    module = module.substr(0, colons);
  }
  key.path = module;
  return key;
}

const std::string& SiteNames::operator[](std::size_t site) const {
  std::string& name = names_[site];
  if (name.empty()) name = sites_[site].name();
  return name;
}

const std::vector<std::string>& SiteNames::all() const {
  for (std::size_t i = 0; i < names_.size(); ++i) (*this)[i];
  return names_;
}

namespace {

/// Whether a match is for op calls, not modules.
bool names_op_call(std::string_view match) {
  return match.find('/') != std::string_view::npos || match.find('#') != std::string_view::npos;
}

/// Whether `match` equals the site's name; a leading slash is allowed for the root's sites.
bool is_name(std::string_view match, const SiteKey& site) {
  const auto take = [&match](std::string_view part) {
    if (!match.starts_with(part)) return false;
    match.remove_prefix(part.size());
    return true;
  };
  if (site.path.empty() && site.method.empty()) {
    take("/");
  } else if (!take(site.path) || (!site.method.empty() && !(take("::") && take(site.method))) || !take("/")) {
    return false;
  }
  return take(site.op) && take("#") && match == std::to_string(site.ordinal);
}

bool matches_call(std::string_view match, const SiteKey& site, const std::string& name) {
  if (matches_text(match, name)) return true;
  if (!site.path.empty() || !site.method.empty()) return false;
  return matches_text(match, "/" + name);  // so that `*/aten::mul#*` matches the root's sites
}

bool matches_module(std::string_view match, const SiteKey& site) {
  const std::size_t colons = match.rfind("::");
  if (colons == std::string_view::npos) return matches_subtree(match, site.path);
  // `path::method` matches what that module calls in that method. Modules inside it have paths of their own.
  return matches_text(match.substr(0, colons), site.path) && matches_text(match.substr(colons + 2), site.method) &&
         !site.method.empty();
}

}  // namespace

bool matches(std::string_view match, const SiteKey& site) {
  const std::span<const SiteKey> alone(&site, 1);
  return SiteMatch(match)(alone, 0, SiteNames(alone));
}

bool speaks_of_loss(const SiteRule& rule) {
  const std::string& match = rule.match;
  return match == "loss" || match.starts_with("loss/") || match.starts_with("loss.") || match.starts_with("loss*");
}

SiteMatch::SiteMatch(std::string_view match)
    : match_(match), names_call_(names_op_call(match)), exact_(match.find('*') == std::string_view::npos) {}

bool SiteMatch::operator()(std::span<const SiteKey> sites, std::size_t site, const SiteNames& names) const {
  const SiteKey& key = sites[site];
  if (!names_call_) return matches_module(match_, key);
  if (!exact_) return matches_call(match_, key, names[site]);
  // Comparing the last digit first rejects most sites.
  return match_.back() == static_cast<char>('0' + key.ordinal % 10) && is_name(match_, key);
}

std::string match_in_captured(std::string_view match, std::span<const SiteKey> sites) {
  const bool of_root = match.find('/') == std::string_view::npos && match.find('#') != std::string_view::npos;
  std::string captured = std::string(of_root ? "model/" : "model.").append(match);
  const bool any =
      std::any_of(sites.begin(), sites.end(), [&captured](const SiteKey& site) { return matches(captured, site); });
  return any ? captured : std::string();
}

}  // namespace binade::policy
