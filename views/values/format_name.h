// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <QHash>
#include <QString>

namespace binade::views {

/// A format's name: `float16`, `e6m9`.
inline QString formatName(const formats::Format& format) {
  return QString::fromStdString(formats::name(format));
}

/// The brief name of a format, for a narrow place: `fp16` for `float16`. A name that has none is returned unchanged.
inline QString briefFormatName(const QString& name) {
  static const QHash<QString, QString> brief{{QStringLiteral("float32"), QStringLiteral("fp32")},
                                             {QStringLiteral("tfloat32"), QStringLiteral("tf32")},
                                             {QStringLiteral("bfloat16"), QStringLiteral("bf16")},
                                             {QStringLiteral("float16"), QStringLiteral("fp16")},
                                             {QStringLiteral("float8_e4m3fn"), QStringLiteral("e4m3fn")},
                                             {QStringLiteral("float8_e5m2"), QStringLiteral("e5m2")}};
  return brief.value(name, name);
}

}  // namespace binade::views
