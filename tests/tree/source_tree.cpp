// SPDX-License-Identifier: Apache-2.0
#include "tests/tree/source_tree.h"

#include "tests/support/places.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace binade::test {

namespace {

QDir root() {
  return QDir(QStringLiteral(BINADE_SOURCE_DIR));
}

QByteArray read(const QString& file) {
  QFile in(file);
  return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

void add(QMap<QString, QString>& files, const QString& file) {
  const QByteArray bytes = read(file);
  if (!bytes.contains('\0')) files.insert(root().relativeFilePath(file), QString::fromUtf8(bytes));
}

/// Returns the sources of a compiled file: itself, or the members of a unity batch.
QStringList sourcesOf(const QString& compiled) {
  static const QRegularExpression include(uR"re(^#include "([^"]+)"$)re"_s, QRegularExpression::MultilineOption);
  if (!compiled.contains(u"/Unity/unity_"_s)) return {compiled};
  QStringList sources;
  for (const auto& match : include.globalMatch(read(compiled))) sources.append(match.captured(1));
  return sources;
}

}  // namespace

const QMap<QString, QString>& sourceTree() {
  static const QMap<QString, QString> files = [] {
    QMap<QString, QString> found;
    const auto kinds = QDir::Files | QDir::Hidden | QDir::NoSymLinks;
    for (const QFileInfo& file : root().entryInfoList(kinds)) {
      if (file.fileName() != u".git"_s) add(found, file.filePath());  // a file in a worktree
    }
    const QStringList made = {u".git"_s,  u".deps"_s, u".deps.partial"_s, u".deps-cuda"_s, u".deps-cuda.partial"_s,
                              u"build"_s, u".cache"_s};
    for (const QString& folder : root().entryList(QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot)) {
      if (made.contains(folder)) continue;
      QDirIterator walk(root().filePath(folder), kinds, QDirIterator::Subdirectories);
      while (walk.hasNext()) {
        const QString file = walk.next();
        if (!file.contains(u"__pycache__"_s)) add(found, file);
      }
    }
    return found;
  }();
  return files;
}

QMap<QString, QString> compileCommands() {
  const QString file = QStringLiteral(BINADE_BIN_DIR) + u"/../compile_commands.json"_s;
  QMap<QString, QString> commands;
  for (const QJsonValue& entry : QJsonDocument::fromJson(read(file)).array()) {
    const QJsonObject object = entry.toObject();
    const QString compiled = object[u"file"].toString();
    const QString command = object[u"command"].toString();
    for (const QString& source : sourcesOf(compiled)) commands.insert(root().relativeFilePath(source), command);
  }
  return commands;
}

}  // namespace binade::test
