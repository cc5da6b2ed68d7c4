// SPDX-License-Identifier: Apache-2.0
#include "app/window/bundled_fonts.h"

#include "app/window/program_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace binade::app {

void useBundledFonts() {
  const QString file = programFile();
  if (file.isEmpty()) return;
  const QString program = QFileInfo(file).absolutePath();
  const QString settings = QDir::cleanPath(program + QStringLiteral("/../share/binade/fonts/fonts.conf"));
  if (qEnvironmentVariableIsSet("FONTCONFIG_FILE") || !QFileInfo::exists(settings)) return;
  qputenv("FONTCONFIG_FILE", QFile::encodeName(settings));
}

}  // namespace binade::app
