// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QIcon>
#include <QString>
#include <QStringList>

class QLabel;

namespace binade::views {

/// Names of all icons: run pause step stop undo redo rewind open search close chevron-down chevron-right columns pin
/// float more link-axes fit export chip bug model flag info warning file run-file tick.
const QStringList& iconNames();

/// Returns an icon by name. It is painted in the text colour of the current theme, so it need not be replaced when the
/// theme changes. Disabled: third text; checked (state On): indigo. Null icon for an unknown name.
QIcon icon(const QString& name);

/// Shows an icon in a label, in the colour of the present theme also after this changes. `size`: px of a side.
void showIcon(QLabel* label, const QString& name, int size);

/// The application icon, in colour.
QIcon programIcon();

}  // namespace binade::views
