// SPDX-License-Identifier: Apache-2.0
#include "views/values/unnamed_file.h"

#include <fcntl.h>

#include <QByteArray>

namespace binade::views {

int openUnnamedFile(const QByteArray& folder) {
  return ::open(folder.constData(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

}  // namespace binade::views
