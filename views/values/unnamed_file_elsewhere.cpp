// SPDX-License-Identifier: Apache-2.0
#include "views/values/unnamed_file.h"

#include <QByteArray>

// For systems other than Linux, which have no files without a name from the start.

namespace binade::views {

int openUnnamedFile(const QByteArray& /*folder*/) {
  return -1;
}

}  // namespace binade::views
