// SPDX-License-Identifier: Apache-2.0
#include "views/reason_card.h"

#include "views/elided_label.h"
#include "views/icons.h"
#include "views/style/looks.h"
#include "views/table/delegates.h"
#include "views/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace binade::views {

namespace {

constexpr int kCardWide = 560;
constexpr int kWidest = 860;
constexpr int kLowWindow = 900;

// Painted from the icon each time, so that its colour follows the theme.
class IconView : public QWidget {
 public:
  IconView(const QString& name, int size) : name_(name) { setFixedSize(size, size); }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    icon(name_).paint(&painter, rect());
  }

 private:
  QString name_;
};

QLabel* wrapped() {
  auto* label = new QLabel;
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

QWidget* line(const QString& shape, const QString& text) {
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  auto* words = wrapped();
  words->setText(text);
  setTone(words, Tone::kSecond);
  layout->addWidget(new IconView(shape, 16), 0, Qt::AlignTop);
  layout->addWidget(words, 1);
  return row;
}

}  // namespace

ReasonCard::ReasonCard(QWidget* parent)
    : QWidget(parent),
      card_(new QWidget),
      headline_(new QLabel),
      sentence_(wrapped()),
      next_(wrapped()),
      code_(new ElidedLabel),
      body_(new QBoxLayout(QBoxLayout::TopToBottom)),
      list_(new QVBoxLayout),
      buttons_(new QHBoxLayout) {
  auto* outer = new QHBoxLayout(this);
  outer->setContentsMargins(16, 12, 16, 12);
  outer->addStretch();
  outer->addWidget(card_, 8, Qt::AlignVCenter);
  outer->addStretch();
  setSurface(card_, Surface::kCard);
  card_->setMaximumWidth(kWidest);
  auto* page = new QHBoxLayout(card_);
  page->setContentsMargins(20, 16, 20, 16);
  page->setSpacing(14);
  page->addWidget(new IconView(QStringLiteral("chip"), 18), 0, Qt::AlignTop);
  auto* column = new QVBoxLayout;
  column->setSpacing(8);
  page->addLayout(column, 1);
  headline_->setFont(textFont(14, QFont::DemiBold));
  headline_->setWordWrap(true);
  setTone(next_, Tone::kSecond);
  column->addWidget(headline_);
  auto* text = new QVBoxLayout;
  text->setSpacing(8);
  text->addWidget(sentence_);
  text->addWidget(next_);
  text->addStretch();
  list_->setSpacing(4);
  auto* lines = new QVBoxLayout;
  lines->addLayout(list_);
  lines->addStretch();
  body_->setSpacing(8);
  body_->addLayout(text);
  body_->addLayout(lines);
  column->addLayout(body_);
  column->addSpacing(4);
  column->addLayout(buttons_);
  buttons_->setSpacing(8);
  buttons_->addStretch();
  code_->setFont(figureFont(11));
  // Of least importance: on a small screen the buttons may need all the room.
  code_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  code_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  setTone(code_, Tone::kThird);
  buttons_->addWidget(code_);
}

void ReasonCard::arrangeFor(int window_height) {
  const bool low = window_height < kLowWindow;
  const auto direction = low ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom;
  if (body_->direction() == direction) return;
  body_->setDirection(direction);
  body_->setSpacing(low ? 24 : 8);
  layout()->setContentsMargins(16, low ? 6 : 12, 16, low ? 6 : 12);
  shareWidth();
}

// Beside each other, the text and the list share the width. A list without entries gets none. The text alone gets a
// wide card, since its lines would need the height that a low dock lacks.
void ReasonCard::shareWidth() {
  const bool beside = body_->direction() == QBoxLayout::LeftToRight;
  card_->setMaximumWidth(beside || list_->count() == 0 ? kWidest : kCardWide);
  body_->setStretch(0, beside ? 2 : 0);
  body_->setStretch(1, beside && list_->count() > 0 ? 3 : 0);
}

void ReasonCard::setReason(const QString& headline, const QString& sentence, const QString& next) {
  headline_->setText(headline);
  sentence_->setText(sentence);
  sentence_->setVisible(!sentence.isEmpty());
  next_->setText(next);
  next_->setVisible(!next.isEmpty());
  setAccessibleName(headline);
  setAccessibleDescription(sentence + u' ' + next);
}

void ReasonCard::setCode(const QString& code) {
  code_->setText(code);
}

void ReasonCard::clearList() {
  while (QLayoutItem* item = list_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
}

void ReasonCard::setConsequences(const QStringList& missing, const QStringList& working) {
  if (missing == missing_ && working == working_) return;  // set repeatedly with the same values; avoids flicker
  missing_ = missing;
  working_ = working;
  clearList();
  for (const QString& each : missing) list_->addWidget(line(QStringLiteral("close"), each));
  for (const QString& each : working) list_->addWidget(line(QStringLiteral("tick"), each));
  shareWidth();
}

QPushButton* ReasonCard::addButton(const QString& text) {
  auto* button = new QPushButton(text);
  buttons_->insertWidget(buttons_->count() - 2, button);
  choosePrimary();
  return button;
}

void ReasonCard::setButtonShown(QPushButton* button, bool shown) {
  button->setVisible(shown);
  choosePrimary();
}

void ReasonCard::choosePrimary() {
  bool chosen = false;
  for (int i = 0; i < buttons_->count(); ++i) {
    auto* button = qobject_cast<QPushButton*>(buttons_->itemAt(i)->widget());
    if (button == nullptr) continue;
    // A button that was just added to a visible card is hidden until the layout shows it.
    const bool away = button->isHidden() && button->testAttribute(Qt::WA_WState_ExplicitShowHide);
    const bool primary = !chosen && !away;
    chosen = chosen || primary;
    if (isPrimary(button) != primary) setPrimary(button, primary);
  }
}

QString ReasonCard::headline() const {
  return headline_->text();
}

QString ReasonCard::sentence() const {
  return sentence_->text();
}

void ReasonCard::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  arrangeFor(window()->height());
}

void ReasonCard::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrangeFor(window()->height());
}

void ReasonCard::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), colors().otherRow);
  drawHatching(painter, QRectF(rect()), colors().softLine);
}

}  // namespace binade::views
