// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/code_check.h"

#include "engine/formats/error.h"
#include "engine/graph/failure.h"
#include "engine/graph/unsafe_code.h"

#include <torch/csrc/jit/frontend/lexer.h>
#include <torch/csrc/jit/frontend/parser.h>
#include <torch/csrc/jit/frontend/tree_views.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace binade::graph {

namespace jit = torch::jit;

namespace {

// TorchScript splits lines longer than 40 characters into variables, so its own output nests about ten levels deep.
constexpr std::size_t kDeepestExpression = 1000;
constexpr std::size_t kDeepestBlock = 200;
// TorchScript writes no two empty lines in a row. LibTorch's lexer calls itself for each line without code.
constexpr std::size_t kMostEmptyLines = 10'000;

[[noreturn]] void damaged(const std::string& what, const std::string& why) {
  throw Error(ErrorCode::kBadFile, what + " is not readable TorchScript: " + why,
              "It may be damaged. Copy or export it again.");
}

void unsafe(const std::string& what, const jit::SourceRange& range, const std::string& why) {
  report_unsafe(finding_at(range, why), what + " " + why);
}

std::string place(const jit::SourceRange& range) {
  const auto position = range.file_line_col();
  return position ? " (line " + std::to_string(std::get<1>(*position)) + ")" : std::string();
}

/// Limits the recursion depth of the parser: brackets and blocks, and operators between two commas.
class Depth {
 public:
  explicit Depth(const std::string& what) : what_(what) {}

  void see(int kind) {
    switch (kind) {
      case jit::TK_INDENT:
        if (++blocks_ > kDeepestBlock) refuse("blocks", kDeepestBlock);
        [[fallthrough]];
      case jit::TK_NEWLINE:
        levels_.assign(1, 0);
        sum_ = 0;
        return;
      case jit::TK_DEDENT:
        if (blocks_ > 0) --blocks_;
        return;
      case jit::TK_ELIF:  // the parser nests each elif inside the one before
        if (++elifs_ > kDeepestBlock) refuse("elif branches", kDeepestBlock);
        return;
      case jit::TK_DEF:
        elifs_ = 0;
        return;
      case '(':
      case '[':
      case '{':
        count();
        levels_.push_back(0);
        return;
      case ')':
      case ']':
      case '}':
        if (levels_.size() > 1) {
          sum_ -= levels_.back();
          levels_.pop_back();
        }
        return count();
      case ',':
        sum_ -= levels_.back();
        levels_.back() = 0;
        return;
      default:
        count();
    }
  }

 private:
  void count() {
    ++levels_.back();
    if (++sum_ > kDeepestExpression) refuse("expressions", kDeepestExpression);
  }
  [[noreturn]] void refuse(const std::string& of, std::size_t most) const {
    damaged(what_, "its " + of + " nest deeper than " + std::to_string(most));
  }

