// SPDX-License-Identifier: Apache-2.0
#include "app/session/write_file.h"

#include "app/model/translate.h"

#include <QDir>
#include <QSaveFile>

namespace binade::app {

namespace {

bool writeAll(QSaveFile& out, const QByteArray& content) {
  qint64 written = 0;
  while (written < content.size()) {
    const qint64 more = out.write(content.constData() + written, content.size() - written);
    if (more <= 0) return false;
    written += more;
  }
  return true;
}

}  // namespace

std::optional<QString> replaceFile(const QString& file, const QByteArray& content) {
  QSaveFile out(file);
  // Unbuffered, because QSaveFile::commit() does not notice that its last flush failed: on a full disk it would put a
  // part of the content in the place of the file.
  if (out.open(QIODevice::WriteOnly | QIODevice::Unbuffered) && writeAll(out, content) && out.commit())
    return std::nullopt;
  const QString reason = out.errorString();
  out.cancelWriting();
  return reason;
}

std::optional<Problem> writeFile(const QString& file, const QByteArray& content, const QString& failed) {
  const auto reason = replaceFile(file, content);
  if (!reason) return std::nullopt;
  return Problem{failed.arg(QDir::toNativeSeparators(file), *reason),
                 tr("Nothing is lost: the edits are kept in the window. Choose a folder that can be written and has "
                    "free space.")};
}

}  // namespace binade::app
