// SPDX-License-Identifier: Apache-2.0
#pragma once

class QSpinBox;

namespace binade::app {

/// A field for the steps of each training of a Try: 1 to 1,000,000, at first 100.
QSpinBox* makeStepsField();
/// A field for the repetitions of a Try on later batches: 1 to 100, at first 1.
QSpinBox* makeRepetitionsField();

}  // namespace binade::app
