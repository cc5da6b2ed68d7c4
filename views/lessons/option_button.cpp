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
constexpr int kOptionNoteGap = 16;
constexpr double kCircle = 6;  // radius

QFont optionNoteFont(bool right) {
  return textFont(12, right ? QFont::DemiBold : QFont::Normal);
}

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
  document_.setTextWidth(-1);
  line_width_ = document_.idealWidth();
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

bool OptionButton::isNoteBeside(int width) const {
  return line_width_ + kOptionNoteGap + textWidth(optionNoteFont(right_), note_) <= width - kOptionLeft - kOptionSide;
}

int OptionButton::heightForWidth(int width) const {
  const std::unique_ptr<QTextDocument> other(document_.clone());
  other->setDocumentMargin(0);
  other->setTextWidth(std::max(1, width - kOptionLeft - kOptionSide));
  const int below = note_.isEmpty() || isNoteBeside(width) ? 0 : kOptionNote;
  return static_cast<int>(std::ceil(other->size().height())) + 2 * kOptionPad + below;
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
    const bool beside = isNoteBeside(width());
    const double top = beside ? (height() - kOptionNote) / 2.0 - 2 : height() - kOptionPad - kOptionNote + 2;
    painter.setFont(optionNoteFont(right_));
    painter.setPen(right_ ? c.text : c.secondText);
    drawText(painter, QRectF(kOptionLeft, top, width() - kOptionLeft - kOptionSide, kOptionNote),
             (beside ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, note_);
  }
  if (!hasFocus()) return;
  painter.setPen(QPen(c.indigo, 0));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

}  // namespace binade::views
