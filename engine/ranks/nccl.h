// SPDX-License-Identifier: Apache-2.0
#pragma once

// NCCL's C interface, as far as ranks use it. LibTorch's package needs the library, but has no header of it. Names,
// values and layouts are NCCL's, which keeps them for all versions 2.

#include "engine/ranks/backend_choice.h"

#include <array>
#include <cstddef>
#include <optional>

namespace binade::ranks {

// ncclResult_t
inline constexpr int kNcclSuccess = 0;
inline constexpr int kNcclInProgress = 7;

// ncclDataType_t and ncclRedOp_t
inline constexpr int kNcclInt32 = 2;
inline constexpr int kNcclInt64 = 4;
inline constexpr int kNcclFloat16 = 6;
inline constexpr int kNcclFloat32 = 7;
inline constexpr int kNcclFloat64 = 8;
inline constexpr int kNcclBfloat16 = 9;
inline constexpr int kNcclSum = 0;

struct ncclComm;

/// ncclUniqueId.
struct NcclId {
  std::array<char, 128> bytes{};
};

/// ncclConfig_t of NCCL 2.14, the first with calls that do not block. Later versions read it by its size and version.
struct NcclConfig {
  std::size_t size = sizeof(NcclConfig);
  unsigned magic = 0xcafebeef;
  unsigned version = kNcclLeastVersion;
  int blocking = 0;
};

/// NCCL's functions by their own names.
struct NcclFunctions {
  int (*ncclGetVersion)(int* version) = nullptr;
  int (*ncclGetUniqueId)(NcclId* id) = nullptr;
  const char* (*ncclGetErrorString)(int result) = nullptr;
  const char* (*ncclGetLastError)(ncclComm* comm) = nullptr;
  int (*ncclCommInitRankConfig)(ncclComm** comm, int ranks, NcclId id, int rank, NcclConfig* config) = nullptr;
  int (*ncclCommGetAsyncError)(ncclComm* comm, int* result) = nullptr;
  int (*ncclCommAbort)(ncclComm* comm) = nullptr;
  int (*ncclAllReduce)(const void* from, void* to, std::size_t count, int type, int operation, ncclComm* comm,
                       void* stream) = nullptr;
};

/// The NCCL that LibTorch's CUDA library has loaded, and no other: nothing is loaded here. Empty: it has none.
std::optional<NcclFunctions> loaded_nccl();

/// What this rank has for NCCL on the GPU of this number; empty: it computes on the CPU, and is not asked for NCCL.
NcclAbility nccl_ability(std::optional<int> gpu);

}  // namespace binade::ranks
