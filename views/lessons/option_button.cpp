// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/option_button.h"

#include "views/lessons/lesson_text.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>

#include <cmath>
#include <memory>

namespace binade::views {

namespace {

constexpr int kOptionLeft = 34;  // px: left of the text
constexpr int kOptionSide = 8;
constexpr int kOptionPad = 4;
constexpr int kOptionNote = 17;
constexpr double kCircle = 6;  // radius

}  // namespace

OptionButton::OptionButton(const QString& markdown, QWidget* parent) : QRadioButton(parent), markdown_(markdown) {
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_Hover);
  read();
  connect(themeEvents(), &ThemeEvents::themeChanged, this, &OptionButton::read);
}

void OptionButton::read() {
  readLessonText(document_, markdown_);
  setAccessibleName(document_.toPlainText());
  updateGeometry();
  update();
}

void OptionButton::setJudged(bool right, const QString& note) {
  judged_ = true;
  right_ = right;
  note_ = note;
  setAccessibleDescription(note);
  updateGeometry();
  update();
}

void OptionButton::nextCheckState() {
  if (!judged_) QRadioButton::nextCheckState();
}

bool OptionButton::hitButton(const QPoint& position) const {
  return rect().contains(position);
}

int OptionButton::heightForWidth(int width) const {
  const std::unique_ptr<QTextDocument> other(document_.clone());
  other->setDocumentMargin(0);
  other->setTextWidth(std::max(1, width - kOptionLeft - kOptionSide));
  return static_cast<int>(std::ceil(other->size().height())) + 2 * kOptionPad + (note_.isEmpty() ? 0 : kOptionNote);
}

QSize OptionButton::sizeHint() const {
  constexpr int kUsual = 360;
  return {kUsual, heightForWidth(kUsual)};
}

QSize OptionButton::minimumSizeHint() const {
  return {120, 2 * kOptionPad + 16};
}

void OptionButton::paintEvent(QPaintEvent*) {
  const Colors& c = colors();
  QPainter painter(this);
  const bool hovers = !judged_ && (underMouse() || isDown());
  if (hovers || (judged_ && right_)) painter.fillRect(rect(), c.otherRow);
  if (judged_ && right_) painter.fillRect(QRect(0, 0, 3, height()), c.text);

  const QPointF centre(kOptionLeft - 18, kOptionPad + 8.5);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(hasFocus() ? c.indigo : c.secondText, 1.4));
  painter.setBrush(c.panel);
  painter.drawEllipse(centre, kCircle, kCircle);
  if (isChecked()) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(c.text);
    painter.drawEllipse(centre, kCircle - 3, kCircle - 3);
  }
  painter.setRenderHint(QPainter::Antialiasing, false);

  document_.setTextWidth(std::max(1, width() - kOptionLeft - kOptionSide));
  painter.save();
  painter.translate(kOptionLeft, kOptionPad);
  QAbstractTextDocumentLayout::PaintContext context;
  context.palette = palette();
  context.palette.setColor(QPalette::Text, c.text);
  document_.documentLayout()->draw(&painter, context);
  painter.restore();
  if (!note_.isEmpty()) {
    painter.setFont(textFont(12, right_ ? QFont::DemiBold : QFont::Normal));
    painter.setPen(right_ ? c.text : c.secondText);
    drawText(painter, QRectF(kOptionLeft, height() - kOptionPad - kOptionNote + 2, width() - kOptionLeft, kOptionNote),
             Qt::AlignLeft | Qt::AlignVCenter, note_);
  }
  if (!hasFocus()) return;
  painter.setPen(QPen(c.indigo, 0));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

}  // namespace binade::views
