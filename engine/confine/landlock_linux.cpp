// SPDX-License-Identifier: Apache-2.0
#include "engine/confine/landlock.h"
#include "engine/formats/error.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <set>
#include <string>

namespace binade::confine {

namespace {

// Rights that kernels later than Debian 12's headers have.
constexpr std::uint64_t kTruncate = std::uint64_t{1} << 14;   // version 3
constexpr std::uint64_t kDeviceCtl = std::uint64_t{1} << 15;  // version 5

constexpr std::uint64_t kRead = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t kWriteFile = LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate;
constexpr std::uint64_t kWriteFolder = kRead | kWriteFile | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                       LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
                                       LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REFER;
constexpr std::uint64_t kOfFiles = LANDLOCK_ACCESS_FS_READ_FILE | kWriteFile | LANDLOCK_ACCESS_FS_EXECUTE | kDeviceCtl;

/// As the kernel's struct of version 6; older kernels accept a shorter one.
struct Rules {
  std::uint64_t files = 0;
  std::uint64_t network = 0;
  std::uint64_t scoped = 0;
};

std::uint64_t known_rights(int version) {
  std::uint64_t all = LANDLOCK_ACCESS_FS_REFER - 1;  // the 13 rights of version 1
  if (version >= 2) all |= LANDLOCK_ACCESS_FS_REFER;
  if (version >= 3) all |= kTruncate;
  if (version >= 5) all |= kDeviceCtl;
  return all;
}

[[noreturn]] void failed(const std::string& what) {
  throw Error(ErrorCode::kInternal, "The confinement failed: " + what + ": " + std::strerror(errno));
}

class Ruleset {
 public:
  explicit Ruleset(int version) : known_(known_rights(version)) {
    Rules rules{.files = known_};
    std::size_t size = sizeof(rules.files);
    if (version >= 4) {
      rules.network = 3;  // bind and connect by TCP
      size = sizeof(rules.files) + sizeof(rules.network);
    }
    if (version >= 6) {
      rules.scoped = 3;  // abstract sockets and signals of processes outside
      size = sizeof(rules);
    }
    descriptor_ = static_cast<int>(::syscall(SYS_landlock_create_ruleset, &rules, size, 0));
    if (descriptor_ < 0) failed("Landlock has no room");
  }
  ~Ruleset() { ::close(descriptor_); }
  Ruleset(const Ruleset&) = delete;
  Ruleset& operator=(const Ruleset&) = delete;

  /// Paths that do not exist are left out.
  void allow(const std::string& path, std::uint64_t rights) {
    allow_if(path, rights, [](mode_t) { return true; });
  }

  /// Allows to read a regular file. A folder of this name is left out, since its rule would give all that is in it.
  void allow_file(const std::string& path) {
    allow_if(path, LANDLOCK_ACCESS_FS_READ_FILE, [](mode_t mode) { return S_ISREG(mode); });
  }

  /// Allows to read a folder with all that is in it. Landlock refuses a rule for a pipe, which a caller may have named.
  void allow_folder(const std::string& path) {
    allow_if(path, kRead, [](mode_t mode) { return S_ISDIR(mode); });
  }

  void apply() const {
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) failed("PR_SET_NO_NEW_PRIVS");
    if (::syscall(SYS_landlock_restrict_self, descriptor_, 0) != 0) failed("Landlock refuses");
  }

