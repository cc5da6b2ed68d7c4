// SPDX-License-Identifier: Apache-2.0
#include "views/style/style.h"

#include "views/style/bars.h"
#include "views/style/boxes.h"
#include "views/style/buttons.h"
#include "views/style/fields.h"
#include "views/style/looks.h"
#include "views/style/menus.h"
#include "views/theme.h"

#include <QComboBox>
#include <QMainWindow>
#include <QPainter>
#include <QScrollBar>
#include <QStyleOption>
#include <QTabBar>

namespace binade::views {

Style::Style() : QProxyStyle(QStringLiteral("Fusion")) {}

void Style::polish(QWidget* widget) {
  QProxyStyle::polish(widget);
  if (qobject_cast<QMainWindow*>(widget) != nullptr) widget->setAttribute(Qt::WA_StyledBackground);
  if (qobject_cast<QTabBar*>(widget) != nullptr) {
    widget->setAttribute(Qt::WA_StyledBackground);
    widget->setAttribute(Qt::WA_Hover);
  }
  // The widget behind a scroll bar is visible beside the handle.
  if (qobject_cast<QScrollBar*>(widget) != nullptr) widget->setAttribute(Qt::WA_OpaquePaintEvent, false);
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  switch (metric) {
    case PM_DefaultFrameWidth:
    case PM_MenuPanelWidth:
      return 1;
    case PM_MenuVMargin:
    case PM_MenuBarHMargin:
    case PM_ToolBarItemSpacing:
    case PM_DockWidgetSeparatorExtent:
      return 4;
    case PM_MenuHMargin:
    case PM_MenuBarVMargin:
    case PM_MenuBarPanelWidth:
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
    case PM_ToolBarItemMargin:
    case PM_ToolBarFrameWidth:
    case PM_TabBarTabVSpace:
    case PM_TabBarTabShiftHorizontal:
    case PM_TabBarTabShiftVertical:
    case PM_TabBarTabOverlap:
    case PM_TabBarBaseOverlap:
    case PM_TabBarBaseHeight:
      return 0;
    case PM_TabBarTabHSpace:
      return 24;
    case PM_ToolTipLabelFrameWidth:
      return 5;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
      return kIndicator;
    case PM_CheckBoxLabelSpacing:
    case PM_MenuBarItemSpacing:
      return 6;
    case PM_MenuButtonIndicator:
      return menuSignWidth(option);
    case PM_ScrollBarExtent:
      return kScrollBar;
    case PM_ScrollBarSliderMin:
      return kScrollHandle;
    case PM_SliderLength:
    case PM_SliderThickness:
    case PM_SliderControlThickness:
      return kSliderHandle;
    default:
      return QProxyStyle::pixelMetric(metric, option, widget);
  }
}

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                     QStyleHintReturn* result) const {
  switch (hint) {
    case SH_ItemView_DrawDelegateFrame:
    case SH_ScrollBar_Transient:
      return 0;
    default:
      return QProxyStyle::styleHint(hint, option, widget, result);
  }
}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                              const QWidget* widget) const {
  switch (type) {
    case CT_PushButton:
      return pushButtonSize(size);
    case CT_ToolButton:
      if (isInline(widget)) return inlineButtonSize(size, *option);
      return toolButtonSize(size, isSegment(widget)) + QSize(menuSignWidth(option), 0);
    case CT_ComboBox:
      return comboBoxSize(size);
    case CT_LineEdit:
      return lineEditSize(size);
    case CT_SpinBox:
      return {QProxyStyle::sizeFromContents(type, option, size, widget).width(), kFieldHigh};
    case CT_CheckBox:
      return QProxyStyle::sizeFromContents(type, option, size, widget) - QSize(4, 4);  // Fusion's room around it
    case CT_Slider:
      return size.expandedTo({0, kSliderHigh});
    case CT_ProgressBar:
      return {size.width(), kProgressHigh};
    case CT_MenuItem:
      if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) {
        // The list of a combo box passes its own size. A layout by it would grow with every popup.
        const bool in_list = qobject_cast<const QComboBox*>(widget) != nullptr;
        const QSize words = in_list ? item->fontMetrics.size(Qt::TextShowMnemonic, item->text) : size;
        return menuItemSize(menuItemOf(*item, widget), words);
      }
      break;
    case CT_MenuBarItem:
      return size + QSize(16, 8);
    case CT_HeaderSection:
      return headerSectionSize(QProxyStyle::sizeFromContents(type, option, size, widget));
    case CT_TabBarTab:
      return {size.width(), kTabHigh};
    default:
      break;
  }
  return QProxyStyle::sizeFromContents(type, option, size, widget);
}

