// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/feedback_box.h"

#include "views/lessons/lesson_text.h"
#include "views/values/colors.h"

#include <QAccessible>
#include <QBoxLayout>
#include <QPainter>

namespace binade::views {

FeedbackBox::FeedbackBox(QWidget* parent) : QWidget(parent), text_(new LessonText) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(15, 10, 12, 10);
  column->addWidget(text_);
  hide();
}

void FeedbackBox::setFeedback(Kind kind, const QString& markdown) {
  kind_ = kind;
  markdown_ = markdown;
  const bool has_head = kind == Kind::kNotYet && !markdown.isEmpty();
  text_->setText(has_head ? QStringLiteral("**%1** %2").arg(tr("Not quite."), markdown) : markdown);
  setAccessibleName(text_->toPlainText());
  setVisible(!markdown.isEmpty());
  update();
  if (markdown.isEmpty()) return;
  Q_EMIT shown();
  QAccessibleEvent alert(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
}

QString FeedbackBox::text() const {
  return markdown_;
}

void FeedbackBox::paintEvent(QPaintEvent*) {
  const Colors& c = colors();
  QPainter painter(this);
  const QColor stripe = kind_ == Kind::kRight ? c.running : kind_ == Kind::kNotYet ? c.paused : c.idle;
  QColor ground = stripe;
  ground.setAlpha(isDark(c.theme) ? 36 : 28);
  painter.fillRect(rect(), ground);
  painter.fillRect(QRect(0, 0, 3, height()), stripe);
}

}  // namespace binade::views
