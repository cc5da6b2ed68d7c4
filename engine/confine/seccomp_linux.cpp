// SPDX-License-Identifier: Apache-2.0
#include "engine/confine/system_calls.h"
#include "engine/formats/error.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

namespace binade::confine {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kProcessor = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kProcessor = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kProcessor = 0;
#endif

// In the kernel's headers since 6.6.
constexpr int kFchmodat2 = 452;
/// Calls from this number on are of kernels after 6.10. They set attributes of files, among others, and nothing here
/// needs them: each counts as unknown until it is known. Numbers above 424 are the same on all processors.
constexpr std::uint32_t kFirstUnknown = 463;

/// What a refused call was for, as the end of a sentence. The number travels with the signal.
enum Kind : std::uint16_t { kProgram, kNetwork, kOthers, kPermissions, kMachine, kKinds };
constexpr std::array<const char*, kKinds> kWords{
    "start another program",       "use a network",          "reach another process",
    "change a file's permissions", "administer the machine",
};

struct Refused {
  Kind kind;
  std::vector<int> calls;
};

std::vector<Refused> refused_calls() {
  std::vector<Refused> all{
      {kProgram, {SYS_execve, SYS_execveat}},
      {kNetwork, {SYS_connect}},
      {kOthers,
       {SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_pidfd_open, SYS_pidfd_getfd,
        SYS_pidfd_send_signal, SYS_tkill, SYS_process_madvise, SYS_migrate_pages, SYS_move_pages, SYS_mq_open,
        SYS_mq_unlink}},
      // Memory, queues and semaphores of System V have small numbers, which every process of the user may use.
      {kOthers,
       {SYS_shmget, SYS_shmat, SYS_shmctl, SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_semget, SYS_semop,
        SYS_semtimedop, SYS_semctl}},
      {kMachine, {SYS_mount,         SYS_umount2,       SYS_pivot_root,
                  SYS_chroot,        SYS_move_mount,    SYS_open_tree,
                  SYS_fsopen,        SYS_fsconfig,      SYS_fsmount,
                  SYS_fspick,        SYS_mount_setattr, SYS_setns,
                  SYS_unshare,       SYS_init_module,   SYS_finit_module,
                  SYS_delete_module, SYS_kexec_load,    SYS_kexec_file_load,
                  SYS_reboot,        SYS_swapon,        SYS_swapoff,
                  SYS_acct,          SYS_bpf,           SYS_perf_event_open,
                  SYS_userfaultfd,   SYS_fanotify_init, SYS_keyctl,
                  SYS_add_key,       SYS_request_key,   SYS_open_by_handle_at,
                  SYS_quotactl,      SYS_sethostname,   SYS_setdomainname,
                  SYS_settimeofday,  SYS_clock_settime, SYS_clock_adjtime,
                  SYS_adjtimex,      SYS_syslog,        SYS_personality,
                  SYS_vhangup,       SYS_setuid,        SYS_setgid,
                  SYS_setreuid,      SYS_setregid,      SYS_setresuid,
                  SYS_setresgid,     SYS_setgroups,     SYS_setfsuid,
                  SYS_setfsgid,      SYS_capset,        SYS_setrlimit}},
      {kPermissions,
       {SYS_fchmodat, kFchmodat2, SYS_fchownat, SYS_setxattr, SYS_lsetxattr, SYS_removexattr, SYS_lremovexattr,
        SYS_truncate, SYS_linkat, SYS_symlinkat, SYS_mknodat}},
  };
#if defined(__x86_64__)
  all.push_back({kMachine, {SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_uselib}});
  all.push_back(
      {kPermissions,
       {SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat, SYS_link, SYS_symlink, SYS_mknod}});
#endif
  return all;
}

/// A program of the kernel's packet filter, written front to back.
class Filter {
 public:
  Filter() {
    load(offsetof(seccomp_data, arch));
    unless_equal(kProcessor, 1);
    skip(1);
    end(SECCOMP_RET_KILL_PROCESS);
    load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
    // Calls of the x32 interface have numbers of their own for the same calls.
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000U, 0, 1));
    end(SECCOMP_RET_ERRNO | ENOSYS);
#endif
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kFirstUnknown, 0, 1));
    end(SECCOMP_RET_ERRNO | ENOSYS);
  }

  void refuse(int call, Kind kind) {
    unless_equal(static_cast<std::uint32_t>(call), 1);
    end(SECCOMP_RET_TRAP | kind);
  }
  void fail(int call, int reason) {
    unless_equal(static_cast<std::uint32_t>(call), 1);
    end(SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(reason));
  }

  /// What follows until end_call() applies to this call only, with the low half of its argument loaded.
  void begin_call(int call, unsigned argument) {
    open_ = code_.size();
    unless_equal(static_cast<std::uint32_t>(call), 0);
    load_argument(argument);
  }
  void end_call() {
    end(SECCOMP_RET_ALLOW);
    code_[open_].jf = static_cast<std::uint8_t>(code_.size() - open_ - 1);
  }
  void load_argument(unsigned argument) {
    load(static_cast<std::uint32_t>(offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t)));
  }
  void load_upper_half(unsigned argument) {
    load(static_cast<std::uint32_t>(offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t) + 4));
  }
  void if_equal(std::uint32_t value, std::uint32_t result) {
    unless_equal(value, 1);
    end(result);
  }
  void if_other(std::uint32_t value, std::uint32_t result) {
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0));
    end(result);
  }
  void mask(std::uint32_t bits) {
    code_.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits));
  }

  void install() {
    end(SECCOMP_RET_ALLOW);
    const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0) {
      throw Error(ErrorCode::kInternal,
                  std::string("The confinement failed: seccomp refuses: ") + std::strerror(errno));
    }
  }

 private:
  void load(std::uint32_t offset) {
    code_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
  }
  void unless_equal(std::uint32_t value, std::uint8_t skipped) {
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped));
  }
  void skip(std::uint32_t count) {
    code_.push_back(BPF_STMT(BPF_JMP | BPF_JA, count));
  }
  void end(std::uint32_t result) {
    code_.push_back(BPF_STMT(BPF_RET | BPF_K, result));
  }

  std::vector<sock_filter> code_;
  std::size_t open_ = 0;
};

