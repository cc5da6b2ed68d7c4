// SPDX-License-Identifier: Apache-2.0
#include "tests/tree/dangling.h"

#include "tests/tree/checks.h"
#include "tests/tree/source_tree.h"

#include <QRegularExpression>
#include <QSet>

#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace binade::test {

namespace {

/// Returns the text without comments, and with empty string and character literals. Line breaks stay.
QString codeOf(const QString& text) {
  static const QRegularExpression prose(
      uR"re(R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|(?<!\w)'(?:[^'\\\n]|\\.)+'|//[^\n]*|/\*.*?\*/)re"_s,
      QRegularExpression::DotMatchesEverythingOption);
  QString code;
  qsizetype from = 0;
  for (const auto& match : prose.globalMatch(text)) {
    code += text.mid(from, match.capturedStart() - from);
    const QString was = match.captured();
    code += was.startsWith(u'/') ? u" "_s : u"\"\""_s;
    code += u"\n"_s.repeated(was.count(u'\n'));
    from = match.capturedEnd();
  }
  return code + text.mid(from);
}

/// Returns whether a type refers to another object.
bool isView(const QString& type) {
  static const QRegularExpression view(
      u"(?:[&*]|\\b(?:string_view|span|ArrayRef(?:<.*>)?|IntArrayRef|TensorRef|QStringView|QByteArrayView|"
      u"QLatin1StringView|QLatin1String|iterator|Iterator))(?:<.*>)?\\s*$"_s);
  return view.match(type.trimmed()).hasMatch();
}

/// Returns whether members of a type are reached by an arrow.
bool isPointer(const QString& type) {
  static const QRegularExpression pointer(
      u"(?:\\b(?:unique_ptr|shared_ptr|optional|QPointer|intrusive_ptr)\\s*<|Ptr$)"_s);
  return pointer.match(type.trimmed()).hasMatch();
}

bool hasMembers(const QString& type) {
  static const QRegularExpression plain(
      u"\\b(?:void|bool|char|int|unsigned|long|short|float|double|size_t|u?int\\d+_t|auto|qreal|qsizetype)\\s*$"_s);
  return !plain.match(type.trimmed()).hasMatch();
}

/// Returns the position after the bracket that closes the one at `at`.
qsizetype pastBracket(const QString& code, qsizetype at) {
  int depth = 0;
  for (; at < code.size(); ++at) {
    if (u"([{"_s.contains(code[at])) ++depth;
    if (u")]}"_s.contains(code[at]) && --depth == 0) return at + 1;
  }
  return code.size();
}

/// One element of the chain `a.b(c)->d[e]`.
struct Link {
  QString name;
  bool called = false;
  bool arrow = false;  ///< reached by `->`
  bool index = false;  ///< an index: `[e]`
};

/// Returns the elements of an expression that consists of one chain; otherwise nullopt.
std::optional<QList<Link>> chainOf(const QString& expression) {
  static const QRegularExpression name(u"\\G\\s*(?:template\\s+)?((?:\\w+\\s*::\\s*)*~?\\w+)"_s);
  static const QRegularExpression arguments(u"\\G\\s*(<(?:[^<>;{}]|(?1))*>)?\\s*(?=\\()"_s);
  QList<Link> links;
  qsizetype at = 0;
  bool arrow = false;
  while (true) {
    const auto match = name.match(expression, at);
    if (!match.hasMatch()) return std::nullopt;
    Link link{match.captured(1).section(u':', -1).trimmed(), false, arrow, false};
    at = match.capturedEnd();
    if (const auto call = arguments.match(expression, at); call.hasMatch()) {
      link.called = true;
      at = pastBracket(expression, call.capturedEnd());
    }
    links << link;
    while (at < expression.size() && (expression[at].isSpace() || expression[at] == u'[' || expression[at] == u'(')) {
      if (expression[at] == u'[') links << Link{u"[]"_s, false, false, true};
      at = expression[at].isSpace() ? at + 1 : pastBracket(expression, at);
    }
    if (at == expression.size()) return links;
    arrow = expression.mid(at, 2) == u"->"_s;
    if (!arrow && expression[at] != u'.') return std::nullopt;
    at += arrow ? 2 : 1;
  }
}

/// Returns whether a member of the standard library returns a part of its object.
bool returnsPart(const QString& member) {
  static const QSet<QString> parts{u"value"_s, u"front"_s, u"back"_s,  u"at"_s,     u"get"_s,  u"data"_s,
                                   u"c_str"_s, u"top"_s,   u"begin"_s, u"native"_s, u"find"_s, u"constData"_s};
  return parts.contains(member);
}

bool isMade(Returns::Kind kind) {
  return kind == Returns::Kind::kValue || kind == Returns::Kind::kPointer;
}

/// Returns the call that makes the temporary of which the chain returns a part, or an empty text. A temporary returned
/// as a whole is kept alive by a loop and by a reference.
QString goneObject(const QList<Link>& links, const Returns& returns) {
  QString temporary;  // call that made the current object of the chain; empty: not a temporary
  auto made = Returns::Kind::kNothingKnown;
  for (const Link& link : links) {
    if (link.index) {
      if (!temporary.isEmpty()) return temporary;
      continue;
    }
    const auto kind = link.called ? returns.of(link.name) : Returns::Kind::kNothingKnown;
    // An object that is not a pointer has no members behind an arrow: the call is another function of that name.
    if (link.arrow && made == Returns::Kind::kValue) temporary.clear();
    const auto before = std::exchange(made, kind);
    if (temporary.isEmpty()) {
      if (isMade(kind)) temporary = link.name;
      continue;
    }
    if (!link.called) {
      // Member of the pointed-to object; a member of the object itself keeps the whole alive.
      if (link.arrow) return temporary;
      continue;
    }
    if (kind == Returns::Kind::kView) return temporary;
    // Member of the standard library.
    const bool ofPointer = before == Returns::Kind::kPointer && returnsPart(link.name);
    if (ofPointer) return temporary;
    if (isMade(kind)) {
      temporary = link.name;
    } else if (link.arrow || returnsPart(link.name)) {
      return temporary;
    } else {
      temporary.clear();  // unknown function
    }
  }
  return {};
}

/// Returns whether the expression makes a new object, usually a string.
bool makesObject(const QString& expression, const Returns& returns) {
  static const QSet<QString> strings{u"to_string"_s,   u"string"_s, u"str"_s,    u"generic_string"_s,
                                     u"toStdString"_s, u"toUtf8"_s, u"readAll"_s};
  const auto links = chainOf(expression);
  if (!links || !links->back().called) return false;
  const QString& last = links->back().name;
  const auto kind = returns.of(last);
  return isMade(kind) || (kind == Returns::Kind::kNothingKnown && strings.contains(last));
}

struct Range {
  QString expression;
  qsizetype at = 0;
};

/// Returns the range expressions of range-based loops.
QList<Range> rangesOf(const QString& code) {
  static const QRegularExpression loop(u"\\bfor\\s*\\("_s);
  QList<Range> all;
  for (const auto& match : loop.globalMatch(code)) {
    const qsizetype open = match.capturedEnd() - 1;
    const qsizetype end = pastBracket(code, open) - 1;
    qsizetype colon = -1;
    int depth = 0;
    int statements = 0;
    for (qsizetype i = open + 1; i < end; ++i) {
      const QChar c = code[i];
      if (u"([{"_s.contains(c)) ++depth;
      if (u")]}"_s.contains(c)) --depth;
      if (depth != 0) continue;
      if (c == u';') ++statements;
      const bool single = c == u':' && code[i - 1] != u':' && code[i + 1] != u':';
      if (single && colon < 0) colon = i;
    }
    if (colon < 0 || statements > 1) continue;
    all << Range{code.mid(colon + 1, end - colon - 1).trimmed(), match.capturedStart()};
  }
  return all;
}

}  // namespace

