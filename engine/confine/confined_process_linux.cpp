// SPDX-License-Identifier: Apache-2.0
#include "engine/confine/confined_process.h"
#include "engine/confine/landlock.h"
#include "engine/confine/limits.h"
#include "engine/confine/system_calls.h"
#include "engine/formats/error.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
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

/// Returns the folders that did not exist.
std::vector<std::string> make_folders(const Access& access) {
  std::vector<std::string> made;
  for (const auto* const folders : {&access.folders, &access.checkpoints}) {
    for (const std::string& folder : *folders) {
      std::error_code ignored;  // the confined process reports what it cannot use
      if (!folder.empty() && std::filesystem::create_directories(folder, ignored)) made.push_back(folder);
    }
  }
  return made;
}

/// A new folder in the user's cache, or in the temporary folder; empty: there can be none. Not the temporary folder
/// first: on many systems that is memory.
std::string make_scratch() {
  std::vector<std::filesystem::path> folders;
  const auto add = [&folders](const char* variable, const char* below) {
    const char* const value = std::getenv(variable);
    if (value != nullptr && *value == '/') folders.push_back(std::filesystem::path(value) / below);
  };
  add("XDG_CACHE_HOME", "binade");
  add("HOME", ".cache/binade");
  std::error_code none;
  folders.push_back(std::filesystem::temp_directory_path(none));
  for (const auto& folder : folders) {
    std::filesystem::create_directories(folder, none);
    std::string name = (folder / "confined-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) return name;
  }
  return {};
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
  if (landlock_version() > 0) limit_files(access);
  if (can_limit_calls()) limit_calls();
}

std::atomic<int> passed_on_to{-1};

void pass_on(int signal) {
  const int saved = errno;
  if (const int id = passed_on_to; id > 0) ::kill(id, signal);
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
  scratch_ = make_scratch();
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
    use_scratch(scratch_);
    Access whole = access_;
    whole.folders.push_back(scratch_);
    confine_this(whole);
    code = run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "binade-engine: %s\n", error.what());
  }
  std::fflush(nullptr);
  ::_exit(code);
}

ConfinedProcess::~ConfinedProcess() {
  if (id_ > 0) {
    ::kill(id_, SIGKILL);
    wait();
  }
  std::error_code ignored;
  if (!scratch_.empty()) std::filesystem::remove_all(scratch_, ignored);
  for (const std::string& folder : made_) std::filesystem::remove(folder, ignored);  // fails if there is something
}

int ConfinedProcess::serve_files() {
  while (broker_.answer()) {
  }
  return wait();
}

int ConfinedProcess::wait() {
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0) {
    if (errno != EINTR) return -SIGKILL;
  }
  id_ = -1;
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

int run_confined(const Access& access, const std::function<int()>& run) {
  auto process = std::make_unique<ConfinedProcess>(access, [&run] {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // it closes its run file
    return run();
  });
  passed_on_to = process->id();
  std::signal(SIGINT, SIG_IGN);  // the terminal sends it to both
  std::signal(SIGTERM, pass_on);
  std::signal(SIGHUP, pass_on);
  const int code = process->serve_files();
  passed_on_to = -1;
  process.reset();  // removes its folder
  if (code >= 0) return code;
  std::fprintf(stderr, "binade-engine: the confined process ended by signal %d (%s)\n", -code, ::strsignal(-code));
  std::signal(-code, SIG_DFL);
  std::raise(-code);
  return 1;
}

}  // namespace binade::confine
