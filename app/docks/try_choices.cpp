// SPDX-License-Identifier: Apache-2.0
#include "app/docks/try_choices.h"

#include "app/docks/training_fields.h"
#include "app/session/policy_document.h"
#include "views/elided_combo.h"
#include "views/flow_layout.h"
#include "views/style/looks.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace binade::app {

namespace {

QWidget* labelled(const QString& text, QSpinBox* field) {
  auto* part = new QWidget;
  auto* row = new QHBoxLayout(part);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  auto* label = new QLabel(text);
  views::setTone(label, views::Tone::kSecond);
  label->setBuddy(field);
  row->addWidget(label);
  row->addWidget(field);
  return part;
}

}  // namespace

TryChoices::TryChoices(QWidget* parent)
    : QWidget(parent),
      before_(makeChoice(tr("Policy before"))),
      after_(makeChoice(tr("Policy after"))),
      steps_(makeStepsField()),
      seeds_(makeRepetitionsField()),
      try_(new QPushButton(tr("Try"))) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 8, 12, 8);
  column->setSpacing(6);
  auto* form = new QFormLayout;
  form->setContentsMargins(0, 0, 0, 0);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->addRow(tr("After"), after_);
  form->addRow(tr("Before"), before_);
  column->addLayout(form);
  auto* amounts = new QWidget;
  auto* flow = new views::FlowLayout(amounts, 12, 6);
  flow->addWidget(labelled(tr("Steps"), steps_));
  flow->addWidget(labelled(tr("Repetitions"), seeds_));
  flow->addWidget(try_);
  views::setPrimary(try_);
  column->addWidget(amounts);
  connect(try_, &QPushButton::clicked, this, [this] {
    if (const auto wanted = wish()) Q_EMIT tryRequested(*wanted);
  });
  update();
}

QComboBox* TryChoices::makeChoice(const QString& name) {
  auto* choice = new views::ElidedComboBox;
  choice->setAccessibleName(name);
  choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  choice->setMinimumContentsLength(8);
  connect(choice, &QComboBox::activated, this, [this, choice](int index) { take(choice, index); });
  return choice;
}

void TryChoices::setChoices(const QList<PolicyChoice>& choices, const std::optional<TryWish>& proposed) {
  choices_ = choices;
  if (choices_.isEmpty()) files_.clear();
  chosen_ = chosen_ && isOffered(wanted_before_) && isOffered(wanted_after_);
  if (proposed && !chosen_) {
    wanted_before_ = proposed->before;
    wanted_after_ = proposed->after;
  }
  refill();
}

bool TryChoices::isOffered(const std::optional<policy::Policy>& wanted) const {
  const QList<PolicyChoice> all = choices_ + files_;
  return wanted &&
         std::any_of(all.begin(), all.end(), [&wanted](const PolicyChoice& each) { return each.policy == *wanted; });
}

void TryChoices::refill() {
  fill(before_, wanted_before_);
  fill(after_, wanted_after_);
  update();
}

// A policy that is no longer offered is replaced by the first one.
void TryChoices::fill(QComboBox* choice, std::optional<policy::Policy>& wanted) {
  const QSignalBlocker quiet(choice);
  choice->clear();
  const QList<PolicyChoice> all = choices_ + files_;
  if (all.isEmpty()) {
    wanted.reset();
    return;
  }
  int at = 0;
  for (const PolicyChoice& each : all) {
    if (wanted && each.policy == *wanted) at = choice->count();
    choice->addItem(each.text);
  }
  wanted = all[at].policy;
  choice->insertSeparator(choice->count());
  choice->addItem(tr("A file…"));
  choice->setCurrentIndex(at);
  choice->setToolTip(choice->currentText());
}

void TryChoices::take(QComboBox* choice, qsizetype index) {
  std::optional<policy::Policy>& wanted = choice == before_ ? wanted_before_ : wanted_after_;
  const QList<PolicyChoice> all = choices_ + files_;
  const std::optional<policy::Policy> taken = index < all.size() ? std::optional(all[index].policy) : readFile();
  if (taken) {
    wanted = taken;
    chosen_ = true;
  }
  refill();  // also if the dialog was cancelled: the list must not show *A file…* as the choice
}

std::optional<policy::Policy> TryChoices::readFile() {
  const QString file = QFileDialog::getOpenFileName(this, tr("Choose a policy"), {}, tr("Policies (*.json)"));
  if (file.isEmpty()) return std::nullopt;
  const PolicyFile read = readPolicyFile(file);
  if (read.policy) {
    files_.append({QFileInfo(file).fileName(), *read.policy});
  } else {
    Q_EMIT problem(read.problem);
  }
  return read.policy;
}

std::optional<TryWish> TryChoices::wish() const {
  if (!wanted_before_ || !wanted_after_) return std::nullopt;
  return TryWish{*wanted_before_, *wanted_after_, {}, steps(), seeds()};
}

qint64 TryChoices::steps() const {
  return steps_->value();
}

qint64 TryChoices::seeds() const {
  return seeds_->value();
}

void TryChoices::setAmount(qint64 steps, qint64 seeds) {
  steps_->setValue(static_cast<int>(std::min<qint64>(steps, steps_->maximum())));
  seeds_->setValue(static_cast<int>(std::min<qint64>(seeds, seeds_->maximum())));
}

void TryChoices::setStartable(bool startable, const QString& why_not) {
  startable_ = startable;
  why_not_ = why_not;
  update();
}

void TryChoices::update() {
  const auto wanted = wish();
  const bool differ = wanted && !(wanted->before == wanted->after);
  try_->setEnabled(startable_ && differ);
  try_->setToolTip(!startable_ ? why_not_
                   : differ    ? tr("Trains under both policies from one state, beside the run")
                               : tr("Choose two different policies."));
}

}  // namespace binade::app