void Returns::learn(const QString& text) {
  static const QRegularExpression declared(
      uR"re((?:^|[;{}:>])\s*(?:\[\[\w+\]\]\s*)?(?:(?:virtual|static|inline|constexpr|explicit|friend|const|extern)\s+)*((?:[\w]+::)*\w+\s*(<(?:[^<>;{}]|(?2))*>)?(?:::\w+)?(?:\s+const)?\s*[&*]*)\s+?[&*]*(?!std::)((?:\w+::)*)(\w+)\s*\()re"_s,
      QRegularExpression::MultilineOption);
  static const QSet<QString> words{u"return"_s, u"else"_s,  u"throw"_s,     u"new"_s,      u"delete"_s,  u"case"_s,
                                   u"using"_s,  u"goto"_s,  u"namespace"_s, u"operator"_s, u"typedef"_s, u"co_return"_s,
                                   u"if"_s,     u"while"_s, u"for"_s,       u"switch"_s,   u"template"_s};
  const QString code = codeOf(text);
  for (const auto& match : declared.globalMatch(code)) {
    const QString whole = match.captured(0);
    const QString type = match.captured(1).trimmed();
    if (words.contains(type) || words.contains(match.captured(4)) || !hasMembers(type)) continue;
    const QString between = whole.left(whole.lastIndexOf(match.captured(4)));
    const bool refers = isView(type) || isView(between.section(u'>', -1).remove(u':'));
    const Kind kind = refers ? Kind::kView : isPointer(type) ? Kind::kPointer : Kind::kValue;
    Kind& known = kinds_[match.captured(4)];
    known = known == Kind::kNothingKnown || known == kind ? kind : Kind::kBoth;
  }
}