  const std::string& what_;
  std::vector<std::size_t> levels_{0};
  std::size_t sum_ = 0;
  std::size_t blocks_ = 0;
  std::size_t elifs_ = 0;
};

/// A chain of names as text: `__torch__.torch.classes`; empty for another tree.
std::string dotted(const jit::TreeRef& tree) {
  if (tree->kind() == jit::TK_VAR) return jit::Var(tree).name().name();
  if (tree->kind() != '.') return {};
  const jit::Select select(tree);
  const std::string before = dotted(select.value());
  return before.empty() ? before : before + "." + select.selector().name();
}

/// Whether an expression is a literal, so that evaluating it runs no code.
bool is_literal(const jit::TreeRef& tree) {
  switch (tree->kind()) {
    case jit::TK_CONST:
    case jit::TK_STRINGLITERAL:
    case jit::TK_TRUE:
    case jit::TK_FALSE:
    case jit::TK_NONE:
    case jit::TK_NONE_TYPE:
      return true;
    case jit::TK_UNARY_MINUS:
    case jit::TK_LIST_LITERAL:
    case jit::TK_TUPLE_LITERAL:
    case jit::TK_DICT_LITERAL:
    case jit::TK_LIST:
      return std::all_of(tree->trees().begin(), tree->trees().end(), is_literal);
    case jit::TK_VAR:
    case '.': {
      constexpr std::array<std::string_view, 6> kNumbers{"inf", "nan", "infj", "nanj", "torch.inf", "torch.nan"};
      const std::string name = dotted(tree);
      return name.starts_with("CONSTANTS.") || std::find(kNumbers.begin(), kNumbers.end(), name) != kNumbers.end();
    }
    case jit::TK_APPLY: {
      const jit::Apply apply(tree);
      const std::string name = dotted(apply.callee());
      if (!apply.attributes().empty()) return false;
      if (name == "annotate" && apply.inputs().size() == 2) return is_literal(apply.inputs()[1]);
      if (name != "float" && name != "int" && name != "bool" && name != "complex" && name != "torch.device") {
        return false;
      }
      for (const jit::Expr& each : apply.inputs()) {
        if (each.kind() == jit::TK_VAR || each.kind() == '.' || !is_literal(each)) return false;
      }
      return true;
    }
    default:
      return false;
  }
}

class Code {
 public:
  explicit Code(const std::string& what) : what_(what) {}

  void check(const jit::TreeRef& tree) const {
    std::vector<jit::TreeRef> waiting{tree};  // not recursive, since a tree may be deep
    while (!waiting.empty()) {
      const jit::TreeRef each = std::move(waiting.back());
      waiting.pop_back();
      look_at(each);
      if (each->isAtom()) continue;
      waiting.insert(waiting.end(), each->trees().begin(), each->trees().end());
    }
  }

 private:
  void look_at(const jit::TreeRef& tree) const {
    switch (tree->kind()) {
      case jit::TK_PARAM: {
        const jit::Param parameter(tree);
        if (parameter.defaultValue().present() && !is_literal(parameter.defaultValue().get())) {
          unsafe(what_, tree->range(),
                 "computes the default value of " + parameter.ident().name() + place(tree->range()) +
                     ", which runs while the code is being compiled");
        }
        return;
      }
      case jit::TK_CLASS_DEF: {
        const jit::ClassDef of(tree);
        for (const jit::Stmt& statement : of.body()) {
          if (statement.kind() == jit::TK_ASSIGN) attribute(jit::Assign(statement));
        }
        return;
      }
      case jit::TK_DEF:
        if (jit::Def(tree).name().name() == "__setstate__") {
          unsafe(what_, tree->range(),
                 "defines __setstate__" + place(tree->range()) + ", which runs while the file is being loaded");
        }
        return;
      case '.':
        if (dotted(tree).starts_with("__torch__.torch.classes")) {
          unsafe(what_, tree->range(), "uses a custom C++ class" + place(tree->range()));
        }
        return;
      default:
        return;
    }
  }

  /// Checks `x : int = 3` and `__annotations__["x"] = int` in the body of a class.
  void attribute(const jit::Assign& assign) const {
    if (!assign.rhs().present() || assign.lhs().kind() != jit::TK_VAR) return;
    const std::string name = jit::Var(assign.lhs()).name().name();
    if (name == "__annotations__" || is_literal(assign.rhs().get())) return;
    unsafe(what_, assign.range(),
           "computes the attribute " + name + place(assign.range()) + ", which runs while the code is being compiled");
  }

  const std::string& what_;
};

/// Limits the recursion depth of the lexer: lines in a row that are empty or hold a comment or a backslash alone.
void check_empty_lines(const std::string& code, const std::string& what) {
  std::size_t empty = 0;
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t end = std::min(code.find('\n', at), code.size());
    const std::size_t begin = std::min(code.find_first_not_of(" \t", at), end);
    const bool holds_code = begin < end && code[begin] != '#' && !(code[begin] == '\\' && begin + 1 == end);
    empty = holds_code ? 0 : empty + 1;
    if (empty > kMostEmptyLines) {
      damaged(what, "it has more than " + std::to_string(kMostEmptyLines) + " lines without code in a row");
    }
    at = end + 1;
  }
}

