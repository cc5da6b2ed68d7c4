// SPDX-License-Identifier: Apache-2.0
#include "app/window/program_file.h"

#include <QFile>

namespace binade::app {

QString programFile() {
  return QFile::symLinkTarget(QStringLiteral("/proc/self/exe"));
}

}  // namespace binade::app
