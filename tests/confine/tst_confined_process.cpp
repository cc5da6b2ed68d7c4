// SPDX-License-Identifier: Apache-2.0
#include "engine/confine/confined_process.h"
#include "engine/confine/landlock.h"
#include "engine/confine/system_calls.h"
#include "engine/formats/error.h"
#include "engine/formats/file_refusal.h"
#include "engine/formats/input_file.h"
#include "tests/support/suite.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/fsverity.h>
#include <sched.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <QDir>
#include <QFile>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>

namespace binade {

namespace {

/// What a confined process may and may not use.
struct Ground {
  std::string folder = test::temporaryFolder().toStdString();
  std::string data = folder + "/data";
  std::string work = folder + "/made";
  std::string output = folder + "/out/run.binade";
  std::string home = folder + "/whole";  ///< a folder that is named where a file is meant
  std::string secret = folder + "/secret";

  Ground() {
    for (const char* const each : {"data", "whole", "made", "out"}) {
      QDir().mkpath(QString::fromStdString(folder + "/" + each));
    }
    write(data + "/a");
    write(home + "/a");
    write(secret);
  }
  static void write(const std::string& file) {
    QFile to(QString::fromStdString(file));
    if (to.open(QIODevice::WriteOnly)) to.write("text");
  }
  confine::Access access() const {
    return {.reads = {folder + "/whole"}, .read_folders = {data}, .folders = {work}, .outputs = {output}};
  }
};

/// The exit code of a confined process that runs this.
int confined(const Ground& ground, const std::function<int()>& run) {
  confine::ConfinedProcess process(ground.access(), run);
  return process.serve_files();
}

bool opens(const std::string& file, int flags) {
  return ::open(file.c_str(), flags | O_CLOEXEC, 0600) >= 0;
}

}  // namespace

/// Where the kernel has a part of the confinement only, what needs the other is skipped.
class ConfinedProcesses : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    const std::string why = confine::why_unavailable();
    std::printf("confinement here: Landlock version %d, filter of system calls: %s%s%s\n", confine::landlock_version(),
                confine::can_limit_calls() ? "yes" : "no", why.empty() ? "" : ". Not shown: ", why.c_str());
  }

  void namedFilesCanBeUsed();
  void nothingElseIsReadOrWritten_data();
  void nothingElseIsReadOrWritten();
  void errorsNameTheConfinementAndNotThePermissions();
  void threadsRunAndProcessesDoNotStart();
  void aThreadIsConfinedToo();
  void memoryThatOthersShareIsNotReached();
  void anExitCodeAndASignalReachTheStarter();
  void limitsCannotBeLifted();
  void theTemporaryFolderIsItsOwnAndGoes();
  void anAbandonedTemporaryFolderIsRemoved();
  void foldersThatWereMadeForNothingGo();
  void otherDescriptorsAreClosed();
};

void ConfinedProcesses::namedFilesCanBeUsed() {
  const Ground ground;
  QCOMPARE(confined(ground,
                    [&ground] {
                      const std::string made = ground.work + "/made";
                      const bool works = opens(ground.data + "/a", O_RDONLY) && opens(made, O_WRONLY | O_CREAT) &&
                                         std::rename(made.c_str(), (ground.work + "/b").c_str()) == 0 &&
                                         ::unlink((ground.work + "/b").c_str()) == 0 && opens("/dev/null", O_WRONLY) &&
                                         opens("/proc/self/status", O_RDONLY);
                      return works ? 7 : 1;
                    }),
           7);
}

