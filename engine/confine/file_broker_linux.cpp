// SPDX-License-Identifier: Apache-2.0
#include "engine/confine/file_broker.h"
#include "engine/confine/file_names.h"
#include "engine/formats/error.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <string_view>
#include <utility>

namespace binade::confine {

namespace {

enum class What : std::uint8_t { kOpen, kRename, kUnlink };

constexpr std::size_t kLongest = 4096;  ///< bytes of a path, with its end

struct Question {
  What what;
  int flags;
  unsigned mode;
  std::array<char, kLongest> path;
  std::array<char, kLongest> to;
};

struct Answer {
  int code;    ///< 0, or an errno
  int opened;  ///< 1: a descriptor comes with it
};

/// Space for one descriptor beside a message.
union Passed {
  std::array<char, CMSG_SPACE(sizeof(int))> bytes;
  cmsghdr align;
};

int client = -1;
std::mutex& client_mutex() {
  static std::mutex mutex;
  return mutex;
}

/// Absolute, with the links of its folder resolved and those of its name not.
std::string whole(const std::string& path) {
  std::error_code unknown;
  const auto absolute = std::filesystem::absolute(path, unknown);
  if (unknown || absolute.filename().empty() || absolute.filename() == ".." || absolute.filename() == ".") return {};
  const auto folder = std::filesystem::canonical(absolute.parent_path(), unknown);
  return unknown ? std::string() : (folder / absolute.filename()).string();
}

/// Whether a file of an output's name and this ending belongs to the output: also what SQLite keeps beside a database.
bool is_beside(std::string_view ending) {
  for (const std::string_view known : {"", "-wal", "-shm", "-journal"}) {
    if (ending == known) return true;
  }
  return is_part_ending(ending);
}

/// The folder of a file in whole()'s form. No part of the path may have become a link since.
class Folder {
 public:
  explicit Folder(const std::string& file) {
    const std::string path = std::filesystem::path(file).parent_path().string();
    open_how how{};
    how.flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
    how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    descriptor_ = static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof(how)));
    name_ = std::filesystem::path(file).filename().string();
  }
  ~Folder() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  int descriptor() const { return descriptor_; }
  const char* name() const { return name_.c_str(); }

 private:
  int descriptor_ = -1;
  std::string name_;
};

bool copy(std::array<char, kLongest>& to, std::string_view text) {
  if (text.size() >= to.size()) return false;
  to.fill('\0');
  std::memcpy(to.data(), text.data(), text.size());
  return true;
}

bool send_answer(int socket, int code, int opened) {
  Answer answer{code, opened >= 0 ? 1 : 0};
  iovec part{&answer, sizeof(answer)};
  Passed passed{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (opened >= 0) {
    message.msg_control = passed.bytes.data();
    message.msg_controllen = passed.bytes.size();
    cmsghdr* const head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(head), &opened, sizeof(opened));
  }
  // Never waits for a process that asks and does not listen.
  return ::sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
}

/// Sends a question and returns its answer: a descriptor, 0, or -1 with errno.
int ask(const Question& question) {
  const std::scoped_lock lock(client_mutex());
  if (::send(client, &question, sizeof(question), MSG_NOSIGNAL) < 0) return -1;
  Answer answer{};
  iovec part{&answer, sizeof(answer)};
  Passed passed{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = passed.bytes.data();
  message.msg_controllen = passed.bytes.size();
  ssize_t got = 0;
  do {
    got = ::recvmsg(client, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got != static_cast<ssize_t>(sizeof(answer))) {
    errno = EACCES;
    return -1;
  }
  if (answer.code != 0) {
    errno = answer.code;
    return -1;
  }
  const cmsghdr* const head = CMSG_FIRSTHDR(&message);
  if (answer.opened == 0 || head == nullptr) return 0;
  int opened = -1;
  std::memcpy(&opened, CMSG_DATA(head), sizeof(opened));
  return opened;
}

/// Whether to ask the broker about a call that failed.
bool is_refused() {
  return client >= 0 && (errno == EACCES || errno == EPERM || errno == EXDEV);
}

bool ask_about(Question& question, const char* path, const char* to) {
  std::error_code unknown;
  const std::string first = std::filesystem::absolute(path, unknown).string();
  const std::string second = *to == '\0' ? std::string() : std::filesystem::absolute(to, unknown).string();
  if (!copy(question.path, first) || !copy(question.to, second)) {
    errno = ENAMETOOLONG;
    return false;
  }
  return true;
}

}  // namespace

FileBroker::FileBroker() {
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()) != 0) {
    throw Error(ErrorCode::kInternal, std::string("The confinement failed: ") + std::strerror(errno));
  }
  ours_ = pair[0];
  theirs_ = pair[1];
}

