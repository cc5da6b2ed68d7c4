// SPDX-License-Identifier: Apache-2.0
#include "app/docks/scale_edit.h"

#include "app/present/scale_text.h"
#include "views/look_at_number.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QKeyEvent>

namespace binade::app {

ScaleEdit::ScaleEdit(QWidget* parent) : QLineEdit(parent) {
  setAccessibleName(tr("Current loss scale"));
  setAlignment(Qt::AlignRight);
  setFont(views::figureFont());
  setFixedWidth(150);
  setEnabled(false);
  setWhatsThis(tr(
      "The loss is multiplied by this number, so that small gradients do not become 0 in float16, and the gradients "
      "are divided by it before the optimizer uses them. The scaler lowers it after an overflow and raises it after "
      "a number of good steps. The shaded band of the chart holds the scales at which no gradient overflows or loses "
      "more than 1 % of its norm."));
  showPresent();
  connect(this, &QLineEdit::textEdited, this,
          [this] { setToolTip(tr("Press Return to set the scale from the next step.")); });
}

void ScaleEdit::setScale(double scale) {
  if (scale == scale_) return;
  scale_ = scale;
  if (!hasFocus()) showPresent();
}

void ScaleEdit::showPresent() {
  setText(scale_ > 0 ? scaleWithValue(scale_) : QString());
  setToolTip(tr("The current loss scale. Type 2^17 or 131072 and press Return to change it."));
  setModified(false);
}

void ScaleEdit::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return commit();
  if (event->key() == Qt::Key_Down) return Q_EMIT moreRequested();
  if (event->key() == Qt::Key_Escape) {
    showPresent();
    clearFocus();
    return;
  }
  QLineEdit::keyPressEvent(event);
}

void ScaleEdit::commit() {
  const auto scale = parseScale(text());
  if (!scale) {
    selectAll();
    Q_EMIT problem(
        {tr("“%1” is not a loss scale.").arg(text()), tr("Type a power of two such as 2^17, or a positive number.")});
    return;
  }
  Q_EMIT scaleRequested(*scale);
  setModified(false);
  clearFocus();
}

void ScaleEdit::contextMenuEvent(QContextMenuEvent* event) {
  QMenu* menu = createStandardContextMenu();
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addSeparator();
  views::addLookEntry(*menu, this, scale_ > 0 ? std::optional(views::PickedNumber{scale_}) : std::nullopt);
  menu->popup(event->globalPos());
}

void ScaleEdit::focusInEvent(QFocusEvent* event) {
  QLineEdit::focusInEvent(event);
  // Shows the power of two alone while editing, without its value in brackets.
  if (scale_ > 0) setText(views::scaleText(scale_));
  selectAll();
}

void ScaleEdit::focusOutEvent(QFocusEvent* event) {
  QLineEdit::focusOutEvent(event);
  showPresent();
}

}  // namespace binade::app
