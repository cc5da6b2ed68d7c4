// SPDX-License-Identifier: Apache-2.0
#include "app/empty_state.h"

#include <QLabel>
#include <QVBoxLayout>

namespace binade::app {

EmptyState::EmptyState(QWidget* content, const QString& headline, const QString& sentence, QWidget* parent)
    : QStackedWidget(parent), headline_(new QLabel), sentence_(new QLabel) {
  auto* page = new QWidget;
  auto* layout = new QVBoxLayout(page);
  layout->addStretch();
  layout->addWidget(headline_);
  layout->addWidget(sentence_);
  layout->addStretch();
  QFont bold = headline_->font();
  bold.setWeight(QFont::DemiBold);
  headline_->setFont(bold);
  sentence_->setProperty("tone", QStringLiteral("second"));
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

}  // namespace binade::app