constexpr std::uint32_t trap(Kind kind) {
  return SECCOMP_RET_TRAP | kind;
}

/// Refuses a call that names a process by this argument, unless it names this one.
void own_process_only(Filter& filter, int call) {
  filter.begin_call(call, 0);
  filter.if_other(static_cast<std::uint32_t>(::getpid()), trap(kOthers));
  filter.end_call();
}

/// cuInit() binds a socket to the abstract name `cuda-uvmfd-...` and listens, and fails where it cannot. Others may ask
/// it there for memory to share; here nobody is accepted, and nothing connects. Landlock grants the right to make a
/// socket in no folder, so that no other names are left.
void limit_sockets(Filter& filter, bool gpu) {
  const std::uint32_t type = gpu ? std::uint32_t{SOCK_SEQPACKET} : 0;  // 0: none
  filter.begin_call(SYS_socket, 0);
  filter.if_equal(AF_NETLINK, SECCOMP_RET_ERRNO | EPERM);  // name services ask, and do without
  filter.if_other(AF_UNIX, trap(kNetwork));
  filter.load_argument(1);
  filter.mask(0xf);
  filter.if_other(type, SECCOMP_RET_ERRNO | EPERM);
  filter.end_call();
  for (const int call : {SYS_bind, SYS_listen}) {
    if (!gpu) filter.refuse(call, kNetwork);
  }
  for (const int call : {SYS_accept, SYS_accept4}) {
    // No signal with a driver: its threads block all, and would be killed.
    gpu ? filter.fail(call, EPERM) : filter.refuse(call, kNetwork);
  }
}

