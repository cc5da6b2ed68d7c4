// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/figure_data.h"

#include <QPainter>

#include <optional>

namespace binade::views {

/// Colour of a part of a figure: a format's, or else its role's.
QColor figureInk(const std::optional<formats::Format>& format, lessons::Role role);
/// Background of a band.
QColor figureGround(lessons::Role role);
/// Colour of a band's or a mark's label.
QColor figureLabelInk(lessons::Role role);
/// Colour of text on a bar.
QColor textOnInk(const std::optional<formats::Format>& format, lessons::Role role);
/// Fills a bar: solid for what is held in full, hatched for subnormal and quoted values, pale for what is lost.
void fillFigureBar(QPainter& painter, const QRectF& rect, const std::optional<formats::Format>& format,
                   lessons::Role role);
/// Pen of a series of a panel. `sparse`: few enough points for a line of 1.6 px. A series in the colour of an earlier
/// one is dashed, and so is a curve that would hide an earlier one. Of two series of lost values, the second is
/// neutral.
QPen figurePen(const lessons::Panel& panel, const lessons::Series& series, bool sparse);
/// The number with 12 digits if the double differs from it only by the rounding of the computation: 1e-8 for
/// 1.0000000000000005e-8. Exact numbers, such as powers of 2, stay.
double withoutRoundingError(double value);
/// Arrow head: what the bar shows goes on beyond the plot.
void drawGoesOn(QPainter& painter, QPointF tip, bool right, const QColor& color);

}  // namespace binade::views
