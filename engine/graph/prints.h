// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace binade::graph {

/// Redirects the output of `print` in models and text losses to standard error; standard output belongs to the program.
void print_to_standard_error();

}  // namespace binade::graph
