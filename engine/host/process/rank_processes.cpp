// SPDX-License-Identifier: Apache-2.0
#include "engine/host/process/rank_processes.h"

#include "engine/formats/error.h"
#include "engine/host/process/exit_code.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <string_view>
#include <thread>

namespace binade::host {

namespace {

constexpr const char* kOwnProgram = "/proc/self/exe";

std::string_view name_of(const std::string& variable) {
  return std::string_view(variable).substr(0, variable.find('='));
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

/// This process's environment with some variables replaced.
std::vector<std::string> environment_with(const std::vector<std::string>& variables) {
  std::vector<std::string> all = variables;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string variable = *each;
    const bool replaced = std::any_of(variables.begin(), variables.end(),
                                      [&](const auto& other) { return name_of(other) == name_of(variable); });
    if (!replaced) all.push_back(variable);
  }
  return all;
}

/// Everything between fork() and exec() must be safe in a copy of a process with several threads.
[[noreturn]] void become(char* const* arguments, char* const* environment) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);  // Interrupt has blocked signals
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  ::execve(kOwnProgram, arguments, environment);
  ::_exit(kFailed);
}

}  // namespace

void name_process_of_rank(int rank) {
  constexpr std::size_t kLongest = 15;  // of the kernel
  const std::string name = "binade-engine";
  // No space: Slurm's proctrack/linuxproc reads the name in /proc/PID/stat up to a space, then cannot end the process.
  const std::string whole = name + "-" + std::to_string(rank);
  ::prctl(PR_SET_NAME, (whole.size() <= kLongest ? whole : name).c_str());
}

RankProcesses::~RankProcesses() {
  send_all(SIGKILL);
  for (pid_t& process : processes_) {
    if (process == 0) continue;
    while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) continue;
    process = 0;
  }
}

void RankProcesses::start(const std::vector<std::string>& arguments, const std::vector<std::string>& variables) {
  std::vector<std::string> own = arguments;
  own.front() += ": rank " + std::to_string(processes_.size());
  std::vector<std::string> environment = environment_with(variables);
  const std::vector<char*> argument_pointers = pointers_to(own);
  const std::vector<char*> environment_pointers = pointers_to(environment);
  const pid_t process = ::fork();
  if (process == 0) become(argument_pointers.data(), environment_pointers.data());
  if (process < 0) {
    throw Error(ErrorCode::kBadRun,
                "Rank " + std::to_string(processes_.size()) + " could not be started: " + std::strerror(errno),
                "Start fewer ranks, or raise the limit of processes.");
  }
  ::setpgid(process, process);  // also here, so that it holds before the next signal
  processes_.push_back(process);
}

bool RankProcesses::End::is_failure() const {
  return signal != 0 || code != kDone;
}

std::string RankProcesses::End::text() const {
  if (signal == 0) return "ended with exit code " + std::to_string(code);
  return "was killed by signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
}

std::optional<RankProcesses::End> RankProcesses::wait(std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds kPause{10};
  const auto until = std::chrono::steady_clock::now() + patience;
  for (;;) {
    for (std::size_t rank = 0; rank < processes_.size(); ++rank) {
      const pid_t process = processes_[rank];
      int status = 0;
      if (process == 0 || ::waitpid(process, &status, WNOHANG) != process) continue;
      processes_[rank] = 0;
      return End{.rank = static_cast<int>(rank),
                 .process = process,
                 .code = WIFEXITED(status) ? WEXITSTATUS(status) : kFailed,
                 .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0};
    }
    if (std::chrono::steady_clock::now() >= until) return std::nullopt;
    std::this_thread::sleep_for(kPause);
  }
}

void RankProcesses::send(int rank, int signal) {
  const pid_t process = processes_[static_cast<std::size_t>(rank)];
  if (process != 0) ::kill(process, signal);
}

void RankProcesses::send_all(int signal) {
  for (int rank = 0; rank < size(); ++rank) send(rank, signal);
}

bool RankProcesses::is_stopped(int rank) const {
  const pid_t process = processes_[static_cast<std::size_t>(rank)];
  if (process == 0) return false;
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t name = text.rfind(')');  // the name may contain spaces
  return name != std::string::npos && name + 2 < text.size() && text[name + 2] == 'T';
}

int RankProcesses::running() const {
  return static_cast<int>(std::count_if(processes_.begin(), processes_.end(), [](pid_t each) { return each != 0; }));
}

}  // namespace binade::host
