// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSize>

class QPainter;
class QStyleOption;
class QStyleOptionButton;
class QStyleOptionToolButton;

namespace binade::views {

constexpr int kIndicator = 16;  ///< side of a check box

QSize pushButtonSize(const QSize& contents);
QSize toolButtonSize(const QSize& contents, bool segment);
void paintPushButton(QPainter& painter, const QStyleOptionButton& option, bool primary);
void paintToolButton(QPainter& painter, const QStyleOptionToolButton& option, bool segment, bool lit);
void paintCheckBox(QPainter& painter, const QStyleOption& option, bool wrong);

}  // namespace binade::views
