// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace binade::graph {

/// From now on what models and text losses print goes to standard error: standard output is the program's own.
void print_to_standard_error();

}  // namespace binade::graph