QStringList danglingUses(const QString& path, const QString& text, const Returns& returns) {
  static const QRegularExpression bound(
      u"\\b(?:auto|[\\w:]+(?:<[^;={}()]*>)?)\\s*&&?\\s+\\w+\\s*=\\s*(?=[^=])|&&?\\s*\\[[\\w, ]+\\]\\s*=\\s*"_s);
  static const QRegularExpression view(
      u"\\b(?:string_view|span(?:<[^;={}()]*>)?|IntArrayRef|ArrayRef<[^;={}()]*>|QStringView|QByteArrayView|"
      u"const char\\s*\\*(?:\\s*const)?)\\s+\\w+\\s*(?:=|\\(|\\{)\\s*"_s);
  if (!isSource(path)) return {};
  const QString code = codeOf(text);
  QStringList found;
  const auto report = [&](qsizetype at, const QString& what) {
    found << u"%1:%2 %3"_s.arg(path).arg(code.left(at).count(u'\n') + 1).arg(what.simplified());
  };
  const auto gone = [&](QString expression) -> QString {
    // The result of `*` is a part too.
    const bool part = expression.startsWith(u'*');
    const auto links = chainOf(part ? expression.mid(1).trimmed() : expression);
    if (!links) return {};
    const QString object = goneObject(*links, returns);
    return object.isEmpty() && part && makesObject(expression.mid(1).trimmed(), returns) ? links->back().name : object;
  };
  for (const Range& range : rangesOf(code)) {
    if (const QString object = gone(range.expression); !object.isEmpty()) {
      report(range.at, u"loops over a part of what %1() returns, which is gone by then: name it before"_s.arg(object));
    }
  }
  const auto upToEnd = [&](qsizetype at) {
    qsizetype end = at;
    for (; end < code.size() && !u";)},"_s.contains(code[end]); ++end) {
      if (u"([{"_s.contains(code[end])) end = pastBracket(code, end) - 1;
    }
    return code.mid(at, end - at).trimmed();
  };
  for (const auto& match : bound.globalMatch(code)) {
    if (const QString object = gone(upToEnd(match.capturedEnd())); !object.isEmpty()) {
      report(match.capturedStart(), u"refers to a part of what %1() returns, which is gone by then"_s.arg(object));
    }
  }
  for (const auto& match : view.globalMatch(code)) {
    const QString expression = upToEnd(match.capturedEnd());
    const QString object = gone(expression);
    if (object.isEmpty() && !makesObject(expression, returns)) continue;
    report(match.capturedStart(), u"views %1, which is gone by then"_s.arg(expression));
  }
  return found;
}

QStringList checkDangling(const QString& path, const QString& text) {
  static const Returns ofTree = [] {
    Returns all;
    // Functions of LibTorch, Qt and the standard library that share a name with functions of the tree.
    all.learn(
        u"const std::vector<Argument>& arguments() const;\nat::ArrayRef<Block*> blocks();\nQMenu* menu() const;\n"
        "Row& front();\nRow& back();\n"_s);
    for (const auto& [file, contents] : sourceTree().asKeyValueRange()) {
      if (isSource(file)) all.learn(contents);
    }
    return all;
  }();
  if (!isSource(path)) return {};
  Returns returns = ofTree;
  returns.learn(text);
  return danglingUses(path, text, returns);
}

}  // namespace binade::test
