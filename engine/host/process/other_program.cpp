// SPDX-License-Identifier: Apache-2.0
#include "engine/host/process/other_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

extern char** environ;  // NOLINT: declared so by POSIX

namespace binade::host {

namespace {

/// The environment of this process, but with the library path that the user set: the launcher of a package adds
/// LibTorch's folder for the engine alone.
std::vector<std::string> callers_environment() {
  constexpr std::string_view kPath = "LD_LIBRARY_PATH=";
  const char* const callers = std::getenv("BINADE_CALLERS_LIBRARY_PATH");
  std::vector<std::string> result;
  for (char** each = environ; *each != nullptr; ++each) {
    if (callers == nullptr || !std::string_view(*each).starts_with(kPath)) result.emplace_back(*each);
  }
  if (callers != nullptr && *callers != '\0') result.push_back(std::string(kPath).append(callers));
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

std::string read_to_end(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer{};
  while (true) {
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

ProgramEnd run_program(const std::vector<std::string>& arguments) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return {false, {}, "could not be started"};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
  std::vector<std::string> words = arguments;
  const std::vector<char*> argv = pointers(words);
  std::vector<std::string> variables = callers_environment();
  const std::vector<char*> environment = pointers(variables);
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, argv.front(), &actions, nullptr, argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  ::close(pipe[1]);
  ProgramEnd end;
  end.started = failed == 0;
  if (failed == 0) end.output = read_to_end(pipe[0]);
  ::close(pipe[0]);
  if (failed != 0) return {false, {}, std::string("could not be started: ") + std::strerror(failed)};
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    end.failure = std::string("was ended by ") + ::strsignal(WTERMSIG(status));
  } else if (WEXITSTATUS(status) != 0) {
    end.failure = "ended with exit code " + std::to_string(WEXITSTATUS(status));
  }
  return end;
}

}  // namespace binade::host
