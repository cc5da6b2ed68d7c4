// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

namespace binade::host {

/// The user's list of models to open although their code is refused: $XDG_CONFIG_HOME/binade/trusted-models, else below
/// ~/.config. A line has a file's SHA-256 and its path, as sha256sum prints them; deleting the line ends the trust.
/// Empty if neither variable names a folder.
std::string trusted_models_file();

/// Hashes in that list; none if it cannot be read.
std::set<std::string> trusted_models();

/// Appends a file whose content has this hash. Throws Error{kUsage} for what is no SHA-256, and Error{kBadFile} if the
/// file has another hash or the list cannot be written.
void trust_model(const std::string& file, const std::string& sha256);

}  // namespace binade::host