FileBroker::~FileBroker() {
  if (ours_ >= 0) ::close(ours_);
  close_client();
}

int FileBroker::become_client() {
  ::close(ours_);
  ours_ = -1;
  client = std::exchange(theirs_, -1);
  return client;
}

void FileBroker::close_client() {
  if (theirs_ >= 0) ::close(theirs_);
  theirs_ = -1;
}

void FileBroker::allow_output(const std::string& path) {
  if (const std::string file = whole(path); !file.empty()) outputs_.push_back(file);
}

void FileBroker::allow_checkpoints(const std::string& folder) {
  std::error_code unknown;
  const auto path = std::filesystem::canonical(folder, unknown);
  if (!unknown) checkpoints_.push_back(path.string());
}

void FileBroker::allow_read(const std::string& path) {
  std::error_code unknown;
  const auto file = std::filesystem::canonical(path, unknown);
  if (!unknown) reads_.push_back(file.string());
}

bool FileBroker::allows(const std::string& path, bool writes) const {
  if (path.empty()) return false;
  const std::filesystem::path file(path);
  const bool checkpoint =
      is_checkpoint_name(file.filename().string()) &&
      std::find(checkpoints_.begin(), checkpoints_.end(), file.parent_path().string()) != checkpoints_.end();
  if (checkpoint) return true;
  const bool output = std::any_of(outputs_.begin(), outputs_.end(), [&](const std::string& each) {
    return path.starts_with(each) && is_beside(std::string_view(path).substr(each.size()));
  });
  return output || (!writes && std::find(reads_.begin(), reads_.end(), path) != reads_.end());
}

bool FileBroker::answer() {
  if (answer_one()) return true;
  if (ours_ >= 0) ::close(std::exchange(ours_, -1));
  return false;
}

bool FileBroker::answer_one() {
  Question question{};
  const ssize_t got = ::recv(ours_, &question, sizeof(question), 0);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (got != static_cast<ssize_t>(sizeof(question))) return false;
  question.path.back() = '\0';  // the confined process may send anything
  question.to.back() = '\0';
  std::string path = whole(question.path.data());
  constexpr int kKnown = O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC;
  const bool writes = question.what != What::kOpen || (question.flags & (kKnown & ~O_RDONLY)) != 0;
  // What was allowed is the file behind a link.
  std::error_code unknown;
  if (!writes && std::filesystem::is_symlink(path, unknown)) path = std::filesystem::canonical(path, unknown).string();
  if (!allows(path, writes)) return send_answer(ours_, EACCES, -1);
  const Folder folder(path);
  if (folder.descriptor() < 0) return send_answer(ours_, errno, -1);
  if (question.what == What::kUnlink) {
    return send_answer(ours_, ::unlinkat(folder.descriptor(), folder.name(), 0) == 0 ? 0 : errno, -1);
  }
  if (question.what == What::kRename) {
    const std::string to = whole(question.to.data());
    if (!allows(to, true)) return send_answer(ours_, EACCES, -1);
    const Folder target(to);
    const bool renamed = target.descriptor() >= 0 &&
                         ::renameat(folder.descriptor(), folder.name(), target.descriptor(), target.name()) == 0;
    return send_answer(ours_, renamed ? 0 : errno, -1);
  }
  // A link under an allowed name would lead elsewhere, and opening a pipe could wait for ever.
  const int opened = ::openat(folder.descriptor(), folder.name(),
                              (question.flags & kKnown) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, question.mode & 0666U);
  if (opened < 0) return send_answer(ours_, errno, -1);
  struct stat status {};
  const bool plain = ::fstat(opened, &status) == 0 && S_ISREG(status.st_mode);
  const bool sent = send_answer(ours_, plain ? 0 : EACCES, plain ? opened : -1);
  ::close(opened);
  return sent;
}

int open_file(const char* path, int flags, unsigned mode) {
  const int opened = ::open(path, flags, mode);
  if (opened >= 0 || !is_refused()) return opened;
  Question question{.what = What::kOpen, .flags = flags, .mode = mode, .path = {}, .to = {}};
  return ask_about(question, path, "") ? ask(question) : -1;
}

int rename_file(const char* from, const char* to) {
  if (std::rename(from, to) == 0) return 0;
  if (!is_refused()) return -1;
  Question question{.what = What::kRename, .flags = 0, .mode = 0, .path = {}, .to = {}};
  return ask_about(question, from, to) ? ask(question) : -1;
}

int unlink_file(const char* path) {
  if (::unlink(path) == 0) return 0;
  if (!is_refused()) return -1;
  Question question{.what = What::kUnlink, .flags = 0, .mode = 0, .path = {}, .to = {}};
  return ask_about(question, path, "") ? ask(question) : -1;
}

}  // namespace binade::confine
