// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to the pickle reader: the names of Python that it knows, and what they make.

#include "engine/files/pickle.h"

#include <optional>
#include <string_view>

namespace binade::files {

/// Whether a pickle may hold this name, `module.name`.
bool is_known_name(std::string_view name);

/// The dtype of a storage class (`torch.FloatStorage`) or of a dtype itself (`torch.float32`).
std::optional<at::ScalarType> storage_dtype(std::string_view name);
std::optional<at::ScalarType> plain_dtype(std::string_view name);

/// What calling the name `function` with `arguments` makes. Nothing where it takes other arguments.
std::optional<decltype(PickleValue::value)> made(const std::string& function,
                                                 const std::vector<PickleValue::Ref>& arguments);

}  // namespace binade::files
