// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QWidget;

namespace binade::app {

/// Returns what is wrong with a typed format; empty for valid ones such as `float16` and `e5m10`.
QString formatProblem(const QString& text);

/// Asks for a format by name, including `e<E>m<M>`, and reports errors while typing. Returns an empty string if
/// cancelled.
QString askFormat(QWidget* parent);

}  // namespace binade::app
