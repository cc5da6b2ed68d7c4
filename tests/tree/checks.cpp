// SPDX-License-Identifier: Apache-2.0
#include "tests/tree/checks.h"

#include "tests/tree/layers.h"

#include <QFile>
#include <QLibraryInfo>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace binade::test {

namespace {

constexpr int kMostLines = 500;

/// Returns the text without comments and string literals.
QString withoutProse(const QString& text) {
  static const QRegularExpression prose(uR"re("(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/)re"_s,
                                        QRegularExpression::DotMatchesEverythingOption);
  return QString(text).replace(prose, u" "_s);
}

struct Include {
  QString name;
  bool ours = false;  ///< written in quotes
  int line = 0;
};

QList<Include> includes(const QString& text) {
  static const QRegularExpression directive(uR"re(^\s*#\s*include\s*([<"])([^>"]+)[>"])re"_s);
  QList<Include> found;
  int number = 0;
  for (const QString& line : text.split(u'\n')) {
    ++number;
    const auto match = directive.match(line);
    if (match.hasMatch()) found.append({match.captured(2), match.captured(1) == u"\""_s, number});
  }
  return found;
}

/// Whether Qt's module of widgets has this header: it stands in its folder, which a build has.
bool isOfWidgets(const QString& header) {
  static const QString headers = QLibraryInfo::path(QLibraryInfo::HeadersPath) + u"/QtWidgets/"_s;
  return header.startsWith(u"QtWidgets") || (!header.contains(u'/') && QFile::exists(headers + header));
}

}  // namespace

bool isSource(const QString& path) {
  return path.endsWith(u".h") || path.endsWith(u".cpp") || path.endsWith(u".cu");
}

QStringList checkIncludes(const QString& path, const QString& text) {
  static const QRegularExpression qt(u"^(Qt?[A-Z]\\w*)(/|$)"_s);
  static const QRegularExpression torch(u"^(torch|ATen|c10|caffe2)/"_s);
  const Layer* layer = layerOf(path);
  if (!layer || !isSource(path)) return {};
  QStringList wrong;
  for (const Include& include : includes(text)) {
    const QString where = u"%1:%2 includes %3"_s.arg(path).arg(include.line).arg(include.name);
    if (qt.match(include.name).hasMatch() && !layer->qt) wrong << where + u": no Qt in "_s + layer->folder;
    if (layer->qt && !layer->widgets && isOfWidgets(include.name))
      wrong << where + u": no widgets in "_s + layer->folder;
    if (torch.match(include.name).hasMatch() && !layer->torch) wrong << where + u": no LibTorch in "_s + layer->folder;
    if (include.name.startsWith(u"tests/")) wrong << where + u": the product uses no test code"_s;
    if (!include.ours) continue;
    const Layer* other = layerOf(include.name);
    if (other && !mayUse(*layer, *other)) wrong << where + u": "_s + layer->folder + u" may not use "_s + other->folder;
    const bool generated = include.name.endsWith(u".moc") || include.name.endsWith(u".inc");
    if (!include.name.contains(u'/') && !generated) wrong << where + u": write it from the root of the tree"_s;
  }
  return wrong;
}

QStringList checkSuites(const QString& path, const QString& text) {
  static const QRegularExpression own(u"\\n  void init\\(\\) \\{(?!\\s*(?:test::)?failOnWarnings\\(\\);)"_s);
  if (!path.startsWith(u"tests/"_s) || !own.match(text).hasMatch()) return {};
  return {u"%1: init() must begin with failOnWarnings();"_s.arg(path)};
}

QStringList checkSystemHeaders(const QString& path, const QString& text) {
  // What POSIX has, such as unistd.h, is allowed everywhere.
  static const QRegularExpression linux_only(
      u"^(linux/|asm/|sys/(syscall|prctl|epoll|eventfd|inotify|signalfd|timerfd|sendfile|sysinfo|capability|random|"
      "auxv|vfs)\\.h|(link|elf|malloc|features|byteswap|error)\\.h)"_s);
  static const QRegularExpression linux_names(
      u"\\b(O_TMPFILE|O_PATH|memfd_create|prctl|gettid|close_range|pipe2|accept4|renameat2|copy_file_range|fallocate|"
      "sched_setaffinity|SYS_[a-z_0-9]+)\\b(?!\\.h)|/proc/self/exe"_s);
  const Layer* layer = layerOf(path);
  if (!layer || !isOfExplorer(*layer) || !isSource(path) || path.endsWith(u"_linux.cpp"_s)) return {};
  QStringList wrong;
  for (const auto& match : linux_names.globalMatch(text))
    wrong << u"%1 names %2, which only Linux has"_s.arg(path, match.captured());
  for (const Include& include : includes(text)) {
    if (!include.ours && linux_only.match(include.name).hasMatch())
      wrong << u"%1:%2 includes %3, which only Linux has"_s.arg(path).arg(include.line).arg(include.name);
  }
  return wrong;
}

