// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <cstdint>
#include <string>

namespace binade::views {

/// A text in the window's notation: `2²⁴` for `2^24`, `step 1,051` for `step 1051`. Typography only: it changes how a
/// text looks, and nothing is read from it.
QString typeset(const QString& text);
/// The same for a UTF-8 text, such as a sentence of the engine.
QString typeset(const std::string& text);

/// The same for a sentence with signed numbers: `−0.001` for `-0.001`, `2.5 × 10⁻⁹` for `2.5e-09`, `10⁻⁵` for `1e-5`.
QString typesetFigures(const std::string& text);

/// The same for a text that may be one number, also with a unit of one word, such as a cell or a label: then with the
/// locale's decimal sign, and grouped from five digits before it: `65,504` for `65504`.
QString typesetNumber(const std::string& text);
/// A whole number as typesetNumber() writes it: `1024`, `65,504`.
QString wholeNumber(std::int64_t value);

/// A name as the text of a menu entry: an ampersand in it is shown, and marks no key.
QString menuText(QString name);

}  // namespace binade::views
