// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/figure_data.h"
#include "engine/lessons/problems.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace binade::lessons {

/// The facts of a lesson's figures, by which `{figure.fact}` in its texts is replaced.
class Facts {
 public:
  /// `kind` names the figure's kind, for messages.
  void add(const std::string& figure, std::string_view kind, FigureData data) {
    figures_.insert_or_assign(figure, Known{std::string(kind), std::move(data)});
  }
  /// A figure that could not be read: its facts are not reported as unknown.
  void add_unread(const std::string& figure) { unread_.insert(figure); }

  /// The text with all facts filled in. Reports unknown figures and facts.
  std::string fill(std::string_view text, std::size_t line, Problems& problems) const;

  /// A number and the text by which the lesson shows it, which may be rounded.
  struct Number {
    double value = 0;
    std::string text;
  };

  /// The number that a whole text stands for: `{figure.fact}`, or a number as numbers::parse_double reads it. Empty,
  /// and reported, for any other text; empty without a report for a fact of an unread figure.
  std::optional<Number> number(std::string_view text, std::size_t line, Problems& problems) const;

 private:
  struct Known {
    std::string kind;
    FigureData data;
  };

  const Fact* find(std::string_view reference, std::size_t line, Problems& problems) const;

  std::map<std::string, Known, std::less<>> figures_;
  std::set<std::string, std::less<>> unread_;
};

}  // namespace binade::lessons