void ConfinedProcesses::nothingElseIsReadOrWritten_data() {
  using Attempt = std::function<bool(const Ground&)>;
  QTest::addColumn<Attempt>("attempt");
  QTest::addColumn<bool>("by_filter");
  const auto row = [](const char* name, const Attempt& attempt) { QTest::newRow(name) << attempt << false; };
  const auto call = [](const char* name, const Attempt& attempt) { QTest::newRow(name) << attempt << true; };
  row("read", [](const Ground& g) { return opens(g.secret, O_RDONLY); });
  row("read by ..", [](const Ground& g) { return opens(g.data + "/../secret", O_RDONLY); });
  row("read by /proc", [](const Ground& g) { return opens("/proc/self/root" + g.secret, O_RDONLY); });
  row("read of the system", [](const Ground&) { return opens("/etc/passwd", O_RDONLY); });
  row("list", [](const Ground& g) { return opens(g.folder, O_RDONLY | O_DIRECTORY); });
  row("read in a folder that is named as a file", [](const Ground& g) { return opens(g.home + "/a", O_RDONLY); });
  row("list a folder that is named as a file", [](const Ground& g) { return opens(g.home, O_RDONLY | O_DIRECTORY); });
  row("broker for a folder that is named as a file",
      [](const Ground& g) { return confine::open_file(g.home.c_str(), O_RDONLY) >= 0; });
  row("list /", [](const Ground&) { return opens("/", O_RDONLY | O_DIRECTORY); });
  row("other process", [](const Ground&) { return opens("/proc/1/environ", O_RDONLY); });
  row("write", [](const Ground& g) { return opens(g.secret, O_WRONLY); });
  row("write to data", [](const Ground& g) { return opens(g.data + "/a", O_WRONLY); });
  row("append to data", [](const Ground& g) { return opens(g.data + "/a", O_WRONLY | O_APPEND); });
  row("create", [](const Ground& g) { return opens(g.folder + "/new", O_WRONLY | O_CREAT); });
  row("create in data", [](const Ground& g) { return opens(g.data + "/new", O_WRONLY | O_CREAT); });
  row("create beside the output", [](const Ground& g) { return opens(g.folder + "/out/x", O_WRONLY | O_CREAT); });
  row("unnamed file", [](const Ground& g) { return opens(g.folder, O_TMPFILE | O_WRONLY); });
  call("truncate while reading", [](const Ground& g) { return opens(g.data + "/a", O_RDONLY | O_TRUNC); });
  call("truncate", [](const Ground& g) { return ::truncate((g.data + "/a").c_str(), 0) == 0; });
  row("remove", [](const Ground& g) { return ::unlink(g.secret.c_str()) == 0; });
  row("remove data", [](const Ground& g) { return ::unlink((g.data + "/a").c_str()) == 0; });
  row("rename", [](const Ground& g) { return std::rename(g.secret.c_str(), (g.work + "/s").c_str()) == 0; });
  row("rename out", [](const Ground& g) {
    return opens(g.work + "/w", O_WRONLY | O_CREAT) &&
           std::rename((g.work + "/w").c_str(), (g.folder + "/w").c_str()) == 0;
  });
  call("link", [](const Ground& g) { return ::link(g.secret.c_str(), (g.work + "/l").c_str()) == 0; });
  call("symbolic link", [](const Ground& g) { return ::symlink(g.secret.c_str(), (g.work + "/l").c_str()) == 0; });
  row("folder", [](const Ground& g) { return ::mkdir((g.folder + "/new").c_str(), 0700) == 0; });
  call("pipe with a name", [](const Ground& g) { return ::mkfifo((g.work + "/p").c_str(), 0600) == 0; });
  call("permissions", [](const Ground& g) { return ::chmod((g.data + "/a").c_str(), 0777) == 0; });
  call("owner", [](const Ground& g) { return ::chown((g.data + "/a").c_str(), 0, 0) == 0; });
  call("time", [](const Ground& g) { return ::utimensat(AT_FDCWD, (g.data + "/a").c_str(), nullptr, 0) == 0; });
  call("network", [](const Ground&) { return ::socket(AF_INET, SOCK_STREAM, 0) >= 0; });
  call("network 6", [](const Ground&) { return ::socket(AF_INET6, SOCK_DGRAM, 0) >= 0; });
  call("local socket", [](const Ground&) { return ::socket(AF_UNIX, SOCK_STREAM, 0) >= 0; });
  call("datagrams to any socket", [](const Ground&) {
    std::array<int, 2> pair{};
    return ::socketpair(AF_UNIX, SOCK_DGRAM, 0, pair.data()) == 0;
  });
  call("a message to an address", [](const Ground&) {
    std::array<int, 2> pair{};
    sockaddr to{};
    to.sa_family = AF_UNIX;
    return ::socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()) != 0 ||
           ::sendto(pair[0], "x", 1, 0, &to, sizeof(to)) >= 0;
  });
  call("signals by the owner of a pipe", [](const Ground&) {
    std::array<int, 2> pipe{};
    return ::pipe(pipe.data()) != 0 || ::fcntl(pipe[0], F_SETOWN, ::getppid()) == 0;
  });
  call("any signal by a pipe", [](const Ground&) {
    std::array<int, 2> pipe{};
    return ::pipe(pipe.data()) != 0 || ::fcntl(pipe[0], F_SETSIG, SIGKILL) == 0;
  });
  call("flags of a file", [](const Ground& g) {
    const int file = ::open((g.data + "/a").c_str(), O_RDONLY | O_CLOEXEC);
    int flags = 0;
    return file < 0 || ::ioctl(file, FS_IOC_SETFLAGS, &flags) == 0 || errno != EPERM;
  });
  call("other calls of file systems", [](const Ground& g) {
    const int file = ::open((g.data + "/a").c_str(), O_RDONLY | O_CLOEXEC);
    const int folder = ::open(g.data.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int value = 0;
    const bool seals = file < 0 || ::ioctl(file, FS_IOC_ENABLE_VERITY, &value) == 0 || errno != EPERM;
    constexpr unsigned long kRemoveSnapshot = 0x5000940FUL;  // BTRFS_IOC_SNAP_DESTROY
    return seals || folder < 0 || ::ioctl(folder, kRemoveSnapshot, nullptr) == 0 || errno != EPERM;
  });
  call("processors of another process", [](const Ground&) {
    cpu_set_t processors;
    if (::sched_getaffinity(0, sizeof(processors), &processors) != 0) return true;
    return ::sched_setaffinity(::getppid(), sizeof(processors), &processors) == 0 ||
           ::sched_setaffinity(0, sizeof(processors), &processors) != 0;
  });
  call("observing a folder", [](const Ground&) { return ::inotify_init1(0) >= 0; });
  row("memory of the starter", [](const Ground&) {
    const std::string memory = "/proc/" + std::to_string(::getppid()) + "/mem";
    return opens(memory, O_RDONLY) || ::ptrace(PTRACE_ATTACH, ::getppid(), nullptr, nullptr) == 0;
  });
  call("calls that pass no filter",
       [](const Ground&) { return ::syscall(SYS_io_uring_setup, 1, nullptr) >= 0 || errno != ENOSYS; });
  call("calls of later kernels", [](const Ground&) { return ::syscall(463, 0, 0, 0, 0) == 0 || errno != ENOSYS; });
  call("signal", [](const Ground&) { return ::kill(::getppid(), 0) == 0; });
  call("signal to all", [](const Ground&) { return ::kill(-1, 0) == 0; });
  row("broker for another file", [](const Ground& g) {
    return confine::open_file((g.folder + "/out/other").c_str(), O_WRONLY | O_CREAT, 0600) >= 0;
  });
  row("broker for a secret", [](const Ground& g) { return confine::open_file(g.secret.c_str(), O_RDONLY) >= 0; });
}

