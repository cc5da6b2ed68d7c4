// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/name_pattern.h"

#include "engine/formats/error.h"
#include "engine/formats/printable.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace binade::targets {

namespace {

constexpr std::size_t kBytes = 256;
constexpr std::size_t kLongestPattern = 20000;
constexpr int kDeepestGroup = 50;

std::size_t byte_of(char c) {
  return static_cast<unsigned char>(c);
}

void add_range(std::vector<bool>& set, char first, char last) {
  for (std::size_t i = byte_of(first); i <= byte_of(last); ++i) set[i] = true;
}

}  // namespace

/// Builds an automaton with one state a node (Thompson's construction).
class NamePatternParser {
 public:
  NamePatternParser(std::string_view pattern, const std::string& source, NamePattern& out)
      : pattern_(pattern), rest_(pattern), source_(source), out_(out) {}

  void run() {
    if (pattern_.size() > kLongestPattern) fail("is longer than 20000 characters");
    const Part whole = either(0);
    if (!rest_.empty()) fail("closes a group that it does not open");
    link(whole, add(Kind::kFound));
    out_.first_ = whole.first;
  }

 private:
  using Kind = NamePattern::Node::Kind;
  /// A part of the automaton. Its last node leads nowhere yet.
  struct Part {
    std::size_t first = 0;
    std::size_t last = 0;
  };

  Part either(int depth) {
    if (depth > kDeepestGroup) fail("nests groups too deeply");
    Part part = sequence(depth);
    while (take('|')) {
      const Part other = sequence(depth);
      const std::size_t fork = add(Kind::kEither);
      const std::size_t end = add(Kind::kNothing);
      out_.nodes_[fork].next = part.first;
      out_.nodes_[fork].other = other.first;
      link(part, end);
      link(other, end);
      part = {fork, end};
    }
    return part;
  }

  Part sequence(int depth) {
    const std::size_t begin = add(Kind::kNothing);
    Part part{begin, begin};
    while (!rest_.empty() && rest_.front() != '|' && rest_.front() != ')') {
      const Part next = repeated(depth);
      link(part, next.first);
      part.last = next.last;
    }
    return part;
  }

  Part repeated(int depth) {
    Part part = single(depth);
    while (!rest_.empty() && (rest_.front() == '*' || rest_.front() == '+' || rest_.front() == '?')) {
      const char sign = rest_.front();
      rest_.remove_prefix(1);
      const std::size_t fork = add(Kind::kEither);
      const std::size_t end = add(Kind::kNothing);
      out_.nodes_[fork].next = part.first;
      out_.nodes_[fork].other = end;
      link(part, sign == '?' ? end : fork);
      part = {sign == '+' ? part.first : fork, end};
      take('?');  // a lazy repetition matches the same names
    }
    if (!rest_.empty() && rest_.front() == '{') fail("has a count in braces");
    return part;
  }

  Part single(int depth) {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    switch (c) {
      case '(': {
        if (take('?') && !take(':')) fail("has a group other than (...) and (?:...)");
        const Part part = either(depth + 1);
        if (!take(')')) fail("does not close a group");
        return part;
      }
      case '[':
        return characters(bracket());
      case '.': {
        std::vector<bool> set(kBytes, true);
        set[byte_of('\n')] = false;
        return characters(std::move(set));
      }
      case '^':
        return node(Kind::kBegin);
      case '$':
        return node(Kind::kEnd);
      case '\\':
        return characters(escape());
      case '*':
      case '+':
      case '?':
        fail("repeats nothing");
      default: {
        std::vector<bool> set(kBytes);
        set[byte_of(c)] = true;
        return characters(std::move(set));
      }
    }
  }

  std::vector<bool> escape() {
    if (rest_.empty()) fail("ends in a backslash");
    const char c = rest_.front();
    rest_.remove_prefix(1);
    std::vector<bool> set(kBytes);
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (c == 'd' || c == 'w') add_range(set, '0', '9');
    if (c == 'w') {
      add_range(set, 'a', 'z');
      add_range(set, 'A', 'Z');
      set[byte_of('_')] = true;
    }
    if (c == 's') {
      for (const char space : {' ', '\t', '\n', '\r', '\f', '\v'}) set[byte_of(space)] = true;
    }
    if (letter && c != 'd' && c != 'w' && c != 's') fail(std::string("has \\") + c);
    if (!letter) set[byte_of(c)] = true;
    return set;
  }

