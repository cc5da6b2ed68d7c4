// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <string>

namespace binade::views {

/// A text in the window's notation: `2²⁴` for `2^24`, `step 1,051` for `step 1051`. Typography only: it changes how a
/// text looks, and nothing is read from it.
QString typeset(const QString& text);
/// The same for a UTF-8 text, such as a sentence of the engine.
QString typeset(const std::string& text);

/// The same for a sentence with signed numbers: `−0.001` for `-0.001`, `2.5 × 10⁻⁹` for `2.5e-09`.
QString typesetFigures(const std::string& text);

/// A name as the text of a menu entry: an ampersand in it is shown, and marks no key.
QString menuText(QString name);

}  // namespace binade::views