void ConfinedProcesses::nothingElseIsReadOrWritten() {
  QFETCH(std::function<bool(const Ground&)>, attempt);
  QFETCH(bool, by_filter);
  if (by_filter ? !confine::can_limit_calls() : confine::landlock_version() < 1) QSKIP("this kernel cannot");
  const Ground ground;
  QCOMPARE(confined(ground, [&] { return attempt(ground) ? 1 : 7; }), 7);
  QFile secret(QString::fromStdString(ground.secret));
  QVERIFY(secret.open(QIODevice::ReadOnly));
  QCOMPARE(secret.readAll(), QByteArray("text"));
  QFile data(QString::fromStdString(ground.data + "/a"));
  QVERIFY(data.open(QIODevice::ReadOnly));
  QCOMPARE(data.readAll(), QByteArray("text"));
  QCOMPARE(QDir(QString::fromStdString(ground.folder)).entryList(QDir::NoDotAndDotDot | QDir::AllEntries).size(), 5);
}

void ConfinedProcesses::threadsRunAndProcessesDoNotStart() {
  if (!confine::can_limit_calls()) QSKIP("this kernel does not filter system calls");
  const Ground ground;
  QCOMPARE(confined(ground,
                    [] {
                      int ran = 0;
                      std::thread([&ran] { ran = 1; }).join();
                      if (ran != 1) return 1;
                      const pid_t child = ::fork();
                      if (child == 0) ::_exit(0);
                      if (child > 0) return 2;
                      if (std::system("true") == 0) return 3;
                      std::array<char, 5> name{"true"};
                      std::array<char*, 2> words{name.data(), nullptr};
                      ::execv("/bin/true", words.data());
                      return 7;
                    }),
           7);
}

