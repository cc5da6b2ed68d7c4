// SPDX-License-Identifier: Apache-2.0
// What NVIDIA's driver needs to start, in processes with and without its devices. Neither needs a GPU here.
#include "engine/confine/confined_process.h"
#include "tests/support/suite.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <functional>
#include <string>
#include <thread>

namespace binade {

namespace {

constexpr bool kWithGpu = true;
constexpr bool kWithoutGpu = false;

/// The exit code of a confined process that runs this and may use no file.
int confined(bool gpu, const std::function<int()>& run) {
  confine::ConfinedProcess process({.gpu = gpu}, run);
  return process.serve_files();
}

bool writes(const std::string& file) {
  return ::open(file.c_str(), O_WRONLY | O_CLOEXEC) >= 0;
}

bool fails_with(int reason, int result) {
  return result < 0 && errno == reason;
}

/// A socket under an abstract name, as the driver makes one; -1 on failure.
int bound_socket(int type, const std::string& name) {
  const int bound = ::socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  name.copy(address.sun_path + 1, sizeof address.sun_path - 1);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (bound < 0 || ::bind(bound, reinterpret_cast<const sockaddr*>(&address), size) != 0) return -1;
  return bound;
}

/// Names a thread as the driver does, by the thread's own file.
bool names_a_thread() {
  bool named = false;
  std::thread([&named] {
    const std::string file = "/proc/self/task/" + std::to_string(::syscall(SYS_gettid)) + "/comm";
    const int comm = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
    named = comm >= 0 && ::write(comm, "worker", 6) == 6;
  }).join();
  return named;
}

}  // namespace

class ConfinedDriver : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aDriverHasWhatItsStartNeeds();
  void aDriverReachesNoOther();
  void withoutAGpuThereIsNoSocket();
};

/// cuInit() fails in a process that cannot name its threads, or cannot listen under a name of its own.
void ConfinedDriver::aDriverHasWhatItsStartNeeds() {
  QCOMPARE(confined(kWithGpu,
                    [] {
                      if (!names_a_thread()) return 1;
                      const int bound = bound_socket(SOCK_SEQPACKET, "binade-test-" + std::to_string(::getpid()));
                      if (bound < 0) return 2;
                      return ::listen(bound, 4) == 0 ? 7 : 3;
                    }),
           7);
}

/// Each number that the process may end with names the attempt that was not refused.
void ConfinedDriver::aDriverReachesNoOther() {
  if (const std::string why = confine::why_unavailable(); !why.empty()) QSKIP(why.c_str());
  const std::string outside = "binade-test-outside-" + std::to_string(::getpid());
  const int listening = bound_socket(SOCK_SEQPACKET, outside);
  QVERIFY(listening >= 0 && ::listen(listening, 4) == 0);
  const auto attempts = [&] {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    outside.copy(address.sun_path + 1, sizeof address.sun_path - 1);
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + outside.size());
    const int packets = ::socket(AF_UNIX, SOCK_SEQPACKET, 0);
    if (packets < 0) return 1;
    if (!fails_with(EPERM, ::connect(packets, reinterpret_cast<const sockaddr*>(&address), size))) return 2;
    if (!fails_with(
            EPERM, static_cast<int>(::sendto(packets, "x", 1, 0, reinterpret_cast<const sockaddr*>(&address), size)))) {
      return 3;
    }
    const int mine = bound_socket(SOCK_SEQPACKET, outside + "-mine");
    if (mine < 0 || ::listen(mine, 1) != 0) return 4;
    if (!fails_with(EPERM, ::accept(mine, nullptr, nullptr)) ||
        !fails_with(EPERM, ::accept4(mine, nullptr, nullptr, 0))) {
      return 5;
    }
    for (const int type : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW}) {
      if (!fails_with(EPERM, ::socket(AF_UNIX, type, 0))) return 6;
    }
    sockaddr_un file{};
    file.sun_family = AF_UNIX;
    const std::string path = test::temporaryFolder().toStdString() + "/socket";
    path.copy(file.sun_path, sizeof file.sun_path - 1);
    if (::bind(packets, reinterpret_cast<const sockaddr*>(&file), sizeof file) == 0) return 8;
    if (!fails_with(EPERM, ::socket(AF_INET, SOCK_STREAM, 0))) return 9;
    // The right to write into the files of threads is for this process alone.
    return writes("/proc/" + std::to_string(::getppid()) + "/comm") || writes("/proc/self/oom_score_adj") ? 10 : 7;
  };
  const int code = confined(kWithGpu, attempts);
  ::close(listening);
  QCOMPARE(code, 7);
}

void ConfinedDriver::withoutAGpuThereIsNoSocket() {
  if (const std::string why = confine::why_unavailable(); !why.empty()) QSKIP(why.c_str());
  QCOMPARE(confined(kWithoutGpu,
                    [] {
                      if (names_a_thread()) return 1;
                      return fails_with(EPERM, ::socket(AF_UNIX, SOCK_SEQPACKET, 0)) ? 7 : 2;
                    }),
           7);
}

BINADE_SUITE(ConfinedDriver);

}  // namespace binade

#include "tst_confined_driver.moc"
