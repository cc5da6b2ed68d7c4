// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/confine/confined_process.h"
#include "engine/host/serve/unsent.h"
#include "engine/wire/envelope.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace binade::host {

/// A confined engine behind two pipes, and the requests that it has not answered. Used on one thread, which polls the
/// descriptors.
class ConfinedEngine {
 public:
  /// What an engine does: serves on two descriptors until the first ends; returns its exit code.
  using Serve = std::function<int(int input, int output)>;

  /// Throws Error{kInternal} if the process cannot be started.
  ConfinedEngine(const confine::Access& access, const Serve& serve);
  ~ConfinedEngine();
  ConfinedEngine(const ConfinedEngine&) = delete;
  ConfinedEngine& operator=(const ConfinedEngine&) = delete;

  confine::ConfinedProcess& process() { return *process_; }
  int to() const { return to_; }      ///< -1: closed
  int from() const { return from_; }  ///< readable: call receive()

  /// Appends a request to what is to be sent.
  void send(const wire::Request& request);
  void send(const wire::Notification& notification);
  bool has_to_send() const { return !sending_.empty(); }
  std::size_t bytes_to_send() const { return sending_.size(); }
  /// Sends as much as the pipe takes.
  void write_some();
  /// Ends the input: the engine stops its run and ends.
  void close_input();

  /// Reads once and appends all frames that are complete to `frames`. Returns false at the end of the output, and for a
  /// frame that is too large.
  bool receive(Unsent& frames);

  /// Requests without a response.
  const std::map<std::int64_t, wire::Request>& open_requests() const { return open_; }
  /// Whether a run has begun and not ended.
  bool runs() const { return runs_; }

 private:
  void note(std::string_view frame);

  std::unique_ptr<confine::ConfinedProcess> process_;
  int to_ = -1;
  int from_ = -1;
  Unsent sending_;
  std::string received_;
  std::map<std::int64_t, wire::Request> open_;
  bool runs_ = false;
};

}  // namespace binade::host
