// SPDX-License-Identifier: Apache-2.0
#include "app/banner.h"

#include "views/icons.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace binade::app {

Banner::Banner(QWidget* parent) : QFrame(parent), message_(new QLabel), hint_(new QLabel), offer_(new QPushButton) {
  setObjectName(QStringLiteral("banner"));
  setAccessibleName(tr("Problem"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(16, 8, 8, 8);
  layout->setSpacing(12);
  auto* sign = new QLabel;
  sign->setPixmap(views::icon(QStringLiteral("warning")).pixmap(16, 16));
  auto* texts = new QVBoxLayout;
  texts->setSpacing(2);
  QFont bold = message_->font();
  bold.setWeight(QFont::DemiBold);
  message_->setFont(bold);
  hint_->setProperty("tone", QStringLiteral("second"));
  for (QLabel* label : {message_, hint_}) {
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    texts->addWidget(label);
  }
  auto* close = new QToolButton;
  close->setIcon(views::icon(QStringLiteral("close")));
  close->setToolTip(tr("Close"));
  close->setAccessibleName(tr("Close the message"));
  connect(close, &QToolButton::clicked, this, &Banner::dismiss);
  layout->addWidget(sign, 0, Qt::AlignTop);
  layout->addLayout(texts, 1);
  layout->addWidget(offer_, 0, Qt::AlignVCenter);
  offer_->hide();
  offer_->setAccessibleName(tr("What can be done now"));
  connect(offer_, &QPushButton::clicked, this, [this] {
    const auto what = offered_;  // it may show a problem of its own
    dismiss();
    if (what) what();
  });
  layout->addWidget(close, 0, Qt::AlignTop);
  hide();
}

void Banner::showProblem(const Problem& problem) {
  message_->setText(problem.message);
  hint_->setText(problem.hint);
  hint_->setVisible(!problem.hint.isEmpty());
  offer_->hide();
  setAccessibleDescription(problem.message + u' ' + problem.hint);
  show();
  Q_EMIT opened();
  fitHeight();
  QAccessibleEvent event(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&event);
}

void Banner::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  fitHeight();
}

// A tool bar gives what is in it the height that its words would need in a narrow column.
void Banner::fitHeight() {
  const int high = layout()->heightForWidth(width());
  if (high > 0 && high != height()) setFixedHeight(high);
}

void Banner::offer(const QString& text, std::function<void()> what) {
  offer_->setText(text);
  offer_->setAccessibleName(text);
  offered_ = std::move(what);
  offer_->show();
}

void Banner::dismiss() {
  hide();
  Q_EMIT closed();
}

QString Banner::message() const {
  return message_->text();
}
QString Banner::hint() const {
  return hint_->text();
}

}  // namespace binade::app
