// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks/place.h"

#include "engine/formats/error.h"

#include <charconv>
#include <cstdlib>
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
  int number(const char* name, int low, int high) const {
    const std::string value = text(name);
    int number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error == std::errc() && end == value.data() + value.size() && number >= low && number <= high) return number;
    const std::string range = std::to_string(low) + " to " + std::to_string(high);
    throw Error(
        ErrorCode::kUsage,
        std::string("The environment variable ") + name + (value.empty() ? " is missing" : " is \"" + value + "\"") +
            ", but ranks need a number from " + range,
        "torchrun, srun and `binade-engine launch` set it. To train in one process, unset RANK and WORLD_SIZE.");
  }
  int number(const char* name, int low, int high, int otherwise) const {
    return has(name) ? number(name, low, high) : otherwise;
  }

 private:
  const Environment& environment_;
};

/// The port of a job without MASTER_PORT: equal on all ranks, and different for most jobs.
int port_of_job(const Variables& all) {
  constexpr int kFirst = 20000;
  constexpr int kPorts = 20000;
  const int job = all.number("SLURM_JOB_ID", 0, 2'000'000'000, 0);
  const int step = all.number("SLURM_STEP_ID", 0, 2'000'000'000, 0);
  return kFirst + (job % kPorts + step % kPorts) % kPorts;
}

}  // namespace

std::string first_host(const std::string& hosts) {
  const std::size_t open = hosts.find('[');
  const std::size_t comma = hosts.find(',');
  if (open == std::string::npos || comma < open) return hosts.substr(0, comma);
  const std::size_t end = hosts.find_first_of(",-]", open);
  const std::size_t close = hosts.find(']', open);
  std::string after;
  if (close != std::string::npos) after = hosts.substr(close + 1, hosts.find(',', close) - close - 1);
  return hosts.substr(0, open) + hosts.substr(open + 1, end - open - 1) + after;
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
  if (!all.has("SLURM_PROCID") || !all.has("SLURM_STEP_NODELIST")) return std::nullopt;
  const char* const tasks = all.has("SLURM_STEP_NUM_TASKS") ? "SLURM_STEP_NUM_TASKS" : "SLURM_NTASKS";
  place.ranks = all.number(tasks, 1, kMostRanks, 1);
  if (place.ranks == 1) return std::nullopt;
  place.rank = all.number("SLURM_PROCID", 0, place.ranks - 1);
  place.local_rank = all.number("SLURM_LOCALID", 0, kMostRanks, 0);
  // Rank 0 runs on the step's first node. SLURM_LAUNCH_NODE_IPADDR is the node of srun itself, which may be another.
  place.address = all.text("MASTER_ADDR", first_host(all.text("SLURM_STEP_NODELIST")));
  place.port = all.number("MASTER_PORT", 1, kMostPort, port_of_job(all));
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
