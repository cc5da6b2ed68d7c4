// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks/place.h"

#include "engine/formats/error.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>

namespace binade::ranks {

namespace {

constexpr int kMostRanks = 1'000'000;
constexpr int kMostPort = 65535;

/// Reads variables as numbers.
class Variables {
 public:
  explicit Variables(const Environment& environment) : environment_(environment) {}

  bool has(const char* name) const {
    const char* const value = environment_(name);
    return value != nullptr && *value != '\0';
  }
  std::string text(const char* name, const std::string& otherwise = {}) const {
    return has(name) ? environment_(name) : otherwise;
  }
  /// Throws Error{kUsage} unless the variable is a number from `low` to `high`.
  template <class Number>
  Number number(const char* name, Number low, Number high) const {
    const std::string value = text(name);
    Number number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error == std::errc() && end == value.data() + value.size() && number >= low && number <= high) return number;
    const std::string range = std::to_string(low) + " to " + std::to_string(high);
    throw Error(
        ErrorCode::kUsage,
        std::string("The environment variable ") + name + (value.empty() ? " is missing" : " is \"" + value + "\"") +
            ", but ranks need a number from " + range,
        "torchrun, srun and `binade-engine launch` set it. To train in one process, unset RANK and WORLD_SIZE, and "
        "SLURM_PROCID in a step of Slurm.");
  }
  template <class Number>
  Number number(const char* name, Number low, Number high, Number otherwise) const {
    return has(name) ? number(name, low, high) : otherwise;
  }

 private:
  const Environment& environment_;
};

/// The port of a step without MASTER_PORT: equal on all ranks, and different for steps that run at the same time.
int port_of_step(const Variables& all) {
  // Slurm reserves ports for a step if its configuration has MpiParams=ports=, as `23001-23004` or `23001`.
  const std::string reserved = all.text("SLURM_STEP_RESV_PORTS");
  const std::size_t digits = std::min(reserved.find_first_of("0123456789"), reserved.size());
  int port = 0;
  std::from_chars(reserved.data() + digits, reserved.data() + reserved.size(), port);
  if (port >= 1 && port <= kMostPort) return port;
  // Below the ports that Linux gives to outgoing connections. Neighbouring jobs must not share the port of their
  // steps, also if one is some steps ahead.
  constexpr std::int64_t kFirst = 20000;
  constexpr std::int64_t kPorts = 12000;
  constexpr std::int64_t kStepsOfJob = 97;
  constexpr std::int64_t kMostId = std::numeric_limits<std::uint32_t>::max();  // in a federation, jobs use all bits
  const auto job = all.number<std::int64_t>("SLURM_JOB_ID", 0, kMostId, 0);
  const auto step = all.number<std::int64_t>("SLURM_STEP_ID", 0, kMostId, 0);
  return static_cast<int>(kFirst + (job * kStepsOfJob + step) % kPorts);
}

/// The computer of rank 0, which is the first one of the step.
std::string address_in_step(const Variables& all) {
  // The name of a node need not resolve, nor lead to an interface that is up.
  if (all.text("SLURM_STEP_NUM_NODES") == "1") return "127.0.0.1";
  if (all.text("SLURM_DISTRIBUTION") == "arbitrary") {
    throw Error(
        ErrorCode::kUsage,
        "The environment variable SLURM_DISTRIBUTION is \"arbitrary\", so the node of rank 0 is unknown: it need "
        "not be the first one of SLURM_STEP_NODELIST",
        "Set MASTER_ADDR to the first host of the file in SLURM_HOSTFILE.");
  }
  // SLURM_LAUNCH_NODE_IPADDR is the node of srun itself, which may be another.
  const std::string hosts = all.text("SLURM_STEP_NODELIST");
  if (std::count(hosts.begin(), hosts.end(), '[') != std::count(hosts.begin(), hosts.end(), ']')) {
    throw Error(ErrorCode::kUsage,
                "The environment variable SLURM_STEP_NODELIST is \"" + hosts + "\", which is no list of nodes",
                "Pass on the value that srun has set, or set MASTER_ADDR to the first node of the step.");
  }
  return first_host(hosts);
}

/// The number of the rank's GPU among those that its process sees.
int gpu_in_step(const Variables& all) {
  const int local = all.number("SLURM_LOCALID", 0, kMostRanks, 0);
  const std::string visible = all.text("CUDA_VISIBLE_DEVICES");
  if (visible.empty()) return local;
  const int seen = 1 + static_cast<int>(std::count(visible.begin(), visible.end(), ','));
  // With --gpus-per-task or --gpu-bind, a task sees only its own part of the step's GPUs.
  return seen < all.number("SLURM_GPUS_ON_NODE", 0, kMostRanks, 0) ? local % seen : local;
}

}  // namespace

