// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/engine_relay.h"

#include "engine/formats/error.h"
#include "engine/wire/codec.h"
#include "engine/wire/frame.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <fstream>
#include <string_view>
#include <variant>

namespace binade::bench {

namespace {

// Notes the skipped steps of all whole messages that were fed.
void note_skipped(wire::FrameReader& reader, std::int64_t now, std::ofstream& log) {
  for (;;) {
    try {
      const auto message = reader.next();
      if (!message) break;
      const auto* notification = std::get_if<wire::Notification>(&*message);
      if (notification == nullptr || notification->method != wire::kRouteOf<wire::StepBatch>.method) continue;
      for (const wire::StepRecord& step : wire::decode<wire::StepBatch>(notification->params).steps) {
        if (!step.stepped) log << step.step << ' ' << now << '\n';
      }
    } catch (const Error&) {
      if (reader.lost()) break;
    }
  }
  log.flush();
}

bool pass_on(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

}  // namespace

std::int64_t shared_clock() {
  std::timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

int relay(const std::string& engine, const std::string& log_file) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return 1;
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    ::execl(engine.c_str(), engine.c_str(), "serve", nullptr);
    ::_exit(127);
  }
  ::close(ends[1]);
  if (child < 0) return 1;
  std::ofstream log(log_file, std::ios::app);
  wire::FrameReader reader;
  std::array<char, 1 << 16> buffer;
  for (;;) {
    const ssize_t got = ::read(ends[0], buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    const std::int64_t now = shared_clock();
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(got));
    if (!pass_on(bytes)) break;  // decoded later, so that this does not delay the explorer
    reader.feed(bytes);
    note_skipped(reader, now, log);
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

std::map<std::int64_t, std::int64_t> skipped_steps(const std::string& log_file) {
  std::map<std::int64_t, std::int64_t> times;
  std::ifstream log(log_file);
  std::int64_t step = 0;
  std::int64_t at = 0;
  while (log >> step >> at) times.emplace(step, at);
  return times;
}

}  // namespace binade::bench