  std::vector<bool> bracket() {
    std::vector<bool> set(kBytes);
    const bool others = take('^');
    bool first = true;
    while (!rest_.empty() && (first || rest_.front() != ']')) {
      first = false;
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '\\') {
        const std::vector<bool> escaped = escape();
        for (std::size_t i = 0; i < kBytes; ++i) set[i] = set[i] || escaped[i];
      } else if (rest_.size() >= 2 && rest_[0] == '-' && rest_[1] != ']') {
        add_range(set, c, rest_[1]);
        rest_.remove_prefix(2);
      } else {
        set[byte_of(c)] = true;
      }
    }
    if (!take(']')) fail("does not close a class");
    if (others) set.flip();
    return set;
  }

  Part characters(std::vector<bool> set) {
    const Part part = node(Kind::kCharacters);
    out_.nodes_[part.first].characters = std::move(set);
    return part;
  }

  Part node(Kind kind) {
    const std::size_t index = add(kind);
    return {index, index};
  }

  std::size_t add(Kind kind) {
    out_.nodes_.emplace_back().kind = kind;
    return out_.nodes_.size() - 1;
  }

  void link(const Part& part, std::size_t next) { out_.nodes_[part.last].next = next; }

  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorCode::kBadPolicy,
                source_ + ": the pattern \"" + formats::printable(pattern_.substr(0, 80)) + "\" " + what,
                "Patterns may have . [a-z] \\d \\w \\s ( ) | * + ? ^ and $.");
  }

  std::string_view pattern_;
  std::string_view rest_;
  const std::string& source_;
  NamePattern& out_;
};

NamePattern::NamePattern(std::string_view pattern, const std::string& source) {
  NamePatternParser(pattern, source, *this).run();
}

bool NamePattern::reach(std::size_t node, std::size_t at, std::size_t size, std::vector<std::size_t>& active,
                        std::vector<bool>& seen) const {
  std::vector<std::size_t> open{node};
  while (!open.empty()) {
    const std::size_t index = open.back();
    open.pop_back();
    if (seen[index]) continue;
    seen[index] = true;
    const Node& here = nodes_[index];
    switch (here.kind) {
      case Node::Kind::kFound:
        return true;
      case Node::Kind::kCharacters:
        active.push_back(index);
        break;
      case Node::Kind::kEither:
        open.push_back(here.other);
        open.push_back(here.next);
        break;
      case Node::Kind::kBegin:
        if (at == 0) open.push_back(here.next);
        break;
      case Node::Kind::kEnd:
        if (at == size) open.push_back(here.next);
        break;
      case Node::Kind::kNothing:
        open.push_back(here.next);
        break;
    }
  }
  return false;
}

bool NamePattern::matches(std::string_view name, bool at_start) const {
  std::vector<std::size_t> active;
  for (std::size_t at = 0; at <= name.size(); ++at) {
    std::vector<std::size_t> next;
    std::vector<bool> seen(nodes_.size());
    if (at > 0) {
      for (const std::size_t index : active) {
        const bool fits = nodes_[index].characters[byte_of(name[at - 1])];
        if (fits && reach(nodes_[index].next, at, name.size(), next, seen)) return true;
      }
    }
    if ((at == 0 || !at_start) && reach(first_, at, name.size(), next, seen)) return true;
    active = std::move(next);
    if (active.empty() && at_start) return false;
  }
  return false;
}

std::vector<std::string> NamePattern::beginnings(bool at_start) const {
  constexpr std::size_t kMostSteps = 100'000;  // repetitions go on for ever
  constexpr std::size_t kLongest = 500;
  const std::vector<std::string> nothing_known{""};
  struct Walk {
    std::size_t node;
    std::string text;
    bool anchored;  ///< the text is the beginning of the name
  };
  std::vector<Walk> open{{first_, {}, at_start}};
  std::set<std::string> found;
  for (std::size_t step = 0; !open.empty(); ++step) {
    if (step == kMostSteps) return nothing_known;
    Walk walk = std::move(open.back());
    open.pop_back();
    const Node& here = nodes_[walk.node];
    walk.node = here.next;
    switch (here.kind) {
      case Node::Kind::kEither:
        open.push_back({here.other, walk.text, walk.anchored});
        open.push_back(std::move(walk));
        break;
      case Node::Kind::kNothing:
        open.push_back(std::move(walk));
        break;
      case Node::Kind::kBegin:
        if (!walk.text.empty()) break;  // no name gets here
        walk.anchored = true;
        open.push_back(std::move(walk));
        break;
      case Node::Kind::kCharacters: {
        if (!walk.anchored) return nothing_known;
        const auto first = std::find(here.characters.begin(), here.characters.end(), true);
        const bool single = first != here.characters.end() &&
                            std::find(std::next(first), here.characters.end(), true) == here.characters.end();
        if (!single || walk.text.size() == kLongest) {
          found.insert(std::move(walk.text));
          break;
        }
        walk.text += static_cast<char>(static_cast<unsigned char>(first - here.characters.begin()));
        open.push_back(std::move(walk));
        break;
      }
      case Node::Kind::kEnd:
      case Node::Kind::kFound:
        if (!walk.anchored) return nothing_known;
        found.insert(std::move(walk.text));
        break;
    }
  }
  return {found.begin(), found.end()};
}

std::string escaped_pattern(std::string_view text) {
  std::string pattern;
  for (const char c : text) {
    if (std::string_view(".^$*+?()[]{}|\\").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

}  // namespace binade::targets
