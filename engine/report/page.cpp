// SPDX-License-Identifier: Apache-2.0
#include "engine/report/page.h"

#include "engine/report/style.h"

namespace binade::report {

std::string page_of(const std::string& title, const Html& head, const std::vector<Section>& sections) {
  std::string page =
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>";
  page += text(title).markup + "</title>\n<style>\n" + style_sheet() + "</style>\n</head>\n<body>\n<main>\n";
  page += "<header>\n" + head.markup + "</header>\n<nav><ol>\n";
  for (const Section& section : sections)
    page += "<li><a href=\"#" + section.id + "\">" + text(section.title).markup + "</a></li>\n";
  page += "</ol></nav>\n";
  for (const Section& section : sections)
    page += "<section>\n" + heading(2, section.id, section.title).markup + section.body.markup + "</section>\n";
  return page + "</main>\n</body>\n</html>\n";
}

}  // namespace binade::report
