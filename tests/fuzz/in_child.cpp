// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/in_child.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>

namespace binade::fuzz {

namespace {

/// Written by the child, read by its parent when it has ended.
struct Shared {
  std::uint32_t number;
  Counts counts;
  std::array<char, 4000> why;
};

#ifdef __SANITIZE_ADDRESS__
constexpr long kMostKilobytes = 64L << 20;
#else
constexpr long kMostKilobytes = 2L << 20;
#endif

void limit_time() {
  const itimerval processor{{0, 0}, {kMostSeconds, 0}};
  ::setitimer(ITIMER_PROF, &processor, nullptr);
  ::alarm(kMostWaiting);
}

void check_memory() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  if (used.ru_maxrss > kMostKilobytes) {
    throw std::runtime_error("the process needed " + std::to_string(used.ru_maxrss >> 10) + " MiB");
  }
}

[[noreturn]] void run(const std::function<bool(std::uint32_t)>& check, std::uint32_t first, std::uint32_t end,
                      Shared& shared) {
  for (std::uint32_t number = first; number < end; ++number) {
    shared.number = number;
    limit_time();
    try {
      ++(check(number) ? shared.counts.accepted : shared.counts.refused);
      check_memory();
    } catch (const std::exception& fault) {
      std::strncpy(shared.why.data(), fault.what(), shared.why.size() - 1);
      ::_exit(1);
    }
  }
  ::_exit(0);
}

std::string ended_by(int status, const Shared& shared) {
  if (WIFSIGNALED(status)) {
    if (WTERMSIG(status) == SIGPROF)
      return "a hang: more than " + std::to_string(kMostSeconds) + " s of processor time";
    if (WTERMSIG(status) == SIGALRM) return "a hang: nothing for " + std::to_string(kMostWaiting) + " s";
    return std::string("a crash: ") + ::strsignal(WTERMSIG(status));
  }
  if (shared.why.front() != '\0') return shared.why.data();
  return "the process ended with code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

std::optional<Failed> in_child(const std::function<bool(std::uint32_t)>& check, std::uint32_t first, std::uint32_t end,
                               Counts& counts) {
  void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  const auto unmap = [](Shared* shared) { ::munmap(shared, sizeof(Shared)); };
  const std::unique_ptr<Shared, decltype(unmap)> shared(new (memory) Shared{}, unmap);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process can be made");
  if (child == 0) run(check, first, end, *shared);
  int status = 0;
  ::waitpid(child, &status, 0);
  counts.accepted += shared->counts.accepted;
  counts.refused += shared->counts.refused;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return std::nullopt;
  return Failed{shared->number, ended_by(status, *shared)};
}

}  // namespace binade::fuzz
