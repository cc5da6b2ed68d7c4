// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/figure_data.h"

#include <QImage>
#include <QString>

namespace binade::app {

/// A figure as one HTML page that needs no other file: the name of its lesson, its picture and caption, and its text,
/// table and facts. `caption` and `lesson` are plain text; an empty one is left out.
QString figureHtml(const lessons::FigureData& data, const QImage& picture, const QString& caption,
                   const QString& lesson);

}  // namespace binade::app
