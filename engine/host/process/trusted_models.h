// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/messages.h"

#include <set>
#include <string>
#include <vector>

namespace binade::host {

/// The user's list of models to open although their code is refused: $XDG_CONFIG_HOME/binade/trusted-models, else below
/// ~/.config. A line has a file's SHA-256 and its path, as sha256sum prints them.
/// Empty if neither variable names a folder.
std::string trusted_models_file();

/// Hashes in that list; none if it cannot be read.
std::set<std::string> trusted_models();

/// Appends a file whose content has this hash. Throws Error{kUsage} for what is no SHA-256, and Error{kBadFile} if the
/// file has another hash or the list cannot be written.
void trust_model(const std::string& file, const std::string& sha256);

/// The lines of that list, in their order.
std::vector<wire::TrustedModel> listed_trusted_models();

/// Removes the models that `named` means from the list, and returns them: those with this SHA-256 or path, or the
/// content of the file at this path. Other lines stay as they are. Throws Error{kUsage} if none is meant, and
/// Error{kBadFile} if the list cannot be written. Models that are open stay open.
std::vector<wire::TrustedModel> end_trust(const std::string& named);

}  // namespace binade::host
