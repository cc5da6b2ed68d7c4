// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <c10/core/ScalarType.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace binade::autocast {

/// What torch.autocast takes.
struct RegionArguments {
  std::string device_type;                    ///< as PyTorch writes it: `cpu`, `cuda`
  std::optional<c10::ScalarType> dtype = {};  ///< absent: what the device has now, bfloat16 on CPUs, float16 on CUDA
  bool enabled = true;
  std::optional<bool> cache_enabled = {};  ///< absent: as it is now
};

/// What a region over an editable policy takes.
struct PolicyRegionArguments {
  /// Of table_for(), or of resolve() without sites; a region without one throws Error{kUsage}.
  std::shared_ptr<const policy::Resolved> policy;
  std::string device_type;  ///< whose tensors are cast
  bool enabled = true;
  std::optional<bool> cache_enabled = {};
};

/// The table of a policy for use in regions; make it once and keep it, since what it says of each op is remembered by
/// table. Throws Error{kBadPolicy} naming an op of `aten::` that this LibTorch does not have, or the first site rule: a
/// region has no sites.
std::shared_ptr<const policy::Resolved> table_for(const policy::Policy& policy,
                                                  const policy::Capabilities& capabilities = {});

/// While it lives, ops on this thread run in mixed precision: torch.autocast for C++.
///
/// Over LibTorch's own autocast the constructor makes the checks of torch.autocast in PyTorch 2.11, with its messages
/// (LibTorch's own for a string that names no device): an unknown or unsupported device throws Error{kUsage}; a dtype
/// that the device's autocast does not do, and CUDA where none is, warn (through LibTorch's warning handler) and leave
/// the region disabled. Over a policy the ops follow its lists and op changes instead, LibTorch's autocast for the
/// device is off inside, and the innermost policy region alone decides. A device without autocast throws Error{kUsage}.
///
/// Regions nest, also of both kinds; the innermost for a device counts. A region belongs to the thread that made it:
/// other threads, new ones too, start without any. The cast cache lives until the outermost region is left. Everything
/// is as before afterwards, also when an exception leaves it. Call backward() outside: inside, it is cast too.
class Region {
 public:
  explicit Region(const RegionArguments& arguments);
  explicit Region(const PolicyRegionArguments& arguments);
  /// As torch.autocast(device_type, dtype, enabled, cache_enabled).
  explicit Region(std::string device_type, std::optional<c10::ScalarType> dtype = {}, bool enabled = true,
                  std::optional<bool> cache_enabled = {});
  ~Region();
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// `function`, run in a fresh region at each call (a decorated function in PyTorch re-enters one): recursive and
/// concurrent calls are fine.
template <class Arguments, class Function>
auto wrap(Arguments arguments, Function function) {
  return [arguments = std::move(arguments), function = std::move(function)](auto&&... values) -> decltype(auto) {
    const Region region(arguments);
    return std::invoke(function, std::forward<decltype(values)>(values)...);
  };
}

/// Whether PyTorch has autocast for a device type, present or not. Throws Error{kUsage} for a string that names none.
bool is_autocast_available(const std::string& device_type);

// The state of this thread, as the innermost region for the device left it.
bool is_enabled(const std::string& device_type);
c10::ScalarType dtype(const std::string& device_type);
bool is_cache_enabled();

/// Forgets every kept cast, LibTorch's and ours, of all threads as far as these share theirs.
void clear_cache();

}  // namespace binade::autocast
