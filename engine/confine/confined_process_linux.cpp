// SPDX-License-Identifier: Apache-2.0
#include "engine/confine/confined_process.h"
#include "engine/confine/landlock.h"
#include "engine/confine/limits.h"
#include "engine/confine/scratch_folder.h"
#include "engine/confine/system_calls.h"
#include "engine/formats/error.h"
#include "engine/formats/file_refusal.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <system_error>

namespace binade::confine {

namespace {

void close_between(unsigned first, unsigned last) {
  if (first > last || ::syscall(SYS_close_range, first, last, 0) == 0) return;
  // Before Linux 5.9.
  const long most = ::sysconf(_SC_OPEN_MAX);
  for (unsigned each = first; each <= last && most > 0 && each < static_cast<unsigned long>(most); ++each) {
    ::close(static_cast<int>(each));
  }
}

/// Files that others have opened are not the confined process's to use.
void close_others(std::vector<int> keep) {
  std::sort(keep.begin(), keep.end());
  unsigned begin = STDERR_FILENO + 1;
  for (const int each : keep) {
    if (each < static_cast<int>(begin)) continue;
    if (static_cast<unsigned>(each) > begin) close_between(begin, static_cast<unsigned>(each) - 1);
    begin = static_cast<unsigned>(each) + 1;
  }
  close_between(begin, std::numeric_limits<unsigned>::max());
}

/// Makes the folders of the access. Returns those that did not exist, with their parents before them.
std::vector<std::string> make_folders(const Access& access) {
  std::vector<std::string> made;
  std::error_code ignored;  // the confined process reports what it cannot use
  for (const auto* const folders : {&access.folders, &access.checkpoints}) {
    for (const std::string& folder : *folders) {
      if (folder.empty()) continue;
      std::filesystem::path whole;
      for (const auto& part : std::filesystem::absolute(folder, ignored).lexically_normal()) {
        whole /= part;
        if (!part.empty() && std::filesystem::create_directory(whole, ignored)) made.push_back(whole.string());
      }
    }
  }
  return made;
}

/// Libraries and readers take the places of their temporary files from these.
void use_scratch(const std::string& folder) {
  for (const char* const variable : {"XDG_CACHE_HOME", "TMPDIR", "CUDA_CACHE_PATH"}) {
    ::setenv(variable, folder.c_str(), 1);
  }
}

/// As far as the kernel can: the caller has asked why_unavailable().
void confine_this(const Access& access) {
  apply(limits_for(access));
  if (landlock_version() > 0) {
    limit_files(access);
    set_confined();
  }
  if (can_limit_calls()) limit_calls(access);
}

std::atomic<int> passed_on_to{-1};

void pass_on(int signal, siginfo_t* info, void* /*context*/) {
  const int saved = errno;
  const int id = passed_on_to;
  // A terminal sends SIGINT to both by itself.
  if (id > 0 && (signal != SIGINT || info->si_code == SI_USER)) ::kill(id, signal);
  errno = saved;
}

}  // namespace

std::string why_unavailable() {
  if (landlock_version() < 1) return "This kernel has no Landlock, or it is switched off, so files are open to models.";
  if (!can_limit_calls()) {
    return "This kernel does not filter system calls (seccomp), so networks and programs are open to models.";
  }
  return {};
}

bool is_possible_in_part() {
  return true;
}

ConfinedProcess::ConfinedProcess(const Access& access, const std::function<int()>& run, const std::vector<int>& keep)
    : access_(access) {
  made_ = make_folders(access_);
  scratch_ = std::make_unique<ScratchFolder>();
  // Landlock allows a file, not a name: one that is replaced meanwhile, as by an export, is opened by the broker.
  for (const std::string& file : access_.reads) broker_.allow_read(file);
  for (const std::string& folder : access_.checkpoints) broker_.allow_checkpoints(folder);
  for (const std::string& file : access_.outputs) broker_.allow_output(file);
  std::fflush(nullptr);
  const pid_t starter = ::getpid();
  id_ = ::fork();
  if (id_ < 0) {
    throw Error(ErrorCode::kInternal, std::string("A confined process cannot be started: ") + std::strerror(errno));
  }
  if (id_ > 0) {
    broker_.close_client();
    return;
  }
  int code = 1;
  try {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != starter) ::_exit(code);  // it was killed before the line above
    const int client = broker_.become_client();
    std::vector<int> open = keep;
    open.push_back(client);
    close_others(open);
    use_scratch(scratch_->path());
    Access whole = access_;
    whole.folders.push_back(scratch_->path());
    confine_this(whole);
    code = run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "binade-engine: %s\n", error.what());
  }
  std::fflush(nullptr);
  ::_exit(code);
}

ConfinedProcess::~ConfinedProcess() {
  if (id_ > 0) end();
  std::error_code ignored;
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) {
    std::filesystem::remove(*folder, ignored);  // fails if there is something
  }
}

int ConfinedProcess::serve_files() {
  while (broker_.answer()) {
  }
  return wait();
}

int ConfinedProcess::wait() {
  if (id_ < 0) return -SIGKILL;
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0) {
    if (errno != EINTR) return -SIGKILL;
  }
  id_ = -1;
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

int ConfinedProcess::end() {
  if (id_ > 0) ::kill(id_, SIGKILL);  // no effect on a process that has an exit code already
  return wait();
}

int run_confined(const Access& access, const std::function<int()>& run, const std::vector<int>& keep,
                 const std::function<void()>& started) {
  auto process = std::make_unique<ConfinedProcess>(
      access,
      [&run] {
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // it closes its run file
        return run();
      },
      keep);
  passed_on_to = process->id();
  struct sigaction action {};
  action.sa_sigaction = pass_on;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
  if (started) started();
  const int code = process->serve_files();
  passed_on_to = -1;
  process.reset();  // removes its folder
  if (code >= 0) return code;
  std::fprintf(stderr, "binade-engine: the confined process ended by signal %d (%s)\n", -code, ::strsignal(-code));
  std::signal(-code, SIG_DFL);
  std::raise(-code);
  return 1;
}

ConfinedOutput output_of_confined(const Access& access, const std::function<int()>& run) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) {
    throw Error(ErrorCode::kInternal, std::string("A confined process cannot be started: ") + std::strerror(errno));
  }
  ConfinedProcess process(access,
                          [&] {
                            ::dup2(pipe[1], STDOUT_FILENO);
                            const int none = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
                            if (none >= 0) ::dup2(none, STDERR_FILENO);
                            return run();
                          },
                          {pipe[1]});
  ::close(pipe[1]);
  ConfinedOutput output;
  output.code = process.serve_files();
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t got = ::read(pipe[0], buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    output.text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  ::close(pipe[0]);
  return output;
}

}  // namespace binade::confine
