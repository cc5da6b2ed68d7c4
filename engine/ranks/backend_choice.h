// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace binade::ranks {

/// What sums the gradients of GPUs. kAuto: NCCL if all ranks can use it, otherwise Gloo.
enum class GradientsOver { kAuto, kGloo, kNccl };

/// Of `auto`, `gloo` or `nccl`, which the command line checks; any other text is kAuto.
GradientsOver gradients_over(const std::string& name);

/// NCCL 2.14.0.
inline constexpr int kNcclLeastVersion = 21400;

/// What a rank has for NCCL.
struct NcclAbility {
  std::string lacks{};  ///< why it cannot use NCCL: `the device is the CPU`; empty: it can
  int version = 0;      ///< of NCCL: 22809 for 2.28.9
  std::string gpu{};    ///< equal on ranks that share a GPU, and on no others
};

/// The decision for all ranks.
struct BackendChoice {
  bool nccl = false;
  std::string why{};  ///< if NCCL is not used: the reason, after `because`; empty: it is not wanted
};

/// Chooses by the wish of the run and what each rank has. `names`: `Rank 1 (host b)`, by rank.
BackendChoice choose_backend(GradientsOver wanted, const std::vector<NcclAbility>& abilities,
                             const std::vector<std::string>& names);

/// `2.28.9`.
std::string nccl_version_text(int version);

}  // namespace binade::ranks
