// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/confined_engine.h"

#include "engine/formats/error.h"
#include "engine/wire/codec.h"
#include "engine/wire/frame.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>
#include <variant>

namespace binade::host {

namespace {

struct Pipe {
  int read = -1;
  int write = -1;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw Error(ErrorCode::kInternal, std::string("A pipe to an engine cannot be made: ") + std::strerror(errno));
  }
  return {ends[0], ends[1]};
}

constexpr std::size_t kLength = 4;  ///< bytes before a message, with its size

/// Bytes of the frame at the start; 0: not known yet.
std::size_t frame_size(std::string_view bytes) {
  if (bytes.size() < kLength) return 0;
  std::size_t size = 0;
  for (std::size_t i = 0; i < kLength; ++i) {
    size |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return kLength + size;
}

/// Keys are sorted, and those of responses that come first are others: `error` and `id`.
bool is_notification(std::string_view frame) {
  constexpr std::string_view kFirstKey = "\x67jsonrpc";  // in CBOR
  return frame.size() > kLength + 1 && frame.substr(kLength + 1).starts_with(kFirstKey);
}

/// Reports of many steps are larger. They are passed on without being decoded.
constexpr std::size_t kLargestNoted = std::size_t{1} << 16;

}  // namespace

ConfinedEngine::ConfinedEngine(const confine::Access& access, const Serve& serve) {
  const Pipe requests = make_pipe();
  const Pipe answers = make_pipe();
  process_ = std::make_unique<confine::ConfinedProcess>(
      access, [&] { return serve(requests.read, answers.write); }, std::vector<int>{requests.read, answers.write});
  ::close(requests.read);
  ::close(answers.write);
  to_ = requests.write;
  from_ = answers.read;
  // The loop that serves all engines and the explorer must never wait for one of them.
  ::fcntl(to_, F_SETFL, ::fcntl(to_, F_GETFL) | O_NONBLOCK);
}

ConfinedEngine::~ConfinedEngine() {
  close_input();
  if (from_ >= 0) ::close(from_);
}

void ConfinedEngine::send(const wire::Request& request) {
  if (to_ < 0) return;
  open_.insert_or_assign(request.id, request);
  if (request.method == "run.start") runs_ = true;
  sending_.append(wire::frame(request));
}

void ConfinedEngine::send(const wire::Notification& notification) {
  if (to_ >= 0) sending_.append(wire::frame(notification));
}

void ConfinedEngine::write_some() {
  if (to_ >= 0 && !sending_.write_to(to_)) close_input();  // it has ended; receive() reports that
}

void ConfinedEngine::close_input() {
  if (to_ >= 0) ::close(to_);
  to_ = -1;
  sending_.clear();
}

bool ConfinedEngine::receive(Unsent& frames) {
  std::array<char, 65536> buffer{};
  const ssize_t count = ::read(from_, buffer.data(), buffer.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (count <= 0) return false;
  received_.append(buffer.data(), static_cast<std::size_t>(count));
  std::string_view rest = received_;
  std::size_t size = frame_size(rest);
  for (; size > 0 && size <= rest.size(); size = frame_size(rest)) {
    note(rest.substr(0, size));
    rest.remove_prefix(size);
  }
  if (size > kLength + wire::kLargestFrame) return false;
  const std::size_t whole = received_.size() - rest.size();
  frames.append(std::string_view(received_).substr(0, whole));
  received_.erase(0, whole);
  return true;
}

/// Responses and the state of the run decide where later requests go. An engine that lies harms itself only.
void ConfinedEngine::note(std::string_view frame) {
  if (frame.size() > kLargestNoted && runs_ && is_notification(frame)) return;
  wire::FrameReader reader;
  reader.feed(frame);
  std::optional<wire::Message> message;
  try {
    message = reader.next();
    if (!message) return;
    if (const auto* response = std::get_if<wire::Response>(&*message)) open_.erase(response->id);
    const auto* notification = std::get_if<wire::Notification>(&*message);
    if (notification == nullptr || notification->method != wire::kRouteOf<wire::StateChanged>.method) return;
    const auto state = wire::decode<wire::StateChanged>(notification->params).state;
    runs_ = state != wire::RunState::kIdle && state != wire::RunState::kFinished;
  } catch (const Error&) {
    return;  // the explorer reports it
  }
}

}  // namespace binade::host
