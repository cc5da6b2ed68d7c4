// SPDX-License-Identifier: Apache-2.0
#include "engine/host/attach/socket_sign.h"

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

namespace binade::host {

namespace {

constexpr std::size_t kLargest = 16384;  // bytes of a sign

bool write_all(int file, const std::string& text) {
  return ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

std::optional<SocketSign> parse(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const auto number = [&json](const char* name) {
    const auto found = json.find(name);
    return found != json.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
  };
  const auto word = [&json](const char* name) {
    const auto found = json.find(name);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  SocketSign sign{number("process"), word("host"), number("since"), word("run")};
  return sign.process > 0 ? std::optional(sign) : std::nullopt;
}

}  // namespace

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "localhost";
  std::string clean = name.data();
  for (char& each : clean) {
    if (std::isalnum(static_cast<unsigned char>(each)) == 0 && each != '.' && each != '_') each = '_';
  }
  return clean.empty() || clean.starts_with('.') ? "localhost" : clean;
}

SocketSign sign_of_this_process(std::string run) {
  return {static_cast<std::int64_t>(::getpid()), host_name(), static_cast<std::int64_t>(std::time(nullptr)),
          std::move(run)};
}

std::string name_of(const SocketSign& sign) {
  return sign.host + "-" + std::to_string(sign.process);
}

int put_up(const SocketSign& sign, const AttachFolder& folder) {
  const std::string unfinished = "." + name_of(sign) + ".part";
  folder.remove(unfinished);  // of a process with this number that was killed
  const int file = folder.open_file(unfinished, O_RDWR | O_CREAT | O_EXCL);
  if (file < 0) folder.fail("a file cannot be made");
  // Locked before it has its name, so that nobody takes it for one of a dead process.
  const std::string text =
      nlohmann::json{{"process", sign.process}, {"host", sign.host}, {"since", sign.since}, {"run", sign.run}}.dump(
          -1, ' ', false, nlohmann::json::error_handler_t::replace);
  const bool done = ::flock(file, LOCK_EX | LOCK_NB) == 0 && write_all(file, text) &&
                    ::renameat(folder.descriptor(), unfinished.c_str(), folder.descriptor(),
                               (name_of(sign) + kSignEnding).c_str()) == 0;
  if (done) return file;
  const int failed = errno;
  folder.remove(unfinished);
  ::close(file);
  errno = failed;
  folder.fail("a file cannot be locked");
}

std::optional<SocketSign> read_sign(const AttachFolder& folder, const std::string& name) {
  const int file = folder.open_file(name + kSignEnding, O_RDONLY);
  if (file < 0) return std::nullopt;
  std::string text(kLargest, '\0');
  const ssize_t count = ::read(file, text.data(), text.size());
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  std::optional<SocketSign> sign = parse(text);
  // A lock of another computer need not be visible here.
  const bool is_here = !sign || sign->host == host_name();
  if (is_here && ::flock(file, LOCK_EX | LOCK_NB) == 0) {
    folder.remove(name + kSocketEnding);
    folder.remove(name + kSignEnding);
    sign.reset();
  }
  ::close(file);
  return sign;
}

}  // namespace binade::host
