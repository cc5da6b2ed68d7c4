// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/targets/target.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace binade::targets {

/// A policy on one model, arranged for people: plain texts without markup, in one line each, without control
/// characters. Markdown and HTML escape them in their own ways.
struct PolicyPage {
  /// An op call, or one of its calls in a loop.
  struct Row {
    std::string name;  ///< `conv1::_conv_forward/aten::conv2d#0`, `only call 2`
    std::string treatment;
    std::string base;  ///< treatment by the base list, if that is another; empty: the same
    std::string decided_by;
    std::string why;  ///< the reason that its site rule gives
    std::string source;
  };
  struct Module {
    std::string path;           ///< `layer1.0`; `(root)` for the model itself
    std::size_t different = 0;  ///< rows that differ from the base list
    std::vector<Row> rows;      ///< those that differ come first
  };
  using Texts = std::vector<std::pair<std::string, std::string>>;

  std::string title;
  Texts facts;                        ///< base, low format, model, scaler: a name and a text each
  Texts op_changes;                   ///< op and treatment
  std::vector<Module> modules;        ///< those with differences come first
  Texts words;                        ///< words in `treatment` that are no format, with their meanings
  std::vector<std::string> findings;  ///< problems of the policy on this model: `warning: ...`
};

PolicyPage policy_page(const Assignment& assignment);

}  // namespace binade::targets
