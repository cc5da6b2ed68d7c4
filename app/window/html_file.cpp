// SPDX-License-Identifier: Apache-2.0
#include "app/window/html_file.h"

#include "app/model/translate.h"
#include "app/session/write_file.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

namespace binade::app {

QString askForHtmlFile(QWidget* window, const QString& title, const QString& name) {
  QString file = QFileDialog::getSaveFileName(window, title, name, tr("HTML (*.html *.htm)"));
  const QString suffix = QFileInfo(file).suffix().toLower();
  if (file.isEmpty() || suffix == QStringLiteral("html") || suffix == QStringLiteral("htm")) return file;
  file += QStringLiteral(".html");
  if (!QFileInfo::exists(file)) return file;
  const auto answer =
      QMessageBox::question(window, title, tr("%1 exists. Replace it?").arg(QDir::toNativeSeparators(file)));
  return answer == QMessageBox::Yes ? file : QString();
}

std::optional<Problem> writeHtmlFile(const QString& file, const QString& html) {
  const auto reason = replaceFile(file, html.toUtf8());
  if (!reason) return std::nullopt;
  return Problem{tr("%1 could not be written: %2.").arg(QDir::toNativeSeparators(file), *reason),
                 tr("Choose a folder that can be written and has free space.")};
}

}  // namespace binade::app
