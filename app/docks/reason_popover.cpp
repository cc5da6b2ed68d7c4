// SPDX-License-Identifier: Apache-2.0
#include "app/docks/reason_popover.h"

#include "app/docks/popover.h"
#include "views/style/looks.h"

#include <QLabel>
#include <QVBoxLayout>

namespace binade::app {

ReasonPopover::ReasonPopover(QWidget* parent)
    : QFrame(parent, Qt::Popup), heading_(views::makeTextLabel()), text_(views::makeTextLabel()) {
  setFrameShape(QFrame::StyledPanel);
  setAccessibleName(tr("Why this format?"));
  QFont bold = heading_->font();
  bold.setWeight(QFont::DemiBold);
  heading_->setFont(bold);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 10, 12, 10);
  layout->setSpacing(6);
  for (QLabel* label : {heading_, text_}) {
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    layout->addWidget(label);
  }
  setFixedWidth(460);
}

void ReasonPopover::showAt(const QRect& place, const QString& heading, const QStringList& sentences) {
  heading_->setText(heading);
  text_->setText(sentences.join(u'\n'));
  setAccessibleDescription(text());
  showPopover(this, place);
  text_->setFocus(Qt::PopupFocusReason);
}

QString ReasonPopover::text() const {
  return heading_->text() + u'\n' + text_->text();
}

}  // namespace binade::app
