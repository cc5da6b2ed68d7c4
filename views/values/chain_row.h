// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/values/picked_number.h"
#include "views/values/roles.h"

#include <QString>

#include <optional>
#include <vector>

namespace binade::views {

/// One line of a chain: a call that a value passed through.
struct ChainRow {
  VerdictShape shape = VerdictShape::kNone;
  QString call;                        ///< `fc2/aten::linear#0`
  QString what;                        ///< `gradient of weight`
  QString value;                       ///< `256,901`, `inf`
  std::optional<PickedNumber> number;  ///< the value, if it is a magnitude
  QString format;                      ///< `float16`; empty for none
  CellExecution execution = CellExecution::kNative;
  QString note;                  ///< right-aligned: `First cause`
  bool cause = false;            ///< drawn on a crimson background
  int id = -1;                   ///< argument of activated()
  std::vector<ChainRow> folded;  ///< a run of calls shown as one line; `call` then states their number
};

}  // namespace binade::views
