// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks/nccl.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace binade::ranks {

namespace {

template <class Function>
bool take(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

/// What NCCL takes for one computer: NCCL_HOSTID, or the id of this boot, which containers share; the computer's name
/// where the system has none.
std::string nccl_host() {
  if (const char* const chosen = std::getenv("NCCL_HOSTID"); chosen != nullptr) return chosen;
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  if (std::getline(file, id) && !id.empty()) return id;
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "?";
}

/// Address of a GPU on the PCI bus, by which NCCL itself finds that two ranks share one; empty: unknown. Uses the CUDA
/// runtime that LibTorch has loaded.
std::string pci_address(int gpu) {
  using Function = int (*)(char*, int, int);
  const auto get = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "cudaDeviceGetPCIBusId"));
  std::array<char, 64> text{};
  return get != nullptr && get(text.data(), static_cast<int>(text.size()), gpu) == 0 ? text.data() : "";
}

}  // namespace

std::optional<NcclFunctions> loaded_nccl() {
  void* const library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) return std::nullopt;
  NcclFunctions all;
  const bool whole =
      take(library, "ncclGetVersion", all.ncclGetVersion) && take(library, "ncclGetUniqueId", all.ncclGetUniqueId) &&
      take(library, "ncclGetErrorString", all.ncclGetErrorString) &&
      take(library, "ncclGetLastError", all.ncclGetLastError) &&
      take(library, "ncclCommInitRankConfig", all.ncclCommInitRankConfig) &&
      take(library, "ncclCommGetAsyncError", all.ncclCommGetAsyncError) &&
      take(library, "ncclCommAbort", all.ncclCommAbort) && take(library, "ncclAllReduce", all.ncclAllReduce);
  return whole ? std::optional(all) : std::nullopt;
}

NcclAbility nccl_ability(std::optional<int> gpu) {
  NcclAbility ability;
  if (!gpu) {
    ability.lacks = "the device is the CPU";
    return ability;
  }
  const auto nccl = loaded_nccl();
  if (!nccl || nccl->ncclGetVersion(&ability.version) != kNcclSuccess) {
    ability.lacks = "LibTorch's CUDA library has loaded no NCCL";
    return ability;
  }
  if (ability.version < kNcclLeastVersion) {
    ability.lacks = "NCCL is " + nccl_version_text(ability.version) + ", and " + nccl_version_text(kNcclLeastVersion) +
                    " is needed";
    return ability;
  }
  const std::string address = pci_address(*gpu);
  if (address.empty()) ability.lacks = "the GPU has no PCI address";
  ability.gpu = nccl_host() + " " + address;
  return ability;
}

}  // namespace binade::ranks
