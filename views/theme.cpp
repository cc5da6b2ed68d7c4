// SPDX-License-Identifier: Apache-2.0
#include "views/theme.h"

#include "views/style/boxes.h"
#include "views/style/style.h"

#include <QFontDatabase>
#include <QFontInfo>
#include <QPalette>
#include <QToolTip>
#include <QWidget>

#include <algorithm>

namespace binade::views {

namespace {

QPalette makePalette(const Colors& c) {
  QPalette p;
  p.setColor(QPalette::Window, c.bar);
  p.setColor(QPalette::WindowText, c.text);
  p.setColor(QPalette::Base, c.panel);
  p.setColor(QPalette::AlternateBase, c.otherRow);
  p.setColor(QPalette::Text, c.text);
  p.setColor(QPalette::PlaceholderText, c.thirdText);
  p.setColor(QPalette::Button, c.panel);
  p.setColor(QPalette::ButtonText, c.text);
  p.setColor(QPalette::BrightText, c.crimson);
  p.setColor(QPalette::Highlight, c.selectedRow);
  p.setColor(QPalette::HighlightedText, c.text);
  p.setColor(QPalette::ToolTipBase, c.panel);
  p.setColor(QPalette::ToolTipText, c.text);
  p.setColor(QPalette::Link, c.indigo);
  p.setColor(QPalette::LinkVisited, c.indigo);
  p.setColor(QPalette::Light, c.panel);
  p.setColor(QPalette::Midlight, c.softLine);
  p.setColor(QPalette::Mid, c.line);
  p.setColor(QPalette::Dark, c.line);
  p.setColor(kSecondTextRole, c.secondText);
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    p.setColor(QPalette::Disabled, role, c.thirdText);
  }
  return p;
}

bool hasInter() {
  static const bool found = QFontDatabase::families().contains(QStringLiteral("Inter"));
  return found;
}

double& scaleOfText() {
  static double scale = 1;
  return scale;
}

void setDefaultFonts(QApplication& app) {
  app.setFont(textFont());
  QApplication::setFont(textFont(12, QFont::DemiBold), "QHeaderView");
}

QFont makeFont(const QString& family, int pixels, QFont::Weight weight) {
  QFont font(family);
  font.setPixelSize(std::max(1, qRound(pixels * textScale())));
  font.setWeight(weight);
  return font;
}

}  // namespace

double textScale() {
  return scaleOfText();
}

void setTextScale(QApplication& app, double scale) {
  const double ratio = scale / textScale();
  if (ratio == 1) return;
  scaleOfText() = scale;
  setDefaultFonts(app);
  // Widgets with a font of their own do not follow the program's font.
  for (QWidget* widget : QApplication::allWidgets()) {
    QFont font = widget->font();
    if (!widget->testAttribute(Qt::WA_SetFont) || font.pixelSize() <= 0) continue;
    font.setPixelSize(std::max(1, qRound(font.pixelSize() * ratio)));
    widget->setFont(font);
  }
  Q_EMIT themeEvents()->themeChanged(colors().theme);
}

QFont textFont(int pixels, QFont::Weight weight) {
  return makeFont(hasInter() ? QStringLiteral("Inter") : QStringLiteral("DejaVu Sans"), pixels, weight);
}

QFont figureFont(int pixels, QFont::Weight weight) {
#if QT_VERSION >= QT_VERSION_CHECK(6, 7, 0)
  QFont font = textFont(pixels, weight);
  if (hasInter()) font.setFeature("tnum", 1);
  return font;
#else
  // Inter's digits have unequal widths, and this version of Qt cannot select the others; DejaVu's are equal.
  return makeFont(QStringLiteral("DejaVu Sans"), pixels, weight);
#endif
}

void applyTheme(QApplication& app, Theme theme) {
  chooseColors(theme);
  if (qobject_cast<Style*>(QApplication::style()) == nullptr) QApplication::setStyle(new Style);
  setDefaultFonts(app);
  const QPalette palette = makePalette(colors());
  QApplication::setPalette(palette);
  QToolTip::setPalette(palette);
  QPalette editor = palette;
  editor.setColor(QPalette::Highlight, colors().indigo);
  editor.setColor(QPalette::HighlightedText, colors().panel);
  QApplication::setPalette(editor, "QLineEdit");
  Q_EMIT themeEvents()->themeChanged(theme);
}

ThemeEvents* themeEvents() {
  static ThemeEvents events;
  return &events;
}

}  // namespace binade::views
