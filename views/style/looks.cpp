// SPDX-License-Identifier: Apache-2.0
#include "views/style/looks.h"

#include "views/style/boxes.h"
#include "views/style/fields.h"
#include "views/theme.h"

#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QTextLayout>
#include <QToolButton>
#include <QVariant>

#include <cmath>

namespace binade::views {

namespace {

constexpr char kSurface[] = "surface";
constexpr char kPrimary[] = "primary";
constexpr char kQuiet[] = "quiet";
constexpr char kSegment[] = "segment";
constexpr char kInline[] = "inline";
constexpr char kLit[] = "lit";
constexpr char kWrong[] = "wrong";

QMargins borderOf(Surface surface) {
  switch (surface) {
    case Surface::kNone:
      return {};
    case Surface::kCard:
    case Surface::kDropHint:
      return {1, 1, 1, 1};
    case Surface::kChosenCard:
      return {2, 2, 2, 2};
    case Surface::kTitle:
    case Surface::kProblem:
    case Surface::kNotice:
      return {0, 0, 0, 1};
    case Surface::kFoot:
      return {0, 1, 0, 0};
    case Surface::kVerdict:
    case Surface::kBadVerdict:
      return {3, 0, 0, 0};
  }
  return {};
}

void paintDashes(QPainter& painter, const QRect& rect, const QColor& color) {
  painter.setPen(QPen(color, 0, Qt::DashLine));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect.adjusted(0, 0, -1, -1));
}

/// Lays out a text in lines of this width, and returns their height.
int layOutParagraph(QTextLayout& layout, const QLabel& label, int width) {
  constexpr double kParagraphLine = 1.25;  // of the line of a label
  QString text = label.text();
  layout.setText(text.replace(QLatin1Char('\n'), QChar::LineSeparator));
  layout.setFont(label.font());
  const double pitch = std::round(kParagraphLine * label.fontMetrics().lineSpacing());
  double top = 0;
  layout.beginLayout();
  for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
    line.setLineWidth(width);
    line.setPosition({0, top + (pitch - line.height()) / 2});
    top += pitch;
  }
  layout.endLayout();
  return static_cast<int>(top);
}

}  // namespace

void setTone(QWidget* label, Tone tone) {
  const QPalette::ColorRole roles[] = {QPalette::WindowText, kSecondTextRole, QPalette::PlaceholderText,
                                       QPalette::BrightText};
  label->setForegroundRole(roles[static_cast<int>(tone)]);
}

QLabel* makeTextLabel(Tone tone) {
  auto* label = new QLabel;
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  // Selection by keyboard would show a caret in a text that cannot be edited.
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  setTone(label, tone);
  return label;
}

QProgressBar* makeProgressLine(const QString& name) {
  auto* bar = new QProgressBar;
  bar->setTextVisible(false);
  bar->setFixedHeight(kProgressHigh);
  bar->setAccessibleName(name);
  QSizePolicy stays = bar->sizePolicy();
  stays.setRetainSizeWhenHidden(true);
  bar->setSizePolicy(stays);
  return bar;
}

void setSurface(QWidget* widget, Surface surface) {
  const Surface before = surfaceOf(widget);
  if (before == surface) return;
  widget->setProperty(kSurface, static_cast<int>(surface));
  widget->setAttribute(Qt::WA_StyledBackground);
  widget->setContentsMargins(widget->contentsMargins() - borderOf(before) + borderOf(surface));
  widget->update();
}

Surface surfaceOf(const QWidget* widget) {
  return static_cast<Surface>(widget->property(kSurface).toInt());
}

