// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace binade::graph {

/// What a model printed, as complete lines that each begin with `model: `. Control characters are escaped, so that a
/// model can neither control the terminal nor imitate messages of Binade.
std::string model_output(std::string_view text);

/// Redirects the output of `print` in models and text losses to standard error, as model_output(); standard output
/// belongs to the program. Also the warnings of models and of LibTorch in the calling thread, for LibTorch keeps their
/// handler for each thread: call it in every thread that runs a model.
void print_to_standard_error();

}  // namespace binade::graph
