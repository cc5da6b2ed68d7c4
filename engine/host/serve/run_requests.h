// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/serve/backlog.h"
#include "engine/run/control.h"
#include "engine/wire/envelope.h"

#include <functional>
#include <map>
#include <string>

namespace binade::host {

/// Handles the requests to a run that is in progress, whether it was started by the explorer or from a command line.
/// Responses go to `post`, some of them later and on the training thread. Used on one thread.
class RunRequests {
 public:
  /// Thread-safe, and callable as long as the run lasts.
  using Post = std::function<void(Outgoing)>;

  explicit RunRequests(Post post) : post_(std::move(post)) {}

  /// Whether handle() knows the method.
  static bool knows(const std::string& method);
  /// Whether the request changes the training, or its files, so that only an editor may send it.
  static bool changes(const std::string& method);

  /// Handles one request of a method that knows() accepts. Throws BadParams and Error for a request that cannot be
  /// handled.
  void handle(const wire::Request& request, run::Control& run);

 private:
  using Method = void (RunRequests::*)(const wire::Request&, run::Control&);
  struct Entry {
    Method method;
    bool changes;
  };
  static const std::map<std::string, Entry>& methods();

  void pause(const wire::Request& request, run::Control& run);
  void resume(const wire::Request& request, run::Control& run);
  void step(const wire::Request& request, run::Control& run);
  void stop(const wire::Request& request, run::Control& run);
  void set_policy(const wire::Request& request, run::Control& run);
  void measure_savings(const wire::Request& request, run::Control& run);
  void measure_what_if(const wire::Request& request, run::Control& run);
  void set_scale(const wire::Request& request, run::Control& run);
  void tune_scaler(const wire::Request& request, run::Control& run);
  void set_observe(const wire::Request& request, run::Control& run);
  void compare(const wire::Request& request, run::Control& run);
  void set_profile(const wire::Request& request, run::Control& run);
  void save_checkpoint(const wire::Request& request, run::Control& run);
  void load_checkpoint(const wire::Request& request, run::Control& run);
  void save_model(const wire::Request& request, run::Control& run);

  void ask_run(std::int64_t id, run::Control& run, run::Control::FileRequest file);
  void answer(std::int64_t id, nlohmann::json result = nlohmann::json::object()) const;

  Post post_;
};

/// The checkpoints in the folder that the request names. Damaged ones are reported to `post` and left out.
wire::CheckpointList list_checkpoints(const wire::Request& request, const RunRequests::Post& post);

}  // namespace binade::host
