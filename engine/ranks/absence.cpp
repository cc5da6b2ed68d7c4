// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks/absence.h"

#include <array>
#include <cstdio>
#include <thread>

namespace binade::ranks {

namespace {

using std::chrono::milliseconds;

constexpr const char* kContinue = "If the run has a checkpoint, resume from it, also with another number of ranks.";
constexpr int kBeatsOfSilence = 3;
constexpr int kPatience = 10;  // times the time-out: for a diagnosis, and for a large bucket on a slow link

std::string with(const std::string& text, const std::string& more) {
  return more.empty() ? text : text + ": " + more;
}

}  // namespace

std::string name_of(int rank, const std::vector<std::string>& hosts) {
  const std::string& host = hosts[static_cast<std::size_t>(rank)];
  return "Rank " + std::to_string(rank) + (host.empty() ? "" : " (host " + host + ")");
}

std::string within_sentence(const std::string& name) {
  return name.empty() ? name : "r" + name.substr(1);
}

std::string left_key(int rank) {
  return "left/" + std::to_string(rank);
}

Absence::Absence(Store& store, const Place& place, const std::vector<std::string>& hosts, milliseconds timeout,
                 milliseconds interval)
    : store_(store), place_(place), hosts_(hosts), timeout_(timeout), interval_(interval), watch_(store, place.ranks) {}

std::string Absence::seconds() const {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g", static_cast<double>(timeout_.count()) / 1000);
  return std::string(text.data()) + " s";
}

std::string Absence::names(const std::vector<int>& ranks) const {
  std::string text;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    text += i == 0 ? "" : i + 1 == ranks.size() ? " and " : ", ";
    const std::string one = name_of(ranks[i], hosts_);
    text += i == 0 ? one : within_sentence(one);
  }
  return text;
}

void Absence::check_failed() {
  const auto failed = store_.get(kFailedRank);
  if (!failed || *failed == std::to_string(place_.rank)) return;
  const int rank = std::stoi(*failed);
  const std::string why =
      with(name_of(rank, hosts_) + " has ended the run", store_.get("failed/" + *failed).value_or(""));
  // That rank has printed the next step itself.
  const bool refused = store_.get(std::string(kRefusedRank) + "/" + *failed).has_value();
  throw Error(ErrorCode::kBadRun, why, refused ? "See the message of rank " + *failed + "." : kContinue);
}

std::vector<int> Absence::silent_for(milliseconds least) {
  std::vector<int> silent;
  for (int rank = 0; rank < place_.ranks; ++rank) {
    if (rank == place_.rank || watch_.silence(rank) < least) continue;
    if (!store_.get(left_key(rank))) silent.push_back(rank);
  }
  return silent;
}

Error Absence::gone(const std::vector<int>& ranks) const {
  const bool one = ranks.size() == 1;
  return {ErrorCode::kBadRun,
          names(ranks) + (one ? " is" : " are") +
              " missing: the process was killed, is stopped, ran out of memory, or its computer is out of reach",
          std::string("Its own output, or the system's log, may have the reason. ") + kContinue};
}

void Absence::check(milliseconds waited, std::uint64_t position) {
  watch_.look();
  check_failed();
  if (const auto silent = silent_for(timeout_); !silent.empty()) throw gone(silent);
  if (waited < timeout_) return;
  const bool is_long = waited >= kPatience * timeout_;
  const std::string long_time = std::to_string(kPatience) + " times " + seconds();
  std::vector<int> behind, diagnosing;
  bool longer_work = false;
  bool silent = false;
  for (int rank = 0; rank < place_.ranks; ++rank) {
    if (rank == place_.rank) continue;
    const Beat& beat = watch_.last(rank);
    longer_work = longer_work || !beat.work.empty();
    silent = silent || watch_.silence(rank) >= kBeatsOfSilence * interval_;
    if (beat.work.empty() && beat.position < position) behind.push_back(rank);
    if (beat.work == kDiagnosisWork) diagnosing.push_back(rank);
  }
  if (is_long && !diagnosing.empty()) {
    throw Error(ErrorCode::kBadRun, names(diagnosing) + " has not explained a step within " + long_time,
                "The replay of the step hangs. " + std::string(kContinue));
  }
  if (longer_work) return;  // the others may be waiting for it too
  // A rank that may have stopped is decided by its beats. They have been watched for less time than this wait lasts.
  if (silent) return;
  if (!behind.empty()) {
    throw Error(ErrorCode::kBadRun,
                names(behind) + (behind.size() == 1 ? " lives, but has" : " live, but have") +
                    " not reached the end of the step within " + seconds(),
                "If a step takes that long, raise --rank-timeout. Otherwise look what holds the process up. " +
                    std::string(kContinue));
  }
  if (!is_long) return;
  throw Error(
      ErrorCode::kBadRun, "Every rank lives and waits for the others, but no data arrived within " + long_time,
      "The network between the ranks loses their packets. GLOO_SOCKET_IFNAME and NCCL_SOCKET_IFNAME choose another "
      "interface.");
}

std::optional<Error> Absence::of_ended() {
  try {
    const int looks = 4 * (kBeatsOfSilence + 1);
    for (int i = 0; i < looks; ++i) {
      watch_.look();
      check_failed();
      const auto silent = silent_for(kBeatsOfSilence * interval_);
      if (!silent.empty()) return gone(silent);
      std::this_thread::sleep_for(interval_ / 4);
    }
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

Error Absence::while_all_live(const std::string& why) {
  return {ErrorCode::kBadRun, "The connection to another rank broke, and every rank lives: " + why,
          "The network between the ranks is at fault. " + std::string(kContinue)};
}

Error Absence::of_failed_nccl(const std::string& why) {
  return {ErrorCode::kBadRun, "NCCL failed, and every rank lives: " + why,
          "--gradients-over gloo sums without NCCL. " + std::string(kContinue)};
}

Error Absence::of_broken(const std::string& why) {
  const std::optional<Error> ended = of_ended();
  return ended ? *ended : while_all_live(why);
}

Error Absence::of_missing(const std::string& key, const std::string& what) {
  std::vector<int> missing;
  try {
    check_failed();
    for (int rank = 0; rank < place_.ranks; ++rank) {
      if (!store_.get(key + "/" + std::to_string(rank))) missing.push_back(rank);
    }
  } catch (const Error& error) {
    return error;
  }
  return {ErrorCode::kBadRun,
          names(missing) + (missing.size() == 1 ? " has" : " have") + " not " + what + " within " + seconds(),
          "All " + std::to_string(place_.ranks) +
              " ranks must start with the same MASTER_ADDR, MASTER_PORT and WORLD_SIZE. --rank-timeout waits longer."};
}

}  // namespace binade::ranks
