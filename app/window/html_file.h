// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"

#include <QString>

#include <optional>

class QWidget;

namespace binade::app {

/// Asks for the name of an HTML file, beginning with `name`. A name without `.html` or `.htm` gets `.html`, and a file
/// that this would replace is asked about again. Empty: the user cancelled. `window` is the dialog's parent.
QString askForHtmlFile(QWidget* window, const QString& title, const QString& name);

/// Writes a page as UTF-8. A file that exists is replaced only once all is written. Returns why it could not be.
std::optional<Problem> writeHtmlFile(const QString& file, const QString& html);

}  // namespace binade::app
