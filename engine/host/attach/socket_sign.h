// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/attach/attach_folder.h"

#include <cstdint>
#include <optional>
#include <string>

namespace binade::host {

/// What the file beside a training's socket says: `HOST-PROCESS.json` beside `HOST-PROCESS.sock`. The training holds a
/// lock on this file. The kernel releases it when the process ends, in whatever way, so that a file without a lock
/// belongs to a dead process.
struct SocketSign {
  std::int64_t process = 0;
  std::string host{};      ///< the folder may be shared by several computers
  std::int64_t since = 0;  ///< seconds since 1970, UTC
  std::string run{};       ///< the run description as it was named; empty: the demo
};

inline constexpr const char* kSignEnding = ".json";
inline constexpr const char* kSocketEnding = ".sock";

/// A sign for this process, on this computer and now.
SocketSign sign_of_this_process(std::string run);

/// `HOST-PROCESS`.
std::string name_of(const SocketSign& sign);

/// Name of this computer.
std::string host_name();

/// Puts up the sign. Returns the descriptor that holds its lock. Throws Error{kBadFile}.
int put_up(const SocketSign& sign, const AttachFolder& folder);

/// The sign of this name; nullopt if it cannot be read, or has just been removed. If its process on this computer is
/// dead, it is removed with its socket, and the result is nullopt.
std::optional<SocketSign> read_sign(const AttachFolder& folder, const std::string& name);

}  // namespace binade::host
