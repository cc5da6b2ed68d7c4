// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <QPainter>

#include <functional>

namespace binade::views {

/// Draws a format's window over part of a heat map: hatching outside, lines at overflow, smallest normal (dashed) and
/// underflow. `shift` is in binades; `toY` maps an exponent to a pixel.
void drawHeatWindow(QPainter& painter, const QRectF& area, const formats::Format& format, double shift,
                    const std::function<double(double)>& toY);
/// Draws the labels at the left: `overflows to inf`, `float16 subnormals`, `becomes 0`. `highest` and `lowest` are the
/// extreme shifts of a moving window; equal for a fixed one.
void drawHeatWindowLabels(QPainter& painter, const QRectF& area, const formats::Format& format, double highest,
                          double lowest, const std::function<double(double)>& toY);

}  // namespace binade::views
