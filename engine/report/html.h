// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Parts of a page as markup, well-formed as XML. Text becomes markup only through text(), which escapes it.

namespace binade::report {

/// Markup. Plain text is not one, so it cannot reach the page without being escaped.
struct Html {
  std::string markup;
  Html& operator+=(const Html& more) {
    markup += more.markup;
    return *this;
  }
  friend Html operator+(Html first, const Html& second) { return first += second; }
};

/// Text as markup. Escapes what has a meaning in XML; control characters other than line breaks and tabs become
/// `\x1b`, and invalid UTF-8 U+FFFD, because XML cannot contain them.
Html text(std::string_view plain);

/// An element without attributes, or with the class `style`.
Html element(const char* name, const Html& content, const char* style = "");

Html paragraph(std::string_view plain);
/// A remark in a quieter tone: what was not recorded, what was left out, how a chart is to be read.
Html note(std::string_view plain);
/// Text in the type of code.
Html code(std::string_view plain);
/// A block of code that keeps its line breaks.
Html listing(std::string_view plain);
/// A short word on a coloured ground; `style`: `good`, `bad` or empty.
Html badge(std::string_view plain, const char* style = "");

/// A heading that links can name.
Html heading(int level, std::string_view id, std::string_view plain);

/// A table that scrolls inside its own box if it is wider than the page.
class Table {
 public:
  struct Column {
    std::string title;
    bool is_number = false;  ///< aligned to the right, with digits of one width
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Adds a row, which has one cell for each column.
  void add(const std::vector<Html>& cells);
  bool empty() const { return rows_ == 0; }
  std::size_t rows() const { return rows_; }
  Html html() const;

 private:
  std::vector<Column> columns_;
  std::string body_;
  std::size_t rows_ = 0;
};

/// A table of names and values, without a head.
class FactTable {
 public:
  void add(std::string_view name, const Html& value);
  bool empty() const { return body_.empty(); }
  Html html() const;

 private:
  std::string body_;
};

}  // namespace binade::report
