// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/error.h"

#include <exception>
#include <string>

namespace binade::graph {

struct Call;

/// Message of an exception in one line, without LibTorch's C++ stack trace and its list of backends.
std::string reason_of(const std::exception& error);

/// Whether an exception means that a tensor could not be allocated: LibTorch's OutOfMemoryError, the plain error of its
/// CPU allocator, or std::bad_alloc.
bool is_out_of_memory(const std::exception& error);

/// A text of LibTorch's without the addresses that it puts behind the name of a class, and without its request to
/// report a check of its own that failed.
std::string without_addresses(const std::string& text);

/// Error for an exception in backward whose op call is unknown: kOutOfMemory if a tensor could not be allocated,
/// otherwise kBadModel with `hint`. An Error is returned unchanged.
Error backward_failure(const std::exception& error, const std::string& hint);

/// Error for an op that refused to run at a site: site, reason, source line and arguments. `arguments_there` means that
/// the arguments are still on the call's stack. The code is kOutOfMemory if a tensor could not be allocated, kBadPolicy
/// if a number in the model's code exceeds float16 or the processor has no native LSTM in the format, otherwise
/// kBadModel.
Error site_failure(const Call& call, const std::exception& error, bool arguments_there);

/// The last source line that a text of LibTorch mentions: `model.py:42`; empty if there is none.
std::string last_line_named(const std::string& text);

/// Error for an exception in forward whose op call is unknown (an assert, a raise, or an op without hooks), with the
/// model's line if LibTorch names it. `text` is the path of a text's op calls, `loss.1`, if that text ran and not the
/// model. The code is kOutOfMemory if a tensor could not be allocated, kBadRun for a text, otherwise kBadModel.
Error forward_failure(const std::exception& error, const std::string& text = {});

}  // namespace binade::graph
