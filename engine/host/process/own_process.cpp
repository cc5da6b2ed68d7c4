// SPDX-License-Identifier: Apache-2.0
#include "engine/host/process/own_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

extern char** environ;  // NOLINT: declared so by POSIX

namespace binade::host {

OwnProcess outcome_of(std::string output, int code) {
  if (code < 0) return {{}, std::string("ended the process with ").append(::strsignal(-code))};
  if (code > 0) return {{}, "ended the process with exit code " + std::to_string(code)};
  while (!output.empty() && output.back() == '\n') output.pop_back();
  return {output.substr(output.rfind('\n') + 1), {}};
}

OwnProcess run_apart(const std::vector<std::string>& arguments) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return {{}, "could not be started"};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<std::string> words = arguments;
  words.insert(words.begin(), "binade-engine");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(pipe[1]);
  std::string text;
  std::array<char, 4096> buffer{};
  while (failed == 0) {
    const ssize_t got = ::read(pipe[0], buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  ::close(pipe[0]);
  if (failed != 0) return {{}, "could not be started"};
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return outcome_of(std::move(text), WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status));
}

}  // namespace binade::host
