// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <QString>

namespace binade::views {

/// A format's name: `float16`, `e6m9`.
inline QString formatName(const formats::Format& format) {
  return QString::fromStdString(formats::name(format));
}

}  // namespace binade::views
