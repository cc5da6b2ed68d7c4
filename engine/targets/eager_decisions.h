// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/targets/target.h"

#include <string>
#include <vector>

namespace binade::targets {

/// The nearest decisions that ops of plain PyTorch or LibTorch can carry out: a dtype for forward and backward, no
/// saturation, one treatment for all executions of an op call in a loop. Parallel to Assignment::keys. Every deviation
/// from the assignment is a kInexpressible finding; `where` names the program in it: `PyTorch`.
std::vector<policy::Decision> eager_decisions(const Assignment& assignment, const std::string& where,
                                              Findings& findings);

/// The nearest dtype for a format: its own, else float32.
formats::Format nearest_dtype(const formats::Format& format);

/// A treatment as a word: the format's name, `promote`, `follow`, `set-dtype`, `append-dtype`, `banned`, `leave`.
std::string treatment_word(const policy::Decision& decision);

}  // namespace binade::targets
