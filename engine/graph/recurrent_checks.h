// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/named_arguments.h"

#include <string>

namespace binade::graph {

/// Checks `batch_sizes`, the sizes of the batch at each time of a packed sequence: above 0, and never growing. Returns
/// what is wrong as a sentence without its full stop; empty where nothing is, or where the sizes cannot be read.
std::string check_batch_sizes(const NamedArguments& arguments);

/// Checks the arguments of lstm, gru, rnn_tanh and rnn_relu against each other: the kernels take the sizes of all
/// weights and states from the first ones. Returns what check_batch_sizes() returns.
std::string check_recurrent(const NamedArguments& arguments);

}  // namespace binade::graph
