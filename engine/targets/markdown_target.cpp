// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/policy_page.h"
#include "engine/targets/target_list.h"

#include <string_view>

namespace binade::targets {

namespace {

/// Text without any effect as markup, after CommonMark 0.31: a backslash makes every ASCII punctuation a plain sign.
std::string markdown_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view("\\`*_{}[]<>#|~&!").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

/// Names as code, where the signs in them allow it.
std::string markdown_code(const std::string& text) {
  if (text.empty()) return {};
  return text.find_first_of("`|\\") == std::string::npos ? "`" + text + "`" : markdown_text(text);
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + cell + (cell.empty() ? "|" : " |");
  return row + "\n";
}

/// The heading of a table, with its rule.
std::string markdown_head(const std::vector<std::string>& names) {
  return markdown_row(names) + markdown_row(std::vector<std::string>(names.size(), "---"));
}

std::string markdown_facts(const PolicyPage& page) {
  std::string text;
  for (const auto& [name, fact] : page.facts) text += "- " + name + ": " + markdown_text(fact) + "\n";
  if (page.op_changes.empty()) return text;
  text += "\n## Changes of ops\n\n" + markdown_head({"op", "treatment"});
  for (const auto& [op, change] : page.op_changes) text += markdown_row({markdown_code(op), markdown_code(change)});
  return text;
}

std::string markdown_module(const PolicyPage::Module& module) {
  std::string text = "\n### " + markdown_text(module.path) + "\n\n" +
                     markdown_head({"op call", "runs in", "by the base list", "decided by", "source"});
  for (const PolicyPage::Row& row : module.rows) {
    const bool differs = !row.base.empty();
    const std::string treatment = differs ? "**" + markdown_text(row.treatment) + "**" : markdown_text(row.treatment);
    const std::string by = markdown_text(row.decided_by) + (row.why.empty() ? "" : ": " + markdown_text(row.why));
    text += markdown_row({markdown_code(row.name), treatment, markdown_text(row.base), by, markdown_code(row.source)});
  }
  return text;
}

Written write_markdown(const Assignment& assignment) {
  const PolicyPage page = policy_page(assignment);
  std::string text = "# " + markdown_text(page.title) + "\n\n" + markdown_facts(page);
  if (!page.findings.empty()) {
    text += "\n## Findings\n\n";
    for (const std::string& finding : page.findings) text += "- " + markdown_text(finding) + "\n";
  }
  text += "\n## Op calls\n\nIn bold: op calls that differ from the base list. They come first.\n";
  for (const PolicyPage::Module& module : page.modules) text += markdown_module(module);
  if (!page.words.empty()) {
    text += "\n## Words\n\n";
    for (const auto& [word, meaning] : page.words) {
      text += "- " + markdown_code(word) + ": " + markdown_text(meaning) + "\n";
    }
  }
  return {text, {}};
}

}  // namespace

Target markdown_target() {
  return {.name = "markdown",
          .title = "Page for people (Markdown)",
          .suffix = ".md",
          .doc = "A description of the policy and a table of op calls for people; it cannot be read back.",
          .write = write_markdown,
          .read = nullptr};
}

}  // namespace binade::targets
