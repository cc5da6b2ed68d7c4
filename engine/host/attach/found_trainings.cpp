// SPDX-License-Identifier: Apache-2.0
#include "engine/host/attach/found_trainings.h"

#include "engine/formats/error.h"
#include "engine/formats/printable.h"
#include "engine/host/attach/door.h"
#include "engine/host/process/log.h"
#include "engine/wire/codec.h"
#include "engine/wire/frame.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <system_error>

namespace binade::host {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience{2};

/// The first response that arrives before `end`, or has arrived if that is over; nullopt if none does.
std::optional<wire::Response> await_response(int socket, Clock::time_point end) {
  wire::FrameReader reader;
  std::array<char, 65536> buffer;
  for (bool late = false;;) {
    while (const auto message = reader.next()) {
      if (const auto* response = std::get_if<wire::Response>(&*message)) return *response;
    }
    if (late) return std::nullopt;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    late = left <= 0;
    pollfd ready{socket, POLLIN, 0};
    if (::poll(&ready, 1, late ? 0 : static_cast<int>(left)) <= 0) return std::nullopt;
    const ssize_t count = ::read(socket, buffer.data(), buffer.size());
    if (count <= 0) return std::nullopt;
    reader.feed({buffer.data(), static_cast<std::size_t>(count)});
  }
}

FoundTraining from_sign(const SocketSign& sign) {
  FoundTraining training;
  training.sign = sign;
  training.run.name = fs::path(sign.run).stem().string();
  training.run.process = sign.process;
  training.run.host = sign.host;
  training.run.since = sign.since;
  return training;
}

/// A training that has been asked what it is.
struct Asked {
  FoundTraining training;
  int socket = -1;  ///< on which it answers; negative: it could not be asked
};

Asked ask(const AttachFolder& folder, const SocketSign& sign) {
  Asked asked{from_sign(sign)};
  FoundTraining& training = asked.training;
  if (training.sign.host != host_name()) {
    training.why = "It runs on " + formats::printable(training.sign.host) + ".";
    return asked;
  }
  training.why = "It does not answer.";
  const int socket = connect_to(folder, training.sign);
  if (socket < 0 && errno != EAGAIN) {
    training.why = std::string("It cannot be reached: ") + std::strerror(errno) + ".";
  }
  if (socket < 0) return asked;
  const std::string bytes = wire::frame(wire::Request{1, "attach.describe", nlohmann::json::object()});
  if (::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size())) {
    asked.socket = socket;
  } else {
    ::close(socket);
  }
  return asked;
}

/// Reads its answer, if it comes before `end`.
FoundTraining answered(Asked asked, Clock::time_point end) {
  FoundTraining& training = asked.training;
  if (asked.socket < 0) return training;
  try {
    if (const auto response = await_response(asked.socket, end)) {
      if (const auto* failure = std::get_if<wire::Failure>(&response->outcome)) {
        training.why = "It has another version: " + formats::printable(failure->message) + ".";
      } else {
        training.run = wire::decode<wire::AttachedRun>(std::get<nlohmann::json>(response->outcome));
        training.why.clear();
      }
    }
  } catch (const Error& error) {
    training.why = "It has another version: " + std::string(error.what()) + ".";
  }
  ::close(asked.socket);
  return training;
}

void report_refused(const Error& error) {
  log("warning", std::string(error.what()) + ". " + error.hint);
}

bool is_same_file(const std::string& one, const std::string& other) {
  if (one.empty() || other.empty()) return false;
  std::error_code unknown;
  return one == other || fs::equivalent(one, other, unknown);
}

/// The process that started another one of this computer, such as `launch`; 0 if it is unknown.
int parent_of(std::int64_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  // Behind the name in brackets, which may hold anything: state and parent.
  const std::size_t end = text.rfind(')');
  if (end == std::string::npos) return 0;
  std::istringstream rest(text.substr(end + 1));
  char state = 0;
  int parent = 0;
  rest >> state >> parent;
  return parent;
}

