// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFont>
#include <QString>
#include <QStringList>

namespace binade::views {

/// `text` as it fits into `width` px: cut at its end, with an ellipsis. A number is kept whole, with its exponent and
/// its unit, or left out whole: `at most 2¹⁹` never becomes `at most 2¹…`. Where not even a first piece fits only the
/// ellipsis is left. Widths are those of drawText().
QString elidedRight(const QString& text, const QFont& font, double width);

/// The same, cut in the middle: both ends are kept as far as they fit.
QString elidedMiddle(const QString& text, const QFont& font, double width);

}  // namespace binade::views
