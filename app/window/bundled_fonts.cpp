// SPDX-License-Identifier: Apache-2.0
#include "app/window/bundled_fonts.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace binade::app {

void useBundledFonts() {
  const QString file = QFile::symLinkTarget(QStringLiteral("/proc/self/exe"));
  if (file.isEmpty()) return;  // this system has none
  const QString program = QFileInfo(file).absolutePath();
  const QString settings = QDir::cleanPath(program + QStringLiteral("/../share/binade/fonts/fonts.conf"));
  if (qEnvironmentVariableIsSet("FONTCONFIG_FILE") || !QFileInfo::exists(settings)) return;
  qputenv("FONTCONFIG_FILE", QFile::encodeName(settings));
}

}  // namespace binade::app
