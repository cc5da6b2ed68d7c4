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
QSize inlineButtonSize(const QSize& contents, const QStyleOption& option);
/// Width of the chevron of a button that opens a menu and has a text; else 0.
int menuSignWidth(const QStyleOption* option);
/// Paints that chevron; `atEdge`: without the padding of a button.
void paintMenuSign(QPainter& painter, const QStyleOption& option, bool atEdge = false);
void paintPushButton(QPainter& painter, const QStyleOptionButton& option, bool primary);
void paintToolButton(QPainter& painter, const QStyleOptionToolButton& option, bool segment, bool lit);
void paintCheckBox(QPainter& painter, const QStyleOption& option, bool wrong);

}  // namespace binade::views
