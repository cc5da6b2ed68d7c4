// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QIcon>
#include <QString>
#include <QStringList>

namespace binade::views {

/// Names of all icons: run pause step stop undo redo rewind open search close chevron-down chevron-right columns pin
/// float more link-axes fit export chip book bug model flag info warning file run-file tick.
const QStringList& iconNames();

/// An icon by name, drawn from SVG in the text colour of the theme in force when it is painted, so that it never has
/// to be replaced. Disabled: third text; checked (state On): indigo. A null icon for an unknown name.
QIcon icon(const QString& name);

/// The program's own icon, in colour.
QIcon programIcon();

}  // namespace binade::views
