// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QRect>
#include <QSize>
#include <QStyle>

#include <optional>

class QPainter;
class QStyleOptionProgressBar;
class QStyleOptionSlider;

namespace binade::views {

constexpr int kFieldHigh = 24;
constexpr int kScrollBar = 10;
constexpr int kScrollHandle = 28;  ///< shortest, with its margins
constexpr int kSliderHandle = 12;
constexpr int kSliderHigh = 24;
constexpr int kProgressHigh = 4;

QSize comboBoxSize(const QSize& contents);
QSize lineEditSize(const QSize& contents);

/// Rectangles for a layout from left to right. Without a value, Fusion's rectangle applies.
std::optional<QRect> comboBoxPart(const QRect& rect, QStyle::SubControl part);
std::optional<QRect> scrollBarPart(const QStyleOptionSlider& option, QStyle::SubControl part);
std::optional<QRect> sliderPart(const QStyleOptionSlider& option, QStyle::SubControl part);

void paintLineEdit(QPainter& painter, const QStyleOption* option, bool wrong);
void paintComboBox(QPainter& painter, const QStyleOptionComplex& option, bool wrong);
void paintScrollBar(QPainter& painter, const QStyleOptionSlider& option, const QRect& handle);
void paintSlider(QPainter& painter, const QStyleOptionSlider& option, const QRect& handle);
void paintProgress(QPainter& painter, const QStyleOptionProgressBar& option);

}  // namespace binade::views
