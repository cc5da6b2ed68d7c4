// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QWidget;

namespace binade::app {

/// What is wrong with a typed format, in words, or empty for `float16`, `e5m10` and the like.
QString formatProblem(const QString& text);

/// Asks for a format by name, `e<E>m<M>` too; says what is wrong as a person types. Empty where it was given up.
QString askFormat(QWidget* parent);

}  // namespace binade::app
