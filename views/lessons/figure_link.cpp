// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/figure_link.h"

#include "views/lessons/lesson_text.h"
#include "views/style/looks.h"
#include "views/values/colors.h"

#include <QBoxLayout>
#include <QPainter>
#include <QPushButton>

namespace binade::views {

FigureLink::FigureLink(const lessons::Figure& figure, QWidget* parent)
    : QWidget(parent), figure_(figure), button_(new QPushButton) {
  auto* caption = new LessonText(QString::fromStdString(figure.caption), 12);
  setAccessibleName(tr("Figure"));
  setAccessibleDescription(caption->toPlainText());
  button_->setObjectName(QStringLiteral("showFigure"));
  button_->setAccessibleDescription(caption->toPlainText());
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(15, 8, 8, 8);
  column->setSpacing(6);
  column->addWidget(caption);
  caption->setHidden(figure.caption.empty());
  column->addWidget(button_, 0, Qt::AlignLeft);
  connect(button_, &QPushButton::clicked, this, &FigureLink::requested);
  setShown(false);
}

void FigureLink::setShown(bool shown) {
  shown_ = shown;
  button_->setText(shown ? tr("Figure is shown") : tr("Show figure"));
  setQuiet(button_, shown);
  update();
}

void FigureLink::setCovered(bool covered) {
  button_->setEnabled(!covered);
  button_->setToolTip(covered ? tr("Make your prediction first") : QString());
}

void FigureLink::paintEvent(QPaintEvent*) {
  const Colors& c = colors();
  QPainter painter(this);
  painter.fillRect(rect(), c.otherRow);
  painter.fillRect(QRect(0, 0, 3, height()), shown_ ? c.indigo : c.line);
}

}  // namespace binade::views