QRect Style::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const {
  switch (element) {
    case SE_LineEditContents:
      return option->rect.adjusted(5, 1, -5, -1);  // the editor adds 2 px of its own
    case SE_HeaderLabel:
    case SE_HeaderArrow:
      if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
        return element == SE_HeaderLabel ? headerLabelRect(*header) : headerArrowRect(*header);
      }
      break;
    default:
      break;
  }
  return QProxyStyle::subElementRect(element, option, widget);
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                            const QWidget* widget) const {
  if (control == CC_ComboBox) {
    if (const auto rect = comboBoxPart(option->rect, part)) return visualRect(option->direction, option->rect, *rect);
  }
  if (control == CC_ScrollBar || control == CC_Slider) {
    if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option)) {
      const auto rect = control == CC_ScrollBar ? scrollBarPart(*slider, part) : sliderPart(*slider, part);
      if (rect) return visualRect(option->direction, option->rect, *rect);
    }
  }
  return QProxyStyle::subControlRect(control, option, part, widget);
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const {
  const Colors& c = colors();
  switch (element) {
    case PE_Widget:
      if (widget == nullptr) return;
      if (qobject_cast<const QMainWindow*>(widget) != nullptr) return painter->fillRect(option->rect, c.window);
      if (qobject_cast<const QTabBar*>(widget) != nullptr) return painter->fillRect(option->rect, c.bar);
      return paintSurface(*painter, *widget);
    case PE_FrameFocusRect:  // the border shows the focus
    case PE_PanelMenuBar:
    case PE_FrameStatusBarItem:
    case PE_FrameTabBarBase:
    case PE_FrameMenu:
    case PE_FrameLineEdit:
    case PE_IndicatorDockWidgetResizeHandle:
    case PE_PanelScrollAreaCorner:
      return;
    case PE_PanelLineEdit:
      return paintLineEdit(*painter, option, isWrong(widget));
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
      return paintCheckBox(*painter, *option, isWrong(widget));
    case PE_PanelTipLabel:
    case PE_PanelMenu:
      return paintBox(*painter, option->rect, c.panel, c.line, 1, 0);
    case PE_Frame:
    case PE_FrameDockWidget:
      return paintBox(*painter, option->rect, Qt::transparent, c.line, 1, 0);
    case PE_PanelStatusBar:
      painter->fillRect(option->rect, c.bar);
      return painter->fillRect(QRect(option->rect.topLeft(), QSize(option->rect.width(), 1)), c.line);
    case PE_FrameTabWidget:
      painter->fillRect(option->rect, c.panel);
      return painter->fillRect(QRect(option->rect.topLeft(), QSize(option->rect.width(), 1)), c.line);
    case PE_IndicatorHeaderArrow:
      if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option)) paintSortArrow(*painter, *header);
      return;
    case PE_IndicatorArrowUp:
      return paintChevron(*painter, option->rect, Qt::UpArrow, c.secondText);
    case PE_IndicatorArrowDown:
      return paintChevron(*painter, option->rect, Qt::DownArrow, c.secondText);
    case PE_IndicatorArrowLeft:
      return paintChevron(*painter, option->rect, Qt::LeftArrow, c.secondText);
    case PE_IndicatorArrowRight:
      return paintChevron(*painter, option->rect, Qt::RightArrow, c.secondText);
    default:
      return QProxyStyle::drawPrimitive(element, option, painter, widget);
  }
}

void Style::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                        const QWidget* widget) const {
  if (drawButton(element, option, painter, widget) || drawBar(element, option, painter, widget)) return;
  QProxyStyle::drawControl(element, option, painter, widget);
}

