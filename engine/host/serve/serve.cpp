// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/serve.h"

#include "engine/confine/confined_process.h"
#include "engine/formats/error.h"
#include "engine/graph/unsafe_code.h"
#include "engine/host/process/exit_code.h"
#include "engine/host/process/log.h"
#include "engine/host/process/probe.h"
#include "engine/host/process/trusted_models.h"
#include "engine/host/serve/front.h"
#include "engine/host/serve/hello.h"
#include "engine/host/serve/peer_watch.h"
#include "engine/host/serve/server.h"
#include "engine/host/serve/wake_pipe.h"
#include "engine/wire/frame.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace binade::host {

namespace {

/// Returns received bytes; empty at the end of input, or once `wake` was woken.
std::string_view receive(int input, const WakePipe& wake, std::array<char, 65536>& buffer) {
  for (;;) {
    std::array<pollfd, 2> ready{{{input, POLLIN, 0}, {wake.descriptor(), POLLIN, 0}}};
    if (::poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR) return {};
    if (ready[1].revents != 0) return {};
    if (ready[0].revents == 0) continue;
    const ssize_t count = ::read(input, buffer.data(), buffer.size());
    if (count >= 0) return {buffer.data(), static_cast<std::size_t>(count)};
    if (errno != EINTR && errno != EAGAIN) return {};
  }
}

void answer_all(wire::FrameReader& reader, Server& server, Outbox& outbox) {
  for (;;) {
    try {
      const auto message = reader.next();
      if (!message) return;
      if (const auto* request = std::get_if<wire::Request>(&*message)) server.handle(*request);
      if (const auto* notification = std::get_if<wire::Notification>(&*message)) receive_mark(*notification, outbox);
      // Responses are ignored: the engine sends no requests.
    } catch (const Error& error) {
      if (reader.lost()) throw;
      outbox.post(wire::LogLine{"warning", error.what()});
    }
    outbox.wait_for_room();
  }
}

/// Time for a run to reach its next step boundary and to close its file, after the explorer has gone.
constexpr std::chrono::milliseconds kGrace{1500};

struct Ending {
  PeerWatch* watch;
  ~Ending() {
    if (watch != nullptr) watch->gone();
  }
};

int serve(int input, int output, PeerWatch* watch, const Greeting& greeting) {
  std::signal(SIGPIPE, SIG_IGN);
  const WakePipe wake;
  Outbox outbox(output, [&wake] { wake.wake(); });
  if (greeting.link) outbox.limit(*greeting.link);
  Server server(outbox, greeting.done);
  const Ending ending{watch};  // destroyed before the server, whose destructor waits for the run
  wire::FrameReader reader;
  std::array<char, 65536> buffer;
  for (;;) {
    const std::string_view bytes = receive(input, wake, buffer);
    if (bytes.empty()) break;
    reader.feed(bytes);
    answer_all(reader, server, outbox);
  }
  if (reader.pending() > 0) log("warning", "The explorer closed the connection in the middle of a message.");
  return kDone;
}

int serve_here(int input, int output, const Greeting& greeting) {
  PeerWatch watch(input, kGrace);
  if (!greeting.done) warn_of_drift();
  return serve(input, output, &watch, greeting);
}

int serve_confined(int input, int output) {
  std::signal(SIGPIPE, SIG_IGN);
  // Somewhat longer than an engine waits for its run.
  const int code = Front(input, output, serve_here).serve(kGrace + std::chrono::milliseconds(300));
  if (code >= 0) return code;
  log("error", std::string("A confined engine was ended by a signal: ") + ::strsignal(-code));
  std::fflush(nullptr);
  std::signal(-code, SIG_DFL);
  std::raise(-code);  // the explorer learns how it ended
  return kFailed;
}

}  // namespace

int serve(int input, int output) {
  return serve(input, output, nullptr, {});
}

int serve(Confinement confinement) {
  if (::isatty(STDIN_FILENO) != 0 || ::isatty(STDOUT_FILENO) != 0) {
    throw Error(ErrorCode::kUsage, "serve communicates with a program, not with a terminal",
                "Start `binade`, or see `binade-engine --help` for other commands.");
  }
  const std::string gap = confinement == Confinement::kNone ? std::string() : confine::why_unavailable();
  if (!gap.empty() && confinement == Confinement::kRequired) {
    throw Error(ErrorCode::kUnsafe, "The engine cannot be confined: " + gap,
                "To open models whose authors you trust, start it with --confined-if-possible.");
  }
  if (!gap.empty()) log("warning", "Models are not fully confined. " + gap);
  const bool confined = confinement != Confinement::kNone && confine::is_possible_in_part();
  std::signal(SIGINT, SIG_IGN);
  const int input = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  const int output = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (input < 0 || output < 0 || nothing < 0 || ::dup2(nothing, STDIN_FILENO) < 0 ||
      ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    throw Error(ErrorCode::kInternal, std::string("The pipe cannot be moved: ") + std::strerror(errno));
  }
  ::close(nothing);
  if (!confined) graph::set_trust({.hashes = trusted_models()});
  const int code = confined ? serve_confined(input, output) : serve_here(input, output, {});
  ::close(input);
  ::close(output);
  return code;
}

}  // namespace binade::host
