// SPDX-License-Identifier: Apache-2.0
#include "engine/report/html.h"

#include "engine/formats/quoting.h"
#include "engine/wire/utf8.h"

#include <utility>

namespace binade::report {

namespace {

constexpr const char* kHexDigits = "0123456789abcdef";

/// U+FFFE and U+FFFF are valid UTF-8, but no characters of XML.
bool is_noncharacter(std::string_view plain, std::size_t at) {
  return plain.compare(at, 3, "\xef\xbf\xbe") == 0 || plain.compare(at, 3, "\xef\xbf\xbf") == 0;
}

}  // namespace

Html text(std::string_view plain) {
  std::string valid;
  if (!wire::is_utf8(plain)) {
    valid = wire::valid_utf8(plain);
    plain = valid;
  }
  std::string escaped;
  escaped.reserve(plain.size());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const auto each = static_cast<unsigned char>(plain[i]);
    if (const std::string_view entity = formats::html_entity(plain[i]); !entity.empty()) {
      escaped += entity;
    } else if ((each < 0x20 && each != '\n' && each != '\t') || each == 0x7f) {
      escaped += {'\\', 'x', kHexDigits[each >> 4], kHexDigits[each & 15]};
    } else if (each == 0xef && is_noncharacter(plain, i)) {
      escaped += "\xef\xbf\xbd";
      i += 2;
    } else {
      escaped += plain[i];
    }
  }
  return {escaped};
}

Html element(const char* name, const Html& content, const char* style) {
  const std::string tag = name;
  const std::string attribute = *style == '\0' ? "" : std::string(" class=\"") + style + "\"";
  return {"<" + tag + attribute + ">" + content.markup + "</" + tag + ">"};
}

Html paragraph(std::string_view plain) {
  return element("p", text(plain));
}

Html note(std::string_view plain) {
  return element("p", text(plain), "note");
}

Html code(std::string_view plain) {
  return element("code", text(plain));
}

Html listing(std::string_view plain) {
  return element("pre", text(plain));
}

Html badge(std::string_view plain, const char* style) {
  const std::string both = std::string("badge ") + style;
  return element("span", text(plain), both.c_str());
}

Html heading(int level, std::string_view id, std::string_view plain) {
  const std::string tag = "h" + std::to_string(level);
  const std::string anchor = text(id).markup;
  return {"<" + tag + " id=\"" + anchor + "\"><a href=\"#" + anchor + "\">" + text(plain).markup + "</a></" + tag +
          ">\n"};
}

void Table::add(const std::vector<Html>& cells) {
  body_ += "<tr>";
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    body_ += columns_[i].is_number ? "<td class=\"n\">" : "<td>";
    if (i < cells.size()) body_ += cells[i].markup;
    body_ += "</td>";
  }
  body_ += "</tr>\n";
  ++rows_;
}

Html Table::html() const {
  std::string head;
  for (const Column& column : columns_) {
    head += column.is_number ? "<th class=\"n\">" : "<th>";
    head += text(column.title).markup + "</th>";
  }
  return {"<div class=\"wide\"><table><thead><tr>" + head + "</tr></thead><tbody>\n" + body_ +
          "</tbody></table></div>\n"};
}

void FactTable::add(std::string_view name, const Html& value) {
  body_ += "<tr><th>" + text(name).markup + "</th><td>" + value.markup + "</td></tr>\n";
}

Html FactTable::html() const {
  return {"<div class=\"wide\"><table class=\"facts\"><tbody>\n" + body_ + "</tbody></table></div>\n"};
}

}  // namespace binade::report
