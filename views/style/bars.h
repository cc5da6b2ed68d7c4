// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QRect>
#include <QSize>

class QPainter;
class QStyleOptionFrame;
class QStyleOptionHeader;
class QStyleOptionTab;

namespace binade::views {

constexpr int kTabHigh = 28;

/// Geometry and painting of tabs, header sections and frames.
QSize headerSectionSize(const QSize& size);
QRect headerLabelRect(const QStyleOptionHeader& option);
QRect headerArrowRect(const QStyleOptionHeader& option);
void paintSection(QPainter& painter, const QStyleOptionHeader& option);
void paintSortArrow(QPainter& painter, const QStyleOptionHeader& option);
void paintTab(QPainter& painter, const QStyleOptionTab& option);
void paintFrame(QPainter& painter, const QStyleOptionFrame& option);

}  // namespace binade::views