void check_depth(const std::shared_ptr<jit::Source>& source, const std::string& what) {
  Depth depth(what);
  for (jit::Lexer lexer(source); lexer.cur().kind != jit::TK_EOF; lexer.next()) depth.see(lexer.cur().kind);
}

/// Skips what TorchScript's importer skips: `op_version_set = 1`, `import __torch__.net`.
void skip_head(jit::Lexer& lexer, const std::string& what) {
  if (lexer.cur().kind == jit::TK_IDENT && lexer.cur().text() == "op_version_set") {
    while (lexer.cur().kind != jit::TK_NEWLINE && lexer.cur().kind != jit::TK_EOF) lexer.next();
    lexer.nextIf(jit::TK_NEWLINE);
  }
  while (lexer.nextIf(jit::TK_IMPORT)) {
    while (lexer.cur().kind != jit::TK_NEWLINE && lexer.cur().kind != jit::TK_EOF) lexer.next();
    if (!lexer.nextIf(jit::TK_NEWLINE)) damaged(what, "an import in it has no end");
  }
}

/// A letter outside ASCII as TorchScript writes it into quotes: an escape of three digits, where the letter's byte was
/// taken for a negative number, so that digits below 0 came out. Nothing where the escape is none of these.
std::optional<char> broken_letter(std::string_view escape) {
  if (escape.size() < 4 || escape[0] != '\\') return std::nullopt;
  int value = 0;
  for (const char digit : escape.substr(1, 3)) {
    if (digit < ')' || digit > '0') return std::nullopt;
    value = value * 8 + (digit - '0');
  }
  if (value >= 0) return std::nullopt;
  return static_cast<char>(value);
}

/// The first text in quotes that has such letters, whole again; empty where there is none.
std::string text_beyond_ascii(const std::string& code) {
  for (std::size_t at = code.find('\\'); at != std::string::npos; at = code.find('\\', at + 1)) {
    if (!broken_letter(std::string_view(code).substr(at))) continue;
    const std::size_t begin = code.rfind('"', at) + 1;
    std::string text;
    for (std::size_t i = begin; i < code.size() && code[i] != '"' && code[i] != '\n';) {
      const auto letter = broken_letter(std::string_view(code).substr(i));
      text += letter.value_or(code[i]);
      i += letter ? 4 : 1;
    }
    return text;
  }
  return {};
}

}  // namespace

void check_code(const std::shared_ptr<jit::Source>& source, const std::string& what) {
  check_empty_lines(source->text_str().str(), what);
  check_depth(source, what);
  jit::Parser parser(source);
  const Code code(what);
  while (true) {
    skip_head(parser.lexer(), what);
    const int kind = parser.lexer().cur().kind;
    if (kind == jit::TK_EOF) return;
    if (kind == jit::TK_CLASS_DEF) {
      code.check(parser.parseClass());
    } else if (kind == jit::TK_DEF) {
      code.check(parser.parseFunction(false));
    } else {
      damaged(what, "it holds more than classes and functions" + place(parser.lexer().cur().range));
    }
  }
}

void check_record(const std::shared_ptr<jit::Source>& source, const std::string& what) {
  try {
    check_code(source, what);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    std::string why = without_addresses(error.what());
    why.erase(0, why.find_first_not_of(" \n"));
    if (const std::string text = text_beyond_ascii(source->text_str().str()); !text.empty()) {
      throw Error(
          ErrorCode::kBadFile,
          what + " has \"" + text + "\", whose letters outside ASCII TorchScript writes so that it cannot load them",
          "If it is the name of a module or an attribute, rename it; if it is a text in the code, write it "
          "in ASCII. Then export the model again.");
    }
    damaged(what, why.substr(0, why.find('\n')));
  }
}

}  // namespace binade::graph
