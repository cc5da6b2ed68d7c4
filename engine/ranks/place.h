// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace binade::ranks {

/// Where a process stands among the ranks of its run, as the program that started it says.
struct Place {
  int rank = 0;
  int ranks = 1;
  int local_rank = 0;    ///< among the ranks of its computer; the number of its GPU among those that it sees
  std::string address;   ///< of the computer that hosts the store by which ranks find each other
  int port = 0;          ///< of the store
  bool hosted = false;   ///< the starting program hosts the store; otherwise rank 0 does
  int restart = 0;       ///< how often the starting program has restarted all ranks
  std::string launcher;  ///< `torchrun`, `srun` or `launch`; empty: variables set by other means
  friend bool operator==(const Place&, const Place&) = default;
};

/// Returns the value of an environment variable, or null.
using Environment = std::function<const char*(const char*)>;

/// Returns the place that the environment describes; nullopt if it describes none, or a single rank. Reads the
/// variables of torchrun (RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR, MASTER_PORT, TORCHELASTIC_USE_AGENT_STORE,
/// TORCHELASTIC_RESTART_COUNT), and in a job step of Slurm SLURM_PROCID, SLURM_STEP_NUM_TASKS or SLURM_NTASKS,
/// SLURM_LOCALID, SLURM_STEP_NODELIST, SLURM_STEP_NUM_NODES, SLURM_STEP_RESV_PORTS, SLURM_JOB_ID, SLURM_STEP_ID,
/// SLURM_DISTRIBUTION, SLURM_RESTART_COUNT, and SLURM_GPUS_ON_NODE with CUDA_VISIBLE_DEVICES. MASTER_ADDR and
/// MASTER_PORT replace what Slurm's variables give. Throws Error{kUsage}, naming the variable, for a value that cannot
/// be used.
std::optional<Place> place_of(const Environment& environment);
/// The same of this process's environment.
std::optional<Place> place_of_process();

/// Returns the first host of a list of Slurm: `n03` of `n[03-05,9],m1`.
std::string first_host(const std::string& hosts);

/// The variables that give a process this place, as `NAME=VALUE`. Inverse of place_of().
std::vector<std::string> variables_of(const Place& place);

}  // namespace binade::ranks
