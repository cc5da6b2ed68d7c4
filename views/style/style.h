// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QProxyStyle>

namespace binade::views {

/// The program's style: Fusion with other sizes, borders and colours. It reads the theme's colours whenever it paints,
/// so one object serves both themes. The functions of `views/style/looks.h` mark special widgets, such as a primary
/// button or a card.
///
/// A style sheet would make the start slower, because Qt matches every rule against every widget.
class Style : public QProxyStyle {
  Q_OBJECT

 public:
  Style();

  void polish(QWidget* widget) override;
  using QProxyStyle::polish;

  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* result) const override;
  QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                         const QWidget* widget) const override;
  QRect subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const override;
  QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                       const QWidget* widget) const override;
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                   const QWidget* widget) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget) const override;

 private:
  bool drawButton(ControlElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const;
  bool drawBar(ControlElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const;
};

}  // namespace binade::views