std::string first_host(const std::string& hosts) {
  const std::size_t open = hosts.find('[');
  const std::size_t comma = hosts.find(',');
  if (open == std::string::npos || comma < open) return hosts.substr(0, comma);
  const std::size_t end = hosts.find_first_of(",-]", open);
  const std::size_t close = std::min(hosts.find(']', open), hosts.size() - 1);
  return hosts.substr(0, open) + hosts.substr(open + 1, end - open - 1) + first_host(hosts.substr(close + 1));
}

std::optional<Place> place_of(const Environment& environment) {
  const Variables all(environment);
  Place place;
  if (all.has("RANK") || all.has("WORLD_SIZE")) {
    place.ranks = all.number("WORLD_SIZE", 1, kMostRanks);
    if (place.ranks == 1) return std::nullopt;
    place.rank = all.number("RANK", 0, place.ranks - 1);
    place.local_rank = all.number("LOCAL_RANK", 0, kMostRanks, place.rank);
    place.address = all.text("MASTER_ADDR", "127.0.0.1");
    place.port = all.number("MASTER_PORT", 1, kMostPort);
    place.hosted = all.text("TORCHELASTIC_USE_AGENT_STORE") == "True";
    place.restart = all.number("TORCHELASTIC_RESTART_COUNT", 0, kMostRanks, 0);
    place.launcher = all.text("BINADE_LAUNCHER", all.has("TORCHELASTIC_RUN_ID") ? "torchrun" : "");
    return place;
  }
  // A batch script of Slurm has SLURM_PROCID too, but only srun starts all tasks and sets the list of a step's nodes.
  if (!all.has("SLURM_PROCID") || !all.has("SLURM_STEP_NODELIST")) {
    // A container may pass only some variables on. Without this each task would train alone.
    if (!all.has("SLURM_STEP_NUM_TASKS") || all.number("SLURM_STEP_NUM_TASKS", 1, kMostRanks) == 1) return std::nullopt;
    const std::string lacks = all.has("SLURM_PROCID") ? "SLURM_STEP_NODELIST" : "SLURM_PROCID";
    throw Error(ErrorCode::kUsage,
                "The environment variable SLURM_STEP_NUM_TASKS is that of a step with several tasks, but " + lacks +
                    " is not set",
                "Pass all variables of Slurm on, for example into a container. To train in one process, unset "
                "SLURM_STEP_NUM_TASKS.");
  }
  const char* const tasks = all.has("SLURM_STEP_NUM_TASKS") ? "SLURM_STEP_NUM_TASKS" : "SLURM_NTASKS";
  place.ranks = all.number(tasks, 1, kMostRanks, 1);
  if (place.ranks == 1) return std::nullopt;
  place.rank = all.number("SLURM_PROCID", 0, place.ranks - 1);
  place.local_rank = gpu_in_step(all);
  place.address = all.has("MASTER_ADDR") ? all.text("MASTER_ADDR") : address_in_step(all);
  place.port = all.has("MASTER_PORT") ? all.number("MASTER_PORT", 1, kMostPort) : port_of_step(all);
  place.restart = all.number("SLURM_RESTART_COUNT", 0, kMostRanks, 0);
  place.launcher = "srun";
  return place;
}

std::optional<Place> place_of_process() {
  return place_of([](const char* name) -> const char* { return std::getenv(name); });
}

std::vector<std::string> variables_of(const Place& place) {
  return {"RANK=" + std::to_string(place.rank),
          "WORLD_SIZE=" + std::to_string(place.ranks),
          "LOCAL_RANK=" + std::to_string(place.local_rank),
          "MASTER_ADDR=" + place.address,
          "MASTER_PORT=" + std::to_string(place.port),
          std::string("TORCHELASTIC_USE_AGENT_STORE=") + (place.hosted ? "True" : "False"),
          "TORCHELASTIC_RESTART_COUNT=" + std::to_string(place.restart),
          "BINADE_LAUNCHER=" + place.launcher};
}

}  // namespace binade::ranks
