// SPDX-License-Identifier: Apache-2.0
#include "app/session/fashion_data.h"

#include <QFileInfo>

namespace binade::app {

std::string fashionFolder() {
  constexpr auto kFolder = "/usr/share/datasets/fashion-mnist";
  return QFileInfo(QLatin1String(kFolder)).isDir() ? kFolder : "";
}

}  // namespace binade::app