QStringList checkTargets(const QString& path, const QString& text) {
  static const QRegularExpression library(u"binade_library\\(\\s*(\\w+)"_s);
  static const QRegularExpression plainLibrary(u"\\badd_library\\("_s);
  static const QRegularExpression executable(u"\\badd_executable\\(\\s*(\\S+)"_s);
  static const QRegularExpression link(u"\\b(?:Binade::|binade_)(\\w+)"_s);
  static const QRegularExpression widgets(u"\\bQT\\b|Qt6::Widgets"_s);
  static const QStringList ours = {u"library"_s, u"warnings"_s, u"test"_s, u"version"_s};
  const Layer* layer = layerOf(path);
  if (!layer || path != layer->folder + u"/CMakeLists.txt"_s) return {};
  const QString code = QString(text).replace(QRegularExpression(u"#[^\n]*"_s), u" "_s);
  const QString own = libraryOf(*layer);
  QStringList wrong;
  QStringList made;
  for (const auto& match : library.globalMatch(code)) made << match.captured(1);
  if (made != QStringList{own} && !(layer->program && made.isEmpty()))
    wrong << u"%1 makes %2: one folder is one library binade_%3"_s.arg(path, made.join(u", "_s), own);
  if (plainLibrary.match(code).hasMatch()) wrong << path + u" calls add_library: use binade_library"_s;
  int programs = 0;
  for (const auto& match : executable.globalMatch(code)) programs += match.hasMatch() ? 1 : 0;
  if (programs > (layer->program ? 1 : 0)) wrong << path + u" makes a program that its row does not name"_s;
  for (const auto& match : link.globalMatch(code)) {
    const QString name = match.captured(1);
    for (const Layer& other : layers())
      if (libraryOf(other) == name && !mayUse(*layer, other))
        wrong << u"%1 links %2: %3 may not use it"_s.arg(path, other.folder, layer->folder);
  }
  if (code.contains(u"torch::"_s) && !layer->torch) wrong << path + u" links LibTorch"_s;
  if (code.contains(u"Qt6::"_s) && !layer->qt) wrong << path + u" links Qt"_s;
  if (widgets.match(code).hasMatch() && layer->qt && !layer->widgets) wrong << path + u" links Qt's widgets"_s;
  return wrong;
}

QStringList checkHeading(const QString& path, const QString& text) {
  static const QStringList marked = {u".h"_s,  u".cpp"_s, u".cu"_s, u".cmake"_s, u"CMakeLists.txt"_s,
                                     u".py"_s, u".sh"_s};
  const bool script = text.startsWith(u"#!"_s);
  bool needed = script;
  for (const QString& ending : marked) needed = needed || path.endsWith(ending);
  if (!needed) return {};
  QStringList wrong;
  if (!text.section(u'\n', script ? 1 : 0, script ? 1 : 0).contains(u"SPDX-License-Identifier: Apache-2.0"_s))
    wrong << path + u" does not start with its licence"_s;
  // Precompiled headers are lists for the compiler; no file includes them.
  const bool included = path.endsWith(u".h") && !path.startsWith(u"cmake/precompiled/"_s);
  if (included && !text.contains(u"#pragma once"_s)) wrong << path + u" has no #pragma once"_s;
  return wrong;
}

QStringList checkQtKeywords(const QString& path, const QString& text) {
  static const QRegularExpression keyword(u"\\b(?:signals|slots)\\s*:|\\bemit\\s+\\w"_s);
  if (!isSource(path)) return {};
  const auto match = keyword.match(withoutProse(text));
  if (!match.hasMatch()) return {};
  return {path + u" writes Qt's keyword "_s + match.captured().trimmed() + u": use Q_SIGNALS, Q_SLOTS, Q_EMIT"_s};
}

QStringList checkMachinePaths(const QString& path, const QString& text) {
  // Assembled here, so that this file keeps its own rule.
  static const QRegularExpression machine(
      u"(?<![\\w.$}~*-])/("_s + QStringList{u"tmp"_s, u"work"_s, u"root"_s, u"home"_s}.join(u'|') + u")(?![\\w-])"_s);
  QStringList wrong;
  int number = 0;
  for (const QString& line : text.split(u'\n')) {
    ++number;
    const auto match = machine.match(line);
    if (match.hasMatch()) wrong << u"%1:%2 names the machine path %3"_s.arg(path).arg(number).arg(match.captured());
  }
  return wrong;
}

QStringList checkLength(const QString& path, const QString& text) {
  const bool code = isSource(path) || path.endsWith(u".py") || path.endsWith(u".cmake") || text.startsWith(u"#!"_s);
  const auto lines = text.count(u'\n');
  if (!code || lines <= kMostLines) return {};
  return {u"%1 has %2 lines: at most %3, one idea a file"_s.arg(path).arg(lines).arg(kMostLines)};
}

bool includesInternals(const QString& text) {
  static const QRegularExpression internal(
      u"^(torch/csrc/jit/(passes|runtime)/|torch/csrc/autograd/(functions/|engine|graph_task|input_buffer))"_s);
  for (const Include& include : includes(text))
    if (internal.match(include.name).hasMatch()) return true;
  return false;
}

}  // namespace binade::test
