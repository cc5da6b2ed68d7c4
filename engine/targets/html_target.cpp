// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/quoting.h"
#include "engine/targets/policy_page.h"
#include "engine/targets/target_list.h"

namespace binade::targets {

namespace {

constexpr const char* kHtmlStyle = R"(
:root { color-scheme: light dark; --text: #1d1f23; --dim: #5c626c; --ground: #ffffff; --line: #d5d9df;
        --mark: #fdf3d6; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e6ea; --dim: #a3aab5; --ground: #17191d; --line: #3a3f47; --mark: #3b331c; }
}
body { margin: 2rem auto; max-width: 76rem; padding: 0 1rem; color: var(--text); background: var(--ground);
       font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
dl { display: grid; grid-template-columns: max-content auto; gap: .2rem 1rem; }
dt { color: var(--dim); } dd { margin: 0; }
table { border-collapse: collapse; width: 100%; margin: .4rem 0 1rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem; border-bottom: 1px solid var(--line); }
th { color: var(--dim); font-weight: normal; }
tr.differs { background: var(--mark); } tr.differs td:nth-child(2) { font-weight: bold; }
code { font: .92em ui-monospace, monospace; overflow-wrap: anywhere; }
summary { cursor: pointer; padding: .3rem 0; } summary span { color: var(--dim); }
)";

std::string html_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    const std::string_view entity = formats::html_entity(c);
    if (entity.empty()) {
      escaped += c;
    } else {
      escaped += entity;
    }
  }
  return escaped;
}

std::string html_code(const std::string& text) {
  return text.empty() ? "" : "<code>" + html_text(text) + "</code>";
}

/// A list of names with texts; empty without any.
std::string html_list(const PolicyPage::Texts& texts) {
  if (texts.empty()) return {};
  std::string html = "<dl>\n";
  for (const auto& [name, text] : texts) html += "<dt>" + html_text(name) + "</dt><dd>" + html_text(text) + "</dd>\n";
  return html + "</dl>\n";
}

std::string html_module(const PolicyPage::Module& module) {
  const std::string count = module.different == 0
                                ? "as in the base list"
                                : std::to_string(module.different) + " of " + std::to_string(module.rows.size()) +
                                      " differ from the base list";
  std::string html = std::string("<details") + (module.different > 0 ? " open" : "") + "><summary>" +
                     html_code(module.path) + " <span>" + count + "</span></summary>\n<table>\n" +
                     "<tr><th>op call</th><th>runs in</th><th>by the base list</th><th>decided by</th><th>source</th>" +
                     "</tr>\n";
  for (const PolicyPage::Row& row : module.rows) {
    html += std::string("<tr") + (row.base.empty() ? "" : " class=\"differs\"") + "><td>" + html_code(row.name) +
            "</td><td>" + html_text(row.treatment) + "</td><td>" + html_text(row.base) + "</td><td>" +
            html_text(row.decided_by) + (row.why.empty() ? "" : ": " + html_text(row.why)) + "</td><td>" +
            html_code(row.source) + "</td></tr>\n";
  }
  return html + "</table></details>\n";
}

Written write_html(const Assignment& assignment) {
  const PolicyPage page = policy_page(assignment);
  const std::string title = html_text(page.title);
  // The page runs and loads nothing, whatever a model's names contain.
  std::string html = std::string("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n") +
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src " +
                     "'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>" + title +
                     "</title>\n<style>" + kHtmlStyle + "</style>\n</head>\n<body>\n<h1>" + title + "</h1>\n" +
                     html_list(page.facts);
  if (!page.op_changes.empty()) html += "<h2>Changes of ops</h2>\n" + html_list(page.op_changes);
  if (!page.findings.empty()) {
    html += "<h2>Findings</h2>\n<ul>\n";
    for (const std::string& finding : page.findings) html += "<li>" + html_text(finding) + "</li>\n";
    html += "</ul>\n";
  }
  html += "<h2>Op calls</h2>\n<p>Marked: op calls that differ from the base list. They come first.</p>\n";
  for (const PolicyPage::Module& module : page.modules) html += html_module(module);
  if (!page.words.empty()) html += "<h2>Words</h2>\n" + html_list(page.words);
  return {html + "</body>\n</html>\n", {}};
}

}  // namespace

Target html_target() {
  return {.name = "html",
          .title = "Page for people (HTML)",
          .suffix = ".html",
          .doc = "The same as one HTML file without other files, for light and dark; it cannot be read back.",
          .write = write_html,
          .read = nullptr};
}

}  // namespace binade::targets
