// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/serve/ended_run.h"
#include "engine/host/serve/far_files.h"
#include "engine/host/serve/outbox.h"
#include "engine/host/serve/run_requests.h"
#include "engine/host/serve/run_slot.h"
#include "engine/host/serve/worker.h"
#include "engine/wire/envelope.h"
#include "engine/wire/messages.h"

#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>

namespace binade::host {

/// Handles requests. handle() is called on one thread and returns soon: loading and training run on the worker's
/// thread, which responds later. A request that fails gets its failure as response.
class Server {
 public:
  /// `greeted`: the explorer has said hello to an engine before this one.
  explicit Server(Outbox& outbox, bool greeted = false);
  /// Stops the run, and waits for it and for its run file.
  ~Server();

  /// Handles one request. The response goes to the outbox, possibly later. Errors are answered, not thrown.
  void handle(const wire::Request& request);

 private:
  using Method = void (Server::*)(const wire::Request&);
  static const std::map<std::string, Method>& methods();
  static const std::map<std::string, Method>& methods_of_ended_run();

  void hello(const wire::Request& request);
  void inspect(const wire::Request& request);
  void trust(const wire::Request& request);
  void list_trusted(const wire::Request& request);
  void end_trust(const wire::Request& request);
  void preview_data(const wire::Request& request);
  void list_arrays(const wire::Request& request);
  void start(const wire::Request& request);
  void demo(const wire::Request& request);
  void measure_savings(const wire::Request& request);
  void compare(const wire::Request& request);
  void list_checkpoints(const wire::Request& request);
  void save_model(const wire::Request& request);

  void start(std::int64_t id, wire::RunConfig config);
  void train(std::int64_t id, const wire::RunConfig& config, const std::shared_ptr<run::Control>& control);
  /// Applies `what` to the ended run on the worker's thread, and responds then.
  void ask_ended(const wire::Request& request, std::function<nlohmann::json(run::Trainer&)> what);
  void answer(std::int64_t id, nlohmann::json result = nlohmann::json::object());

  Outbox& outbox_;
  RunSlot run_;
  bool greeted_;
  RunRequests run_requests_;
  FarFiles files_;
  std::stop_source preview_;  ///< cancels the newest preview or request to an ended run
  EndedRun ended_;            ///< used on the worker's thread only
  Worker worker_;             // last: its thread uses the members above
};

}  // namespace binade::host