// Paints the bevel here, and lets Qt paint the label in a colour that fits it.
bool Style::drawButton(ControlElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const {
  const Colors& c = colors();
  if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
    if (element == CE_PushButtonBevel) {
      paintPushButton(*painter, *button, isPrimary(widget));
      return true;
    }
    if (element == CE_PushButtonLabel && (isPrimary(widget) || isQuiet(widget)) &&
        button->state.testFlag(State_Enabled)) {
      QStyleOptionButton label(*button);
      label.palette.setColor(QPalette::ButtonText, isPrimary(widget) ? c.panel : c.secondText);
      QProxyStyle::drawControl(element, &label, painter, widget);
      return true;
    }
  }
  if (element == CE_ToolButtonLabel && isLit(widget)) {
    if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option)) {
      QStyleOptionToolButton label(*button);
      QPixmap sign = button->icon.pixmap(button->iconSize, painter->device()->devicePixelRatioF());
      QPainter tint(&sign);
      tint.setCompositionMode(QPainter::CompositionMode_SourceIn);
      tint.fillRect(sign.rect(), c.panel);
      tint.end();
      label.icon = sign;
      label.state.setFlag(State_Enabled);
      QProxyStyle::drawControl(element, &label, painter, widget);
      return true;
    }
  }
  if (element == CE_ToolButtonLabel && option->state.testFlag(State_On)) {
    if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option)) {
      QStyleOptionToolButton label(*button);
      label.palette.setColor(QPalette::ButtonText, isSegment(widget) ? c.panel : c.indigo);
      if (isSegment(widget)) label.font.setWeight(QFont::DemiBold);
      QProxyStyle::drawControl(element, &label, painter, widget);
      return true;
    }
  }
  return false;
}

bool Style::drawBar(ControlElement element, const QStyleOption* option, QPainter* painter,
                    const QWidget* widget) const {
  const Colors& c = colors();
  switch (element) {
    case CE_ShapedFrame:
      if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option)) paintFrame(*painter, *frame);
      return true;
    case CE_ToolBar:
      painter->fillRect(option->rect, c.bar);
      painter->fillRect(QRect(0, option->rect.bottom(), option->rect.width(), 1), c.line);
      return true;
    case CE_MenuBarEmptyArea:
      painter->fillRect(option->rect, c.bar);
      return true;
    case CE_MenuBarItem:
      if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) paintMenuBarItem(*painter, *item);
      return true;
    case CE_MenuEmptyArea:
      return true;
    case CE_MenuItem:
      if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) {
        paintMenuItem(*painter, menuItemOf(*item, widget));
      }
      return true;
    case CE_HeaderSection:
      if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option)) paintSection(*painter, *header);
      return true;
    case CE_HeaderEmptyArea:
      painter->fillRect(option->rect, c.bar);
      return true;
    case CE_Header:
      if (const auto* header = qstyleoption_cast<const QStyleOptionHeaderV2*>(option)) {
        QStyleOptionHeaderV2 part(*header);
        part.palette.setColor(QPalette::ButtonText, c.secondText);
        paintSection(*painter, *header);
        part.rect = headerLabelRect(*header);
        QProxyStyle::drawControl(CE_HeaderLabel, &part, painter, widget);
        part.rect = headerArrowRect(*header);
        paintSortArrow(*painter, part);
        return true;
      }
      return false;
    case CE_TabBarTabShape:
      if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option)) paintTab(*painter, *tab);
      return true;
    case CE_TabBarTabLabel:
      if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option)) {
        QStyleOptionTab label(*tab);
        const bool lit = (tab->state & (State_Selected | State_MouseOver)).toInt() != 0;
        label.palette.setColor(QPalette::WindowText, lit ? c.text : c.secondText);
        QProxyStyle::drawControl(element, &label, painter, widget);
      }
      return true;
    case CE_ProgressBarGroove:
      paintBox(*painter, option->rect, c.softLine, Qt::transparent, 0, 2);
      return true;
    case CE_ProgressBarContents:
      if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option)) paintProgress(*painter, *bar);
      return true;
    case CE_ProgressBarLabel:
      return true;
    default:
      return false;
  }
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                               const QWidget* widget) const {
  switch (control) {
    case CC_ToolButton:
      if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option)) {
        paintToolButton(*painter, *button, isSegment(widget), isLit(widget));
        QStyleOptionToolButton label(*button);
        paintMenuSign(*painter, label, isInline(widget));
        label.rect.setRight(label.rect.right() - menuSignWidth(&label));
        if (isInline(widget))
          label.text = label.fontMetrics.elidedText(label.text, Qt::ElideMiddle, label.rect.width());
        proxy()->drawControl(CE_ToolButtonLabel, &label, painter, widget);
      }
      return;
    case CC_ComboBox:
      paintComboBox(*painter, *option, isWrong(widget));
      return;
    case CC_ScrollBar:
      if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option)) {
        paintScrollBar(*painter, *bar, proxy()->subControlRect(control, option, SC_ScrollBarSlider, widget));
      }
      return;
    case CC_Slider:
      if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option)) {
        paintSlider(*painter, *slider, proxy()->subControlRect(control, option, SC_SliderHandle, widget));
      }
      return;
    default:
      QProxyStyle::drawComplexControl(control, option, painter, widget);
  }
}

}  // namespace binade::views
