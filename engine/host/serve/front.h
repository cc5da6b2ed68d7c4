// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/serve/confined_engine.h"
#include "engine/host/serve/far_files.h"
#include "engine/host/serve/hello.h"
#include "engine/host/serve/request_files.h"
#include "engine/host/serve/unsent.h"
#include "engine/wire/frame.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace binade::host {

/// Passes an explorer's requests to confined engines, and their messages back. It opens no model and no data itself.
///
/// A confinement only narrows, so an engine can never be given more folders. There is one engine for looking at models
/// and data and one for the run, each started for the files that a request names, and replaced when another request
/// names others. A run's engine is kept while it trains, and after that until another run starts or is named, because
/// it holds the trained model. Used on one thread, the only one of the process, since engines are made by fork().
class Front {
 public:
  /// What engines do; the explorer may have greeted an earlier one.
  using Serve = std::function<int(int input, int output, const Greeting& greeting)>;

  Front(int input, int output, Serve serve);
  ~Front();

  /// Returns at the end of the input, or when the run's engine has ended by itself, or any that has not answered a
  /// hello: the exit code of the engine, or the negative number of its signal. The run's engine gets `grace` to close
  /// its run file. The end of the other engine fails its requests and nothing else. Throws Error{kUsage} if the input
  /// is no stream of messages.
  int serve(std::chrono::milliseconds grace);

 private:
  using Engine = std::unique_ptr<ConfinedEngine>;

  bool wait_and_pass(int& code);
  bool pass_from(ConfinedEngine& engine, int& code);
  void fail_inspection(int code);
  bool receive_requests();
  void handle(wire::Request request);
  void trust(const wire::Request& request);
  void end_trust(const wire::Request& request);
  void list_trusted(const wire::Request& request);
  wire::Request greet(const wire::Request& request);
  void pass_mark(const wire::Notification& notification);
  Engine& engine_for(const wire::Request& request, const RequestFiles& files);
  void replace(Engine& engine, const confine::Access& access);
  void retire(Engine& engine);
  void answer(std::int64_t id, const wire::Failure& failure);
  int end(std::chrono::milliseconds grace);

  int input_;
  int output_;
  Serve serve_;
  wire::FrameReader reader_;
  Unsent sending_;
  Greeting greeting_;
  FarFiles files_;                      ///< answered here: an engine gets single files only
  std::optional<wire::Request> hello_;  ///< without an answer from an engine that was retired; the next one answers it
  Engine inspecting_;
  Engine run_;
};

}  // namespace binade::host