void ConfinedProcesses::aThreadIsConfinedToo() {
  if (confine::landlock_version() < 1) QSKIP("this kernel has no Landlock");
  const Ground ground;
  QCOMPARE(confined(ground,
                    [&ground] {
                      bool read = true;
                      std::thread([&] { read = opens(ground.secret, O_RDONLY); }).join();
                      return read ? 1 : 7;
                    }),
           7);
}

/// Each number that the process may end with names the call that was not refused.
void ConfinedProcesses::memoryThatOthersShareIsNotReached() {
  if (!confine::can_limit_calls()) QSKIP("this kernel does not filter system calls");
  const int memory = ::shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
  const int queue = ::msgget(IPC_PRIVATE, IPC_CREAT | 0600);
  const int semaphores = ::semget(IPC_PRIVATE, 1, IPC_CREAT | 0600);
  const auto use = [=] {
    struct {
      long kind = 1;
      char text = 'x';
    } message;
    sembuf up{0, 1, IPC_NOWAIT};
    const auto refused = [](bool failed) { return failed && errno == EPERM; };
    if (!refused(::shmat(memory, nullptr, 0) == reinterpret_cast<void*>(-1))) return 1;
    if (!refused(::shmctl(memory, IPC_RMID, nullptr) < 0)) return 2;
    if (!refused(::msgsnd(queue, &message, 1, IPC_NOWAIT) < 0)) return 3;
    if (!refused(::msgrcv(queue, &message, 1, 0, IPC_NOWAIT) < 0)) return 4;
    if (!refused(::msgctl(queue, IPC_RMID, nullptr) < 0)) return 5;
    if (!refused(::semop(semaphores, &up, 1) < 0)) return 6;
    return refused(::semctl(semaphores, 0, IPC_RMID) < 0) ? 0 : 7;
  };
  const Ground ground;
  const int code = memory < 0 || queue < 0 || semaphores < 0 ? -1 : confined(ground, use);
  ::shmctl(memory, IPC_RMID, nullptr);
  ::msgctl(queue, IPC_RMID, nullptr);
  ::semctl(semaphores, 0, IPC_RMID);
  if (code == -1) QSKIP("this system has no memory, queues or semaphores of System V");
  QCOMPARE(code, 0);
}

void ConfinedProcesses::anExitCodeAndASignalReachTheStarter() {
  const Ground ground;
  QCOMPARE(confined(ground, [] { return 42; }), 42);
  QCOMPARE(confined(ground,
                    [] {
                      std::signal(SIGABRT, SIG_DFL);
                      std::raise(SIGABRT);
                      return 0;
                    }),
           -SIGABRT);
}

void ConfinedProcesses::limitsCannotBeLifted() {
  const Ground ground;
  QCOMPARE(confined(ground,
                    [] {
                      rlimit limit{};
                      if (::getrlimit(RLIMIT_CORE, &limit) != 0 || limit.rlim_max != 0) return 1;
                      if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_max == RLIM_INFINITY) return 2;
                      const rlimit more{RLIM_INFINITY, RLIM_INFINITY};
                      return confine::can_limit_calls() && ::setrlimit(RLIMIT_FSIZE, &more) == 0 ? 3 : 7;
                    }),
           7);
}

