// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/named_arguments.h"

#include <string>

namespace binade::graph {

/// Checks `batch_sizes`, the batch size at each time step of a packed sequence: positive and never increasing. Returns
/// the fault as a sentence without its full stop; empty if there is none or the sizes are not readable().
std::string check_batch_sizes(const NamedArguments& arguments);

/// Checks the arguments of lstm, gru, rnn_tanh and rnn_relu against each other, because the kernels derive the sizes of
/// all weights and states from the first ones. Returns as check_batch_sizes() does.
std::string check_recurrent(const NamedArguments& arguments);

}  // namespace binade::graph
