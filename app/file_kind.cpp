// SPDX-License-Identifier: Apache-2.0
#include "app/file_kind.h"

#include <QCoreApplication>

namespace binade::app {

FileKind fileKind(const QString& path) {
  const auto ends = [&](const char* suffix) { return path.endsWith(QLatin1String(suffix), Qt::CaseInsensitive); };
  if (ends(".binade")) return FileKind::kRun;
  if (ends(".json")) return FileKind::kPolicy;
  if (ends(".pt") || ends(".ts") || ends(".pth") || ends(".torchscript")) return FileKind::kModel;
  return FileKind::kUnknown;
}

QString fileKindName(FileKind kind) {
  switch (kind) {
    case FileKind::kModel:
      return QCoreApplication::translate("FileKind", "TorchScript model");
    case FileKind::kPolicy:
      return QCoreApplication::translate("FileKind", "Policy");
    case FileKind::kRun:
      return QCoreApplication::translate("FileKind", "Run");
    case FileKind::kUnknown:
      break;
  }
  return QCoreApplication::translate("FileKind", "File");
}

}  // namespace binade::app
