// SPDX-License-Identifier: Apache-2.0
#include "app/docks/training_fields.h"

#include "app/model/translate.h"

#include <QSpinBox>

namespace binade::app {

namespace {

QSpinBox* makeTrainingField(int most, int value) {
  auto* field = new QSpinBox;
  field->setRange(1, most);
  field->setValue(value);
  field->setGroupSeparatorShown(true);
  return field;
}

}  // namespace

QSpinBox* makeStepsField() {
  QSpinBox* field = makeTrainingField(1'000'000, 100);
  field->setAccessibleName(tr("Steps of each training"));
  return field;
}

QSpinBox* makeRepetitionsField() {
  QSpinBox* field = makeTrainingField(100, 1);
  field->setAccessibleName(tr("Repetitions on later batches"));
  field->setToolTip(
      tr("Each repetition goes on with later batches. Several give the difference an interval that also "
         "covers the choice of batches."));
  return field;
}

}  // namespace binade::app
