// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/ended_run.h"
#include "engine/host/outbox.h"
#include "engine/host/run_slot.h"
#include "engine/host/worker.h"
#include "engine/wire/envelope.h"
#include "engine/wire/messages.h"

#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>

namespace binade::host {

/// Answers requests. `handle` is called on one thread and returns soon: what takes long (loading, training) goes to
/// the worker's, whose answers follow later. A request that fails is answered with its failure and ends nothing.
class Server {
 public:
  explicit Server(Outbox& outbox);
  /// Stops the run, waits for its end and for its run file.
  ~Server();

  void handle(const wire::Request& request);

 private:
  using Method = void (Server::*)(const wire::Request&);
  static const std::map<std::string, Method>& methods();

  void hello(const wire::Request& request);
  void inspect(const wire::Request& request);
  void preview_data(const wire::Request& request);
  void list_arrays(const wire::Request& request);
  void start(const wire::Request& request);
  void demo(const wire::Request& request);
  void pause(const wire::Request& request);
  void resume(const wire::Request& request);
  void step(const wire::Request& request);
  void stop(const wire::Request& request);
  void set_policy(const wire::Request& request);
  void set_scale(const wire::Request& request);
  void tune_scaler(const wire::Request& request);
  void set_observe(const wire::Request& request);
  void compare(const wire::Request& request);
  void set_profile(const wire::Request& request);
  void save_checkpoint(const wire::Request& request);
  void load_checkpoint(const wire::Request& request);
  void list_checkpoints(const wire::Request& request);
  void save_model(const wire::Request& request);

  void start(std::int64_t id, wire::RunConfig config);
  void train(std::int64_t id, const wire::RunConfig& config, const std::shared_ptr<train::Control>& control);
  /// Done by the run at its next step boundary, and answered then.
  void ask_run(std::int64_t id, train::Control::FileRequest file);
  /// What is asked of a run that has ended: done on the worker's thread, and answered then.
  void ask_ended(const wire::Request& request, std::function<nlohmann::json(train::Trainer&)> what);
  void answer(std::int64_t id, nlohmann::json result = nlohmann::json::object());

  Outbox& outbox_;
  RunSlot run_;
  bool greeted_ = false;
  std::stop_source preview_;  ///< of the newest look at data, or at a run that has ended
  EndedRun ended_;            ///< of the worker's thread
  Worker worker_;             // last: its thread uses the rest
};

}  // namespace binade::host