void paintSurface(QPainter& painter, const QWidget& widget) {
  const Colors& c = colors();
  const QRect all = widget.rect();
  const auto below = [&](const QColor& ground, const QColor& line) {
    painter.fillRect(all, ground);
    painter.fillRect(QRect(0, all.bottom(), all.width(), 1), line);
  };
  const auto verdict = [&](const QColor& ground, const QColor& line) {
    painter.fillRect(all, ground);
    painter.fillRect(QRect(0, 0, 3, all.height()), line);
  };
  switch (surfaceOf(&widget)) {
    case Surface::kNone:
      return;
    case Surface::kCard:
      return paintBox(painter, all, c.panel, c.line);
    case Surface::kChosenCard:
      return paintBox(painter, all, c.panel, c.text, 2);
    case Surface::kDropHint:
      return paintDashes(painter, all, c.thirdText);
    case Surface::kTitle:
    case Surface::kNotice:
      return below(c.bar, c.line);
    case Surface::kFoot:
      painter.fillRect(all, c.bar);
      return painter.fillRect(QRect(0, 0, all.width(), 1), c.line);
    case Surface::kProblem:
      return below(c.crimsonGround, c.crimson);
    case Surface::kVerdict:
      return verdict(c.otherRow, c.text);
    case Surface::kBadVerdict:
      return verdict(c.crimsonGround, c.crimson);
  }
}

void setPanelGround(QWidget* widget) {
  widget->setBackgroundRole(QPalette::Base);
  widget->setAutoFillBackground(true);
}

void setPrimary(QPushButton* button, bool primary) {
  button->setProperty(kPrimary, primary);
  button->setFont(textFont(12, primary ? QFont::DemiBold : QFont::Normal));
  button->update();
}

bool isPrimary(const QWidget* button) {
  return button != nullptr && button->property(kPrimary).toBool();
}

void setQuiet(QPushButton* button, bool quiet) {
  button->setProperty(kQuiet, quiet);
  button->update();
}

bool isQuiet(const QWidget* button) {
  return button != nullptr && button->property(kQuiet).toBool();
}

void setSegment(QToolButton* button) {
  button->setProperty(kSegment, true);
  button->setFont(textFont(12, QFont::Medium));
}

bool isSegment(const QWidget* button) {
  return button != nullptr && button->property(kSegment).toBool();
}

void setInline(QToolButton* button) {
  button->setProperty(kInline, true);
  button->setFont(textFont(12, QFont::DemiBold));
}

bool isInline(const QWidget* button) {
  return button != nullptr && button->property(kInline).toBool();
}

void setLit(QToolButton* button, bool lit) {
  button->setProperty(kLit, lit);
  button->update();
}

bool isLit(const QWidget* button) {
  return button != nullptr && button->property(kLit).toBool();
}

void setWrong(QWidget* editor, bool wrong) {
  editor->setProperty(kWrong, wrong);
  editor->update();
}

bool isWrong(const QWidget* editor) {
  return editor != nullptr && editor->property(kWrong).toBool();
}

Badge::Badge(const QString& text, QWidget* parent) : QLabel(text, parent) {
  setFont(textFont(10, QFont::DemiBold));
  setAlignment(Qt::AlignCenter);
}

void Badge::setQuiet() {
  quiet_ = true;
  setFont(textFont(10));
  setTone(this, Tone::kThird);
}

QSize Badge::sizeHint() const {
  return QLabel::sizeHint() + QSize(12, 2);
}

void Badge::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  paintBox(painter, rect(), Qt::transparent, quiet_ ? colors().line : colors().text, 1, 3);
  painter.end();
  QLabel::paintEvent(event);
}

Paragraph::Paragraph(const QString& text, QWidget* parent) : QLabel(text, parent) {
  setTextFormat(Qt::PlainText);
  setWordWrap(true);
}

int Paragraph::heightForWidth(int width) const {
  QTextLayout layout;
  return layOutParagraph(layout, *this, width);
}

void Paragraph::paintEvent(QPaintEvent*) {
  QTextLayout layout;
  layOutParagraph(layout, *this, width());
  QPainter painter(this);
  painter.setPen(palette().color(foregroundRole()));
  layout.draw(&painter, {});
}

}  // namespace binade::views
