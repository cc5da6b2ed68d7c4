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

/// Arguments of torch.autocast.
struct RegionArguments {
  std::string device_type;                    ///< as in PyTorch: `cpu`, `cuda`
  std::optional<c10::ScalarType> dtype = {};  ///< empty: the device's current one, by default bfloat16 on CPUs and
                                              ///< float16 on CUDA
  bool enabled = true;
  std::optional<bool> cache_enabled = {};  ///< empty: unchanged
};

/// Arguments of a region with an editable policy.
struct PolicyRegionArguments {
  /// From table_for(), or from resolve() without sites. Null throws Error{kUsage}, a site rule Error{kBadPolicy}.
  std::shared_ptr<const policy::Resolved> policy;
  std::string device_type;  ///< device whose tensors are cast
  bool enabled = true;
  std::optional<bool> cache_enabled = {};
};

/// Table of a policy for regions. Make it once and keep it, because the plans of ops are cached by table. Throws
/// Error{kBadPolicy} naming an op of `aten::` that this LibTorch lacks, or the first site rule, since a region has no
/// sites.
std::shared_ptr<const policy::Resolved> table_for(const policy::Policy& policy,
                                                  const policy::Capabilities& capabilities = {});

/// While it exists, ops on this thread run in mixed precision: torch.autocast for C++.
///
/// With LibTorch's autocast, the constructor performs the checks of torch.autocast in PyTorch 2.11 with its messages
/// (LibTorch's for a string that names no device). An unknown or unsupported device throws Error{kUsage}. A dtype that
/// the device's autocast does not support, or an absent CUDA, causes a warning (through LibTorch's warning handler) and
/// a disabled region. With a policy, ops follow its lists and op changes, LibTorch's autocast for the device is off,
/// and only the innermost policy region applies. A device without autocast throws Error{kUsage}.
///
/// Regions nest, also of both kinds; the innermost one for a device applies. A region belongs to the thread that made
/// it; other threads, including new ones, start without any. The cast cache lives until the outermost region is left.
/// Leaving a region restores the previous state, also on an exception. Call backward() outside: inside, it is cast too.
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

/// Wraps `function` so that each call runs in a new region, like a decorated function in PyTorch; recursive and
/// concurrent calls are allowed.
template <class Arguments, class Function>
auto wrap(Arguments arguments, Function function) {
  return [arguments = std::move(arguments), function = std::move(function)](auto&&... values) -> decltype(auto) {
    const Region region(arguments);
    return std::invoke(function, std::forward<decltype(values)>(values)...);
  };
}

/// Whether PyTorch has autocast for a device type, whether present or not. Throws Error{kUsage} for an unknown device
/// type.
bool is_autocast_available(const std::string& device_type);

// State of this thread, as set by the innermost region for the device.
bool is_enabled(const std::string& device_type);
c10::ScalarType dtype(const std::string& device_type);
bool is_cache_enabled();

/// Clears all cached casts: LibTorch's, the process-wide ones of `pytorch-2.11`, and this thread's.
void clear_cache();

}  // namespace binade::autocast