 private:
  template <typename Condition>
  void allow_if(const std::string& path, std::uint64_t rights, const Condition& is_meant) {
    const int descriptor = ::open(path.c_str(), O_PATH | O_CLOEXEC);
    if (descriptor < 0) return;
    struct stat status {};
    if (::fstat(descriptor, &status) != 0 || !is_meant(status.st_mode)) {
      ::close(descriptor);
      return;
    }
    landlock_path_beneath_attr rule{};
    rule.allowed_access = rights & known_ & (S_ISDIR(status.st_mode) ? ~std::uint64_t{0} : kOfFiles);
    rule.parent_fd = descriptor;
    const long code = ::syscall(SYS_landlock_add_rule, descriptor_, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    const int reason = errno;
    ::close(descriptor);
    errno = reason;
    if (code != 0) failed(path + " cannot be allowed");
  }

  std::uint64_t known_;
  int descriptor_ = -1;
};

/// The system's folders of libraries.
constexpr std::array kLibraries{"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib"};

/// Other folders from which shared libraries are loaded, such as LibTorch's.
std::set<std::string> library_folders() {
  std::set<std::string> folders;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t /*size*/, void* to) {
        const std::string file = info->dlpi_name == nullptr ? "" : info->dlpi_name;
        if (file.starts_with('/')) {
          static_cast<std::set<std::string>*>(to)->insert(std::filesystem::path(file).parent_path().string());
        }
        return 0;
      },
      &folders);
  return folders;
}

/// LibTorch and CUDA load more of their own libraries later. Such a folder can be the user's, with other files.
void allow_libraries(Ruleset& rules) {
  for (const char* const folder : kLibraries) rules.allow(folder, kRead);
  std::error_code none;
  for (const std::string& folder : library_folders()) {
    const bool known = std::any_of(kLibraries.begin(), kLibraries.end(),
                                   [&](const std::string& each) { return folder.starts_with(each + "/"); });
    if (known) continue;
    for (const auto& file : std::filesystem::directory_iterator(folder, none)) {
      const std::string name = file.path().filename().string();
      if (name.ends_with(".so") || name.find(".so.") != std::string::npos) rules.allow_file(file.path().string());
    }
  }
}

void allow_program(Ruleset& rules) {
  allow_libraries(rules);
  for (const char* const path :
       {"/proc/self", "/proc/meminfo", "/proc/cpuinfo", "/proc/stat", "/proc/sys/vm", "/sys/devices/system",
        "/sys/fs/cgroup", "/sys/kernel/mm/transparent_hugepage", "/dev/urandom", "/dev/random", "/dev/zero",
        "/etc/ld.so.cache", "/etc/localtime", "/etc/timezone", "/usr/share/zoneinfo", "/usr/lib/locale"}) {
    rules.allow(path, kRead);
  }
  rules.allow("/dev/null", kRead | kWriteFile);
}

void allow_gpu(Ruleset& rules) {
  for (const char* const path : {"/proc/driver/nvidia", "/proc/devices", "/proc/modules", "/proc/sys/kernel/osrelease",
                                 "/sys/bus/pci", "/sys/class", "/sys/devices", "/sys/module", "/etc/nvidia",
                                 "/usr/share/nvidia", "/usr/local/cuda", "/run/nvidia-persistenced"}) {
    rules.allow(path, kRead);
  }
  // The driver names its threads by /proc/self/task/*/comm, and fails where it cannot.
  rules.allow("/proc/self/task", kRead | kWriteFile);
  std::error_code none;
  for (const auto& device : std::filesystem::directory_iterator("/dev", none)) {
    const std::string name = device.path().filename().string();
    if (name.starts_with("nvidia")) {
      rules.allow(device.path().string(), kRead | LANDLOCK_ACCESS_FS_WRITE_FILE | kDeviceCtl);
    }
  }
}

}  // namespace

int landlock_version() {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version < 0 ? 0 : static_cast<int>(version);
}

void limit_files(const Access& access) {
  // The folder of the driver's libraries, of which it loads more later, can be anywhere. Loading it calls nothing.
  if (access.gpu) static_cast<void>(dlopen("libcuda.so.1", RTLD_NOW));
  Ruleset rules(landlock_version());
  allow_program(rules);
  if (access.gpu) allow_gpu(rules);
  for (const std::string& file : access.reads) {
    if (!file.empty()) rules.allow_file(file);
  }
  for (const auto* const folders : {&access.read_folders, &access.checkpoints}) {
    for (const std::string& folder : *folders) {
      if (!folder.empty()) rules.allow_folder(folder);
    }
  }
  for (const std::string& folder : access.folders) {
    if (!folder.empty()) rules.allow(folder, kWriteFolder);
  }
  rules.apply();
}

}  // namespace binade::confine
