// SPDX-License-Identifier: Apache-2.0
#include "views/question_card.h"

#include "views/table/delegates.h"
#include "views/theme.h"
#include "views/values/elide.h"
#include "views/values/numbers.h"

#include <QPainter>

namespace binade::views {

namespace {
constexpr int kCardHigh = 56;
constexpr double kTextX = 34;
constexpr double kPad = 12;
constexpr double kShapeWide = 16;
constexpr double kLineHigh = 18;
constexpr double kOfTwoHigh = 15;  // a line of an answer in two lines, so that the card keeps its height
constexpr double kHeadTop = 6;     // of the question, so that it stands at the same height in all cards
constexpr int kMostLines = 2;
}  // namespace

QuestionCard::QuestionCard(int number, const QString& question, QWidget* parent)
    : QAbstractButton(parent), number_(number) {
  setText(question);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(question);
}

void QuestionCard::setAnswer(Tone tone, const QString& answer, const QString& brief) {
  if (tone == tone_ && answer == answer_ && brief == brief_) return;
  tone_ = tone;
  answer_ = answer;
  brief_ = brief;
  setAccessibleDescription(answer);
  setToolTip(answer);
  update();
}

void QuestionCard::setCorner(QWidget* widget) {
  corner_ = widget;
  corner_->setParent(this);
  placeCorner();
  corner_->show();
}

void QuestionCard::placeCorner() {
  if (corner_ == nullptr) return;
  const QSize size = corner_->sizeHint();
  corner_->setGeometry(width() - size.width() - static_cast<int>(kPad), height() - size.height() - 6, size.width(),
                       size.height());
}

void QuestionCard::resizeEvent(QResizeEvent*) {
  placeCorner();
}

QSize QuestionCard::sizeHint() const {
  return {300, kCardHigh};
}

QSize QuestionCard::minimumSizeHint() const {
  return {180, kCardHigh};
}

QStringList QuestionCard::answerLines() const {
  const double right = corner_ != nullptr && !corner_->isHidden() ? corner_->x() - 8 : width() - kPad;
  const auto lines = [&](const QString& text) {
    return brokenLines(text, textFont(12), right - kTextX - kShapeWide, kMostLines);
  };
  const QStringList whole = lines(answer_);
  return whole.size() > 1 && !brief_.isEmpty() ? lines(brief_) : whole;
}

void QuestionCard::paintEvent(QPaintEvent*) {
  const Colors& c = colors();
  QPainter painter(this);
  const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
  painter.fillRect(rect(), isDown() || underMouse() ? c.otherRow : c.panel);
  painter.setPen(QPen(isChecked() ? c.text : c.line, 0));
  painter.drawRect(box);
  if (isChecked()) painter.drawRect(box.adjusted(1, 1, -1, -1));
  if (hasFocus()) {
    painter.setPen(QPen(c.indigo, 0));
    painter.drawRect(box.adjusted(3, 3, -3, -3));
  }
  const QStringList lines = answerLines();
  const bool two = lines.size() > 1;
  painter.setFont(figureFont(12, QFont::DemiBold));
  painter.setPen(c.thirdText);
  painter.drawText(QRectF(kPad, kHeadTop, 16, kLineHigh), Qt::AlignLeft | Qt::AlignVCenter, QString::number(number_));
  painter.setFont(textFont(13, QFont::DemiBold));
  painter.setPen(c.text);
  drawText(painter, {kTextX, kHeadTop, width() - kTextX - kPad, kLineHigh}, Qt::AlignLeft | Qt::AlignVCenter, text());

  double line_top = two ? 23 : 29;
  const double line_high = two ? kOfTwoHigh : kLineHigh;
  const QPointF shape(kTextX + 5, line_top + line_high / 2);
  if (tone_ == Tone::kBad) drawVerdict(painter, VerdictShape::kOverflow, shape);
  if (tone_ == Tone::kGood) drawVerdict(painter, VerdictShape::kFits, shape);
  if (tone_ == Tone::kUnknown) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(c.secondText, 1.4));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(shape, 3.5, 3.5);
  }
  painter.setFont(textFont(12));
  painter.setPen(tone_ == Tone::kBad ? c.crimson : c.secondText);
  for (const QString& line : lines) {
    drawText(painter, {kTextX + kShapeWide, line_top, width() - kTextX - kShapeWide, line_high},
             Qt::AlignLeft | Qt::AlignVCenter, line);
    line_top += line_high;
  }
}

}  // namespace binade::views