void limit_arguments(Filter& filter) {
  filter.begin_call(SYS_clone, 0);  // threads are allowed
  filter.mask(CLONE_THREAD);
  filter.if_equal(0, SECCOMP_RET_ERRNO | EPERM);  // no signal: posix_spawn() blocks all, and would be killed
  filter.end_call();

  for (const int call : {SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo}) {
    own_process_only(filter, call);
  }

  // A filter does not know the numbers of threads, so that a thread can change itself only, as 0.
  for (const int call : {SYS_sched_setaffinity, SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr}) {
    filter.begin_call(call, 0);
    filter.if_equal(0, SECCOMP_RET_ALLOW);
    filter.if_other(static_cast<std::uint32_t>(::getpid()), SECCOMP_RET_ERRNO | EPERM);
    filter.end_call();
  }

  // A datagram socket can send to any named socket, although it is one of a pair.
  filter.begin_call(SYS_socketpair, 1);
  filter.mask(0xf);
  filter.if_equal(SOCK_DGRAM, SECCOMP_RET_ERRNO | EPERM);
  filter.if_equal(SOCK_RAW, SECCOMP_RET_ERRNO | EPERM);  // means the same here
  filter.end_call();
  filter.begin_call(SYS_sendto, 4);  // without an address it is send()
  filter.if_other(0, trap(kNetwork));
  filter.load_upper_half(4);
  filter.if_other(0, trap(kNetwork));
  filter.end_call();

  filter.begin_call(SYS_ioctl, 1);
  filter.if_equal(TIOCSTI, trap(kOthers));  // typing for the user, at the terminal that started the program
  filter.if_equal(FIOSETOWN, trap(kOthers));
  filter.if_equal(SIOCSPGRP, trap(kOthers));
  filter.if_equal(TIOCSETD, trap(kMachine));
  filter.if_equal(0x541C /* TIOCLINUX */, trap(kMachine));
  filter.if_equal(FS_IOC_SETFLAGS, trap(kPermissions));  // works on files that are open for reading
  filter.if_equal(FS_IOC_FSSETXATTR, trap(kPermissions));
  // All others of file systems, by the byte of their type: they seal files, make snapshots and remove them.
  filter.mask(0xff00);
  filter.if_equal(0x6600 /* FS_IOC_..., ext4 */, SECCOMP_RET_ERRNO | EPERM);
  filter.if_equal(0x9400 /* btrfs, FICLONE */, SECCOMP_RET_ERRNO | EPERM);
  filter.end_call();

  // The owner of a descriptor gets signals from the kernel: any signal, and any process of the user.
  filter.begin_call(SYS_fcntl, 1);
  for (const int command : {F_SETOWN, F_SETOWN_EX, F_SETSIG}) {
    filter.if_equal(static_cast<std::uint32_t>(command), trap(kOthers));
  }
  filter.end_call();

  filter.begin_call(SYS_prlimit64, 2);  // asking is allowed, setting is not
  filter.if_other(0, SECCOMP_RET_ERRNO | EPERM);
  filter.load_upper_half(2);
  filter.if_other(0, SECCOMP_RET_ERRNO | EPERM);
  filter.end_call();

  filter.begin_call(SYS_utimensat, 1);  // by a descriptor is allowed, by a name is not
  filter.if_other(0, trap(kPermissions));
  filter.load_upper_half(1);
  filter.if_other(0, trap(kPermissions));
  filter.end_call();

  // Landlock before version 3 does not know truncation, and opening for reading may truncate.
  filter.begin_call(SYS_openat, 2);
  filter.mask(O_ACCMODE | O_TRUNC);
  filter.if_equal(O_RDONLY | O_TRUNC, trap(kPermissions));
  filter.end_call();
#if defined(__x86_64__)
  filter.begin_call(SYS_open, 1);
  filter.mask(O_ACCMODE | O_TRUNC);
  filter.if_equal(O_RDONLY | O_TRUNC, trap(kPermissions));
  filter.end_call();
#endif
}

std::array<std::atomic<bool>, kKinds> reported{};

/// Async-signal-safe. The kernel has not run the call; its result becomes EPERM.
void refused(int /*signal*/, siginfo_t* info, void* context) {
  const int saved = errno;
  const auto kind = static_cast<unsigned>(info->si_errno);
  if (kind < kKinds && !reported[kind].exchange(true)) {
    constexpr std::string_view kBegin = "binade-engine: confined: refused to ";
    std::array<char, 128> line{};
    std::size_t size = 0;
    const auto append = [&](std::string_view text) {
      std::memcpy(line.data() + size, text.data(), text.size());
      size += text.size();
    };
    append(kBegin);
    append(kWords[kind]);
    append("\n");
    static_cast<void>(!::write(STDERR_FILENO, line.data(), size));
  }
  errno = saved;
#if defined(__x86_64__)
  static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RAX] = -EPERM;
#elif defined(__aarch64__)
  static_cast<ucontext_t*>(context)->uc_mcontext.regs[0] = static_cast<std::uint64_t>(-EPERM);
#endif
}

}  // namespace

bool can_limit_calls() {
  if (kProcessor == 0) return false;
  std::uint32_t action = SECCOMP_RET_TRAP;
  return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

void limit_calls(const Access& access) {
  struct sigaction action {};
  action.sa_sigaction = refused;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  ::sigaction(SIGSYS, &action, nullptr);

  Filter filter;
  // The C library falls back to the older call, whose arguments a filter can read.
  filter.fail(SYS_clone3, ENOSYS);
  filter.fail(SYS_openat2, ENOSYS);
  filter.fail(SYS_io_uring_setup, ENOSYS);  // its calls pass no filter
  filter.fail(SYS_inotify_init1, EPERM);    // it would observe names that others use
  filter.fail(SYS_setpriority, EPERM);
  filter.fail(SYS_ioprio_set, EPERM);
  // Libraries try these on their own files, and go on without.
  filter.fail(SYS_fchmod, EPERM);
  filter.fail(SYS_fchown, EPERM);
  filter.fail(SYS_fsetxattr, EPERM);
  filter.fail(SYS_fremovexattr, EPERM);
#if defined(__x86_64__)
  filter.fail(SYS_inotify_init, EPERM);
  filter.fail(SYS_fork, EPERM);
  filter.fail(SYS_vfork, EPERM);
#endif
  limit_sockets(filter, access.gpu);
  limit_arguments(filter);
  for (const Refused& each : refused_calls()) {
    // NVIDIA's driver tries these at every start and goes on without, so a report would say nothing of the model.
    const bool tried = access.gpu && (each.kind == kNetwork || each.kind == kPermissions);
    for (const int call : each.calls) tried ? filter.fail(call, EPERM) : filter.refuse(call, each.kind);
  }
  filter.install();
}

}  // namespace binade::confine
