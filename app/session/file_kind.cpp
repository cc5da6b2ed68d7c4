// SPDX-License-Identifier: Apache-2.0
#include "app/session/file_kind.h"

#include "engine/formats/error.h"
#include "engine/formats/input_file.h"

#include <QCoreApplication>
#include <QFile>

namespace binade::app {

namespace {
constexpr auto kRunFileHead = "SQLite format 3";
}  // namespace

FileKind fileKind(const QString& path) {
  const auto ends = [&](const char* suffix) { return path.endsWith(QLatin1String(suffix), Qt::CaseInsensitive); };
  if (ends(".binade")) return FileKind::kRun;
  if (ends(".run.json")) return FileKind::kDescription;
  if (ends(".json")) return FileKind::kPolicy;
  if (ends(".pt") || ends(".ts") || ends(".pth") || ends(".torchscript")) return FileKind::kModel;
  if (ends(".md")) return FileKind::kLesson;
  return FileKind::kUnknown;
}

std::optional<Problem> unreadable(const QString& path) {
  try {
    check_input_file(QFile::encodeName(path).toStdString());
    return std::nullopt;
  } catch (const Error& error) {
    return problemOf(error);
  }
}

bool isNoRunFile(const QString& path) {
  QFile in(path);
  return unreadable(path) || !in.open(QIODevice::ReadOnly) || !in.read(16).startsWith(kRunFileHead);
}

FileKind fileKindInside(const QString& path) {
  const FileKind named = fileKind(path);
  if (named != FileKind::kUnknown && named != FileKind::kPolicy) return named;
  if (unreadable(path)) return FileKind::kUnknown;
  QFile in(path);
  if (named == FileKind::kPolicy) {
    constexpr qint64 kHead = 1 << 20;
    const bool describes = in.open(QIODevice::ReadOnly) && in.read(kHead).contains("\"binade_run\"");
    return describes ? FileKind::kDescription : named;
  }
  if (!in.open(QIODevice::ReadOnly)) return FileKind::kUnknown;
  const QByteArray head = in.read(64);
  if (head.startsWith(kRunFileHead)) return FileKind::kRun;
  if (head.startsWith("PK")) return FileKind::kModel;
  if (head.trimmed().startsWith("{")) return FileKind::kPolicy;
  return FileKind::kUnknown;
}

QString fileKindName(FileKind kind) {
  switch (kind) {
    case FileKind::kModel:
      return QCoreApplication::translate("FileKind", "TorchScript model");
    case FileKind::kPolicy:
      return QCoreApplication::translate("FileKind", "Policy");
    case FileKind::kDescription:
      return QCoreApplication::translate("FileKind", "Run description");
    case FileKind::kRun:
      return QCoreApplication::translate("FileKind", "Run");
    case FileKind::kLesson:
      return QCoreApplication::translate("FileKind", "Lesson");
    case FileKind::kUnknown:
      break;
  }
  return QCoreApplication::translate("FileKind", "File");
}

}  // namespace binade::app
