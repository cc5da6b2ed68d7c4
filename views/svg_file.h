// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QRectF>
#include <QString>

#include <functional>

class QPainter;

namespace binade::views {

/// Writes what `paint` paints as an SVG file. `box` is the visible part, in the painter's coordinates; `title` names
/// the picture for assistive technology. Returns false if the file cannot be written; a file of that name then stays as
/// it was.
bool saveSvgFile(const QString& file, const QRectF& box, const QString& title,
                 const std::function<void(QPainter&)>& paint);

}  // namespace binade::views
