// SPDX-License-Identifier: Apache-2.0
#include "app/docks/empty_state.h"

#include "views/style/looks.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace binade::app {

EmptyState::EmptyState(QWidget* content, const QString& headline, const QString& sentence, QWidget* parent)
    : QStackedWidget(parent), column_(nullptr), headline_(new QLabel), sentence_(new QLabel) {
  auto* page = new QWidget;
  column_ = new QVBoxLayout(page);
  column_->addStretch();
  column_->addWidget(headline_);
  column_->addWidget(sentence_);
  column_->addStretch();
  QFont bold = headline_->font();
  bold.setWeight(QFont::DemiBold);
  headline_->setFont(bold);
  views::setTone(sentence_, views::Tone::kSecond);
  for (QLabel* label : {headline_, sentence_}) {
    label->setAlignment(Qt::AlignCenter);
    label->setWordWrap(true);
  }
  addWidget(content);
  addWidget(page);
  setText(headline, sentence);
  setEmpty(true);
}

void EmptyState::setEmpty(bool empty) {
  setCurrentIndex(empty ? 1 : 0);
}

void EmptyState::setText(const QString& headline, const QString& sentence) {
  headline_->setText(headline);
  sentence_->setText(sentence);
}

void EmptyState::addButton(QPushButton* button) {
  column_->insertSpacing(column_->count() - 1, 8);
  column_->insertWidget(column_->count() - 1, button, 0, Qt::AlignHCenter);
}

QString EmptyState::headline() const {
  return headline_->text();
}

QString EmptyState::sentence() const {
  return sentence_->text();
}

}  // namespace binade::app
