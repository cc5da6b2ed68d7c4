// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/error.h"
#include "engine/graph/site_hook.h"

#include <exception>
#include <string>

namespace binade::graph {

/// What an exception says, without the C++ stack that LibTorch appends and the list of all backends: one line.
std::string reason_of(const std::exception& error);

/// Whether a tensor did not fit: LibTorch's own error of a device, its allocator's plain one on the CPU, or the
/// standard's.
bool is_out_of_memory(const std::exception& error);

/// A text of LibTorch's without the addresses that it puts behind the name of a class, and without its request to
/// report a check of its own that failed.
std::string without_addresses(const std::string& text);

/// What stopped a backward, where no op call is known for it: of code kOutOfMemory where a tensor did not fit, else
/// kBadModel with `hint`. LibTorch refuses there what the model asks of it. An Error goes on as it is.
Error backward_failure(const std::exception& error, const std::string& hint);

/// What a site's op says when it refuses: the site, the reason, where it stands and what it was given.
/// `arguments_there`: the arguments are still on the call's stack. Of code kOutOfMemory where a tensor did not fit,
/// kBadPolicy where a number in the model's code is beyond float16, else kBadModel.
Error site_failure(const Call& call, const std::exception& error, bool arguments_there);

/// `model.py:42`: the last line that a text of LibTorch's points to; empty where there is none.
std::string last_line_named(const std::string& text);

/// What stopped forward where no op call is known for it (an assert, a raise, or an op while nobody watched the op
/// calls), with the line of the model where it is told. `text`: the path of a text's op calls, `loss.1`, where it was
/// that text, and not the model; else empty. Of code kOutOfMemory where a tensor did not fit, else kBadModel, of a text
/// kBadRun.
Error forward_failure(const std::exception& error, const std::string& text = {});

}  // namespace binade::graph
