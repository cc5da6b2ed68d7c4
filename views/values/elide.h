// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFont>
#include <QString>
#include <QStringList>

namespace binade::views {

/// Returns `text` elided at its end to fit `width` px, as measured by textWidth(). A number with its exponent and unit
/// is kept or removed as a whole: `at most 2¹⁹` never becomes `at most 2¹…`. If nothing fits, only the ellipsis
/// remains.
QString elidedRight(const QString& text, const QFont& font, double width);

/// As elidedRight(), but elided in the middle; both ends are kept as far as they fit.
QString elidedMiddle(const QString& text, const QFont& font, double width);

/// As elidedMiddle(), for names such as `layer1.0.conv1/aten::conv2d#0`: cut once, between their parts. The end is kept
/// longest, since it distinguishes names.
QString elidedName(const QString& name, const QFont& font, double width);

/// Returns `text` in at most `most` lines of `width` px, at least one. Breaks at spaces and after `/`, never inside a
/// number and its unit. A last line that is too long is elided in the middle.
QStringList brokenLines(const QString& text, const QFont& font, double width, int most);

}  // namespace binade::views
