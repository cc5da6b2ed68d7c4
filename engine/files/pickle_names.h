// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to the pickle reader: the known names of Python and the results of calling them.

#include "engine/files/pickle.h"

#include <optional>
#include <string_view>

namespace binade::files {

/// Returns whether a pickle may contain this name, `module.name`.
bool is_known_name(std::string_view name);

/// Returns the dtype of a storage class (`torch.FloatStorage`) or of a dtype (`torch.float32`).
std::optional<at::ScalarType> storage_dtype(std::string_view name);
std::optional<at::ScalarType> plain_dtype(std::string_view name);

/// Returns the result of calling the name `function` with `arguments`; nullopt if it does not take these arguments.
std::optional<decltype(PickleValue::value)> made(const std::string& function,
                                                 const std::vector<PickleValue::Ref>& arguments);

}  // namespace binade::files
