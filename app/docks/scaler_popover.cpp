// SPDX-License-Identifier: Apache-2.0
#include "app/docks/scaler_popover.h"

#include "app/docks/popover.h"
#include "app/form/form_section.h"
#include "engine/formats/error.h"
#include "views/style/looks.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace binade::app {

namespace {

QLabel* words(const QString& text) {
  auto* label = new QLabel(text);
  views::setTone(label, views::Tone::kSecond);
  return label;
}

QString limitText(double scale) {
  return scale == 0 ? QString() : views::scaleText(scale);
}

}  // namespace

ScalerPopover::ScalerPopover(QWidget* parent) : QFrame(parent, Qt::Popup) {
  setFrameShape(QFrame::StyledPanel);
  setAttribute(Qt::WA_NoMouseReplay);  // else a click on the button that opened it would open it again
  setAccessibleName(tr("Parameters of the scaler"));
  auto* lines = new QVBoxLayout(this);
  lines->setContentsMargins(12, 10, 12, 10);
  lines->setSpacing(6);
  QHBoxLayout* group = nullptr;
  const auto begin_group = [&] {
    if (group != nullptr) group->addStretch();
    group = new QHBoxLayout;
    group->setSpacing(6);
    lines->addLayout(group);
  };
  const auto addText = [&](const QString& text) { group->addWidget(words(text)); };
  begin_group();
  addText(tr("Grows ×"));
  group->addWidget(growth_ = add("growth_factor", tr("Growth factor"), tr("Above 1."), 44));
  addText(tr("every"));
  group->addWidget(interval_ = add("growth_interval", tr("Growth interval"),
                                   tr("Steps in a row without an overflow before the scale grows."), 60));
  addText(tr("clean steps"));
  begin_group();
  addText(tr("Backs off ×"));
  group->addWidget(backoff_ = add("backoff_factor", tr("Back-off factor"), tr("Between 0 and 1."), 44));
  addText(tr("after"));
  group->addWidget(hysteresis_ = add("hysteresis", tr("Overflows before back-off"),
                                     tr("Overflowing steps in a row before the scale backs off."), 36));
  addText(tr("overflows"));
  begin_group();
  addText(tr("Floor"));
  group->addWidget(floor_ =
                       add("minimum", tr("Floor"), tr("The scale never backs off below it. Empty: no floor."), 52));
  addText(tr("ceiling"));
  group->addWidget(ceiling_ =
                       add("maximum", tr("Ceiling"), tr("The scale never grows above it. Empty: no ceiling."), 52));
  begin_group();
  static_ = new QCheckBox(tr("Fixed scale"));
  static_->setToolTip(tr("The scale stays; overflowing steps are skipped all the same."));
  group->addWidget(static_);
  begin_group();
  addText(tr("Return applies a field from the next step on."));
  group->addStretch();
  connect(static_, &QCheckBox::toggled, this, &ScalerPopover::take);
}

void ScalerPopover::showAt(const QRect& place) {
  showPopover(this, place);
  QWidget* first = growth_->isEnabled() ? static_cast<QWidget*>(growth_) : static_;
  if (!editable_) first = this;
  first->setFocus(Qt::PopupFocusReason);
}

void ScalerPopover::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) discard();
  QFrame::keyPressEvent(event);  // closes a window of type Popup
}

// A window that is hidden takes the focus from no field, so the field would not be applied.
void ScalerPopover::hideEvent(QHideEvent* event) {
  const auto fields = findChildren<QLineEdit*>();
  if (std::any_of(fields.begin(), fields.end(), [](const QLineEdit* edit) { return edit->isModified(); })) take();
  QFrame::hideEvent(event);
}

void ScalerPopover::discard() {
  for (QLineEdit* edit : findChildren<QLineEdit*>()) edit->setModified(false);
  showValues();
}

QLineEdit* ScalerPopover::add(const char* key, const QString& name, const QString& tip, int width) {
  auto* edit = new QLineEdit;
  edit->setObjectName(QString::fromLatin1(key));
  edit->setFont(views::figureFont());
  edit->setFixedWidth(width);
  edit->setAlignment(Qt::AlignRight);
  edit->setAccessibleName(name);
  edit->setToolTip(tip);
  edit->setPlaceholderText(tr("none"));
  connect(edit, &QLineEdit::editingFinished, this, [this, edit] {
    if (edit->isModified()) take();
  });
  return edit;
}

QLineEdit* ScalerPopover::field(const QString& key) const {
  return findChild<QLineEdit*>(key);
}

void ScalerPopover::setScaler(const wire::ScalerConfig& scaler) {
  scaler_ = scaler;
  showValues();
}

void ScalerPopover::setEditable(bool editable) {
  editable_ = editable;
  showValues();
}

void ScalerPopover::showValues() {
  const auto show = [](QLineEdit* edit, const QString& text) {
    if (edit->hasFocus() && edit->isModified()) return;
    edit->setText(text);
    edit->setModified(false);
  };
  show(growth_, views::plainNumber(scaler_.growth_factor));
  show(interval_, QString::number(scaler_.growth_interval));
  show(backoff_, views::plainNumber(scaler_.backoff_factor));
  show(hysteresis_, QString::number(scaler_.hysteresis));
  show(floor_, limitText(scaler_.minimum));
  show(ceiling_, limitText(scaler_.maximum));
  const QSignalBlocker quiet(static_);
  static_->setChecked(scaler_.fixed);
  for (QLineEdit* edit : {growth_, interval_, backoff_, hysteresis_, floor_, ceiling_})
    edit->setEnabled(editable_ && !scaler_.fixed);
  static_->setEnabled(editable_);
}

void ScalerPopover::take() {
  wire::ScalerConfig wanted = scaler_;
  QLineEdit* unread = nullptr;
  const auto number = [&](QLineEdit* edit, double otherwise) {
    const auto value = edit->text().trimmed().isEmpty() ? std::optional(0.0) : parseNumber(edit->text());
    if (!value) unread = edit;
    return value.value_or(otherwise);
  };
  wanted.growth_factor = number(growth_, wanted.growth_factor);
  wanted.growth_interval = std::llround(number(interval_, static_cast<double>(wanted.growth_interval)));
  wanted.backoff_factor = number(backoff_, wanted.backoff_factor);
  wanted.hysteresis = std::llround(number(hysteresis_, static_cast<double>(wanted.hysteresis)));
  wanted.minimum = number(floor_, wanted.minimum);
  wanted.maximum = number(ceiling_, wanted.maximum);
  wanted.fixed = static_->isChecked();
  if (unread != nullptr) {
    const QString typed = unread->text();
    unread->setModified(false);
    showValues();
    Q_EMIT problem({tr("“%1” is not a number.").arg(typed), tr("Type a number, or a power of two such as 2^10.")});
    return;
  }
  try {
    wire::ScalerConfig checked = wanted;  // the current scale may lie outside the limits until the next update
    checked.init_scale = wanted.minimum > 0 ? wanted.minimum : wanted.maximum > 0 ? wanted.maximum : 1;
    wire::check(checked, "");
  } catch (const Error& error) {
    discard();
    Q_EMIT problem(problemOf(error));
    return;
  }
  for (QLineEdit* edit : findChildren<QLineEdit*>()) edit->setModified(false);
  if (wanted == scaler_) return showValues();
  Q_EMIT tuneRequested(wanted);
}

}  // namespace binade::app