bool is_started_by(const FoundTraining& training, const std::string& process) {
  if (training.sign.host != host_name()) return false;
  const int parent = parent_of(training.sign.process);
  return parent > 1 && std::to_string(parent) == process;  // 1 adopts the processes whose parent has ended
}

bool is_meant(const FoundTraining& training, const std::string& run) {
  return training.run.name == run || std::to_string(training.sign.process) == run ||
         is_same_file(training.run.run_file, run) || is_same_file(training.sign.run, run);
}

std::string list_of(const std::vector<FoundTraining>& trainings) {
  std::string list;
  for (const FoundTraining& each : trainings) list += "\n  " + training_line(each);
  return list;
}

}  // namespace

std::string training_line(const FoundTraining& training) {
  std::string line = std::to_string(training.sign.process) + "  " + formats::printable(training.run.name);
  if (!training.run.run_file.empty()) line += "  " + formats::printable(training.run.run_file);
  return training.why.empty() ? line : line + "  (" + training.why + ")";
}

std::vector<FoundTraining> find_trainings() {
  std::vector<Asked> asked;
  const std::vector<AttachFolder> folders = AttachFolder::existing(report_refused);
  for (const AttachFolder& folder : folders) {
    for (const std::string& name : folder.names(kSignEnding)) {
      const auto sign = read_sign(folder, name);
      if (sign) asked.push_back(ask(folder, *sign));
    }
  }
  // One time for all answers: several trainings that do not answer take no longer than one.
  const auto end = Clock::now() + kPatience;
  std::vector<FoundTraining> all;
  for (const Asked& each : asked) all.push_back(answered(each, end));
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& one, const auto& other) { return one.run.since < other.run.since; });
  return all;
}

int connect_to_training(const std::string& run) {
  const std::vector<FoundTraining> here = find_trainings();
  std::vector<FoundTraining> all;
  std::copy_if(here.begin(), here.end(), std::back_inserter(all),
               [&run](const FoundTraining& each) { return run.empty() || is_meant(each, run); });
  if (all.empty()) {
    std::copy_if(here.begin(), here.end(), std::back_inserter(all),
                 [&run](const FoundTraining& each) { return is_started_by(each, run); });
  }
  if (all.empty() && !here.empty()) {
    throw Error(ErrorCode::kBadRun, formats::printable(run) + " names no training of this user on this computer",
                "These run:" + list_of(here));
  }
  if (all.empty()) {
    throw Error(ErrorCode::kBadRun, "No training of this user runs on this computer",
                "Start one with `binade-engine train`, without --no-attach.");
  }
  // A folder of several computers may have trainings of the same name, or of another process with the same number.
  const auto is_elsewhere = [](const FoundTraining& each) { return each.sign.host != host_name(); };
  if (!std::all_of(all.begin(), all.end(), is_elsewhere)) std::erase_if(all, is_elsewhere);
  if (is_elsewhere(all.front())) {
    const std::string host = formats::printable(all.front().sign.host);
    const std::string process = std::to_string(all.front().sign.process);
    throw Error(ErrorCode::kBadRun, "This training runs on another computer:" + list_of(all),
                "Connect to that one: binade --connect 'ssh " + host + " binade-engine attach " + process + "'");
  }
  if (all.size() > 1) {
    throw Error(ErrorCode::kUsage, "Several trainings run on this computer:" + list_of(all),
                "Name one of them by its process: binade-engine attach " + std::to_string(all.back().sign.process));
  }
  const FoundTraining& only = all.front();
  const std::vector<AttachFolder> folders = AttachFolder::existing([](const Error& /*reported*/) {});
  for (const AttachFolder& folder : folders) {
    if (const int socket = connect_to(folder, only.sign); socket >= 0) return socket;
  }
  throw Error(ErrorCode::kBadRun,
              "The training " + training_line(only) + " cannot be reached" +
                  (only.why.empty() ? std::string(". It may have ended") : std::string()),
              "See `binade-engine attach --list`.");
}

}  // namespace binade::host