void ConfinedProcesses::theTemporaryFolderIsItsOwnAndGoes() {
  const Ground ground;
  std::array<int, 2> pipe{};
  QCOMPARE(::pipe(pipe.data()), 0);
  {
    confine::ConfinedProcess process(ground.access(),
                                     [&pipe] {
                                       const std::string folder = std::getenv("TMPDIR");
                                       if (!opens(folder + "/x", O_WRONLY | O_CREAT)) return 1;
                                       return ::write(pipe[1], folder.data(), folder.size()) > 0 ? 7 : 2;
                                     },
                                     {pipe[1]});
    QCOMPARE(process.serve_files(), 7);
  }
  std::array<char, 1000> name{};
  const auto size = ::read(pipe[0], name.data(), name.size());
  ::close(pipe[0]);
  ::close(pipe[1]);
  QVERIFY(size > 0);
  QVERIFY(!QFile::exists(QString::fromUtf8(name.data(), static_cast<int>(size))));
}

void ConfinedProcesses::anAbandonedTemporaryFolderIsRemoved() {
  const QString cache = test::temporaryFolder();
  const QByteArray before = qgetenv("XDG_CACHE_HOME");
  qputenv("XDG_CACHE_HOME", cache.toUtf8());
  QDir().mkpath(cache + QStringLiteral("/binade/confined-abcdef/model"));
  QDir().mkpath(cache + QStringLiteral("/binade/confined-of-another-kind"));
  int folders = 0;
  {
    const Ground ground;
    confine::ConfinedProcess first(ground.access(), [] { return 7; });
    confine::ConfinedProcess second(ground.access(), [] { return 7; });
    folders =
        static_cast<int>(QDir(cache + QStringLiteral("/binade")).entryList({QStringLiteral("confined-*")}).size());
    first.serve_files();
    second.serve_files();
  }
  before.isNull() ? qunsetenv("XDG_CACHE_HOME") : qputenv("XDG_CACHE_HOME", before);
  QCOMPARE(folders, 3);  // those of both, and the one that is not a process's
  QCOMPARE(QDir(cache + QStringLiteral("/binade")).entryList({QStringLiteral("confined-*")}),
           QStringList{QStringLiteral("confined-of-another-kind")});
}

/// Each number that the process may end with names the part that is wrong.
void ConfinedProcesses::errorsNameTheConfinementAndNotThePermissions() {
  if (confine::landlock_version() < 1) QSKIP("this kernel has no Landlock");
  const Ground ground;
  QCOMPARE(file_refusal(ground.secret, EACCES, FileUse::kRead, "hint").hint, std::string("hint"));
  const auto explain = [&ground] {
    try {
      read_input_text(ground.secret);
      return 1;
    } catch (const Error& error) {
      const std::string what = error.what();
      if (what != ground.secret + " cannot be read: the confinement refuses it") return 2;
      if (error.hint.find("permission") != std::string::npos) return 3;
    }
    const std::string made = ground.folder + "/new";
    if (opens(made, O_WRONLY | O_CREAT)) return 4;
    if (file_refusal(made, errno, FileUse::kWrite, {}).reason != "the confinement refuses it") return 5;
    // What is not there, and other reasons, are the system's.
    if (file_refusal(ground.folder + "/none", EACCES, FileUse::kRead, "hint").hint != "hint") return 6;
    if (file_refusal(ground.secret, EIO, FileUse::kRead, "hint").hint != "hint") return 7;
    return names_confinement("unable to open file </x>: Permission denied (13)") ? 0 : 8;
  };
  QCOMPARE(confined(ground, explain), 0);
  QVERIFY(!names_confinement("unable to open file </x>: Permission denied (13)"));
}

void ConfinedProcesses::foldersThatWereMadeForNothingGo() {
  const std::string folder = test::temporaryFolder().toStdString() + "/a/b/c";
  QCOMPARE(confine::ConfinedProcess({.checkpoints = {folder}}, [] { return 7; }).serve_files(), 7);
  QVERIFY(!QFile::exists(QString::fromStdString(folder + "/../..")));
}

void ConfinedProcesses::otherDescriptorsAreClosed() {
  const Ground ground;
  const int open = ::open(ground.secret.c_str(), O_RDONLY);
  QVERIFY(open > 2);
  QCOMPARE(confined(ground, [open] { return ::fcntl(open, F_GETFD) < 0 ? 7 : 1; }), 7);
  ::close(open);
}

BINADE_SUITE(ConfinedProcesses);

}  // namespace binade

#include "tst_confined_process.moc"
