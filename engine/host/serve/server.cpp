// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/server.h"

#include "engine/batches/preview.h"
#include "engine/formats/error.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/known_ops.h"
#include "engine/graph/samples.h"
#include "engine/graph/unsafe_code.h"
#include "engine/host/input/demo.h"
#include "engine/host/input/run_access.h"
#include "engine/host/listeners/listeners.h"
#include "engine/host/listeners/profile_listener.h"
#include "engine/host/listeners/record_listener.h"
#include "engine/host/process/environment.h"
#include "engine/host/process/trusted_models.h"
#include "engine/host/serve/hello.h"
#include "engine/host/serve/params.h"
#include "engine/host/serve/pipe_listener.h"
#include "engine/host/serve/request_failure.h"
#include "engine/host/serve/savings_estimates.h"
#include "engine/run/trainer.h"
#include "engine/train/model_info.h"
#include "engine/wire/codec.h"

#include <optional>

namespace binade::host {

Server::Server(Outbox& outbox, bool greeted)
    : outbox_(outbox), greeted_(greeted), run_requests_([&outbox](Outgoing item) { outbox.post(std::move(item)); }) {}

Server::~Server() {
  preview_.request_stop();
  run_.stop();
}

const std::map<std::string, Server::Method>& Server::methods() {
  static const std::map<std::string, Method> all{
      {"engine.hello", &Server::hello},
      {"model.inspect", &Server::inspect},
      {"model.trust", &Server::trust},
      {"data.preview", &Server::preview_data},
      {"model.trusted", &Server::list_trusted},
      {"model.untrust", &Server::end_trust},
      {"data.arrays", &Server::list_arrays},
      {"run.start", &Server::start},
      {"run.demo", &Server::demo},
      {"checkpoint.list", &Server::list_checkpoints},
  };
  return all;
}

/// What can also be asked of the state in which a run ended.
const std::map<std::string, Server::Method>& Server::methods_of_ended_run() {
  static const std::map<std::string, Method> all{
      {"policy.savings", &Server::measure_savings},
      {"observe.compare", &Server::compare},
      {"model.save", &Server::save_model},
  };
  return all;
}

void Server::handle(const wire::Request& request) {
  try {
    if (!greeted_ && request.method != "engine.hello") {
      throw Error(ErrorCode::kUsage, request.method + " was sent before engine.hello", "Send engine.hello first.");
    }
    if (FarFiles::knows(request.method)) return answer(request.id, files_.answer(request));
    const auto ended = methods_of_ended_run().find(request.method);
    if (ended != methods_of_ended_run().end() && !run_.taken()) return (this->*ended->second)(request);
    if (RunRequests::knows(request.method)) return run_requests_.handle(request, *run_.current());
    const auto found = methods().find(request.method);
    if (found == methods().end()) throw unknown_method(request);
    (this->*found->second)(request);
  } catch (...) {
    outbox_.post(wire::Response{request.id, current_failure()});
  }
}

void Server::answer(std::int64_t id, nlohmann::json result) {
  outbox_.post(wire::Response{id, std::move(result)});
}

void Server::hello(const wire::Request& request) {
  const auto hello = params<wire::Hello>(request);
  check_hello(hello);
  if (hello.link) outbox_.limit(*hello.link);
  greeted_ = true;
  answer(request.id, wire::encode(welcome()));
}

void Server::inspect(const wire::Request& request) {
  const auto asked = params<wire::InspectModel>(request);
  // Loading draws random numbers and changes settings that training shares.
  if (run_.taken()) throw Error(ErrorCode::kUsage, "A model cannot be inspected during a run", "Stop the run first.");
  worker_.post([this, id = request.id, file = asked.file] {
    try {
      const graph::Model model = graph::open_model(file);
      const graph::FlatGraph flat(model);
      answer(id, wire::encode(train::describe(file, model, flat, policy::Base::kCudaAmp)));
    } catch (...) {
      outbox_.post(wire::Response{id, current_failure()});
    }
  });
}

void Server::trust(const wire::Request& request) {
  const auto trusted = params<wire::TrustModel>(request);
  trust_model(trusted.file, trusted.sha256);
  graph::set_trust({.hashes = trusted_models()});
  answer(request.id);
}

void Server::list_trusted(const wire::Request& request) {
  answer(request.id, wire::encode(wire::TrustedModels{listed_trusted_models()}));
}

void Server::end_trust(const wire::Request& request) {
  host::end_trust(params<wire::EndTrust>(request).sha256);
  graph::set_trust({.hashes = trusted_models()});
  list_trusted(request);
}

void Server::preview_data(const wire::Request& request) {
  auto config = params<wire::PreviewData>(request).config;
  wire::check(config, request.method);
  if (run_.taken()) throw Error(ErrorCode::kUsage, "Data cannot be previewed during a run", "Stop the run first.");
  // An earlier preview is obsolete, and large data takes long.
  preview_.request_stop();
  preview_ = std::stop_source();
  worker_.post([this, id = request.id, config = std::move(config), stop = preview_.get_token()] {
    try {
      const files::Progress progress(stop, [this](const std::string& text) {
        outbox_.post(wire::LogLine{"progress", text});
      });
      answer(id, wire::encode(batches::preview(config, progress)));
    } catch (...) {
      outbox_.post(wire::Response{id, current_failure()});
    }
  });
}

void Server::list_arrays(const wire::Request& request) {
  // Allowed during a run: it reads names only and draws no random numbers.
  answer(request.id, wire::encode(batches::arrays_of(params<wire::ListArrays>(request).files)));
}

void Server::start(const wire::Request& request) {
  auto config = params<wire::StartRun>(request).config;
  wire::check(config, request.method);
  check_outputs(config);
  start(request.id, std::move(config));
}

void Server::demo(const wire::Request& request) {
  wire::RunConfig config = demo_run();
  config.run_file = new_run_file(config.name);
  // Allows an edit to be undone together with the training since.
  config.checkpoint.folder = config.run_file + ".checkpoints";
  start(request.id, std::move(config));
}

void Server::start(std::int64_t id, wire::RunConfig config) {
  const auto control = run_.take();
  preview_.request_stop();
  control->set_watched(true);
  worker_.post([this, id, config = std::move(config), control] { train(id, config, control); });
}

void Server::train(std::int64_t id, const wire::RunConfig& config, const std::shared_ptr<run::Control>& control) {
  bool answered = false;
  try {
    RunEnd end(run_, control);
    PipeListener pipe(outbox_);
    std::optional<RecordListener> file;
    Listeners recorders, listeners;
    ProfileListener profiles(listeners);
    listeners.add(&profiles);
    // The file is closed before the explorer receives the end and may open it.
    listeners.add(&recorders);
    listeners.add(&end);
    listeners.add(&pipe);
    ended_.forget();  // memory may not hold two trainings
    auto trainer = std::make_unique<run::Trainer>(config, listeners, control->stop_token());
    trainer->set_marks(&profiles);
    // Created only now, so that a run that cannot start leaves no file.
    if (!config.run_file.empty()) {
      make_run_folder(config.run_file);
      file.emplace(config.run_file, [this](const wire::LogLine& line) { outbox_.post(line); });
      recorders.add(&*file);
    }
    answer(id);
    answered = true;
    trainer->run(*control);
    ended_.keep(std::move(trainer), config.run_file);
  } catch (...) {
    const wire::Failure failure = current_failure();
    run_.free(control);
    if (answered) {
      outbox_.post(wire::StateChanged{wire::RunState::kFinished, 0});
      outbox_.post(wire::Finished{wire::Outcome::kFailed, 0, failure.message, failure.hint});
    } else {
      outbox_.post(wire::StateChanged{wire::RunState::kIdle, 0});
      outbox_.post(wire::Response{id, failure});
    }
  }
}

void Server::ask_ended(const wire::Request& request, std::function<nlohmann::json(run::Trainer&)> what) {
  std::optional<wire::RunConfig> run;
  if (request.params.contains("config")) {
    run = params<wire::StartRun>(request).config;
    wire::check(*run, request.method);
  }
  preview_.request_stop();
  preview_ = std::stop_source();
  worker_.post([this, id = request.id, run = std::move(run), what = std::move(what), stop = preview_.get_token()] {
    try {
      answer(id, what(ended_.state_of(run, stop, [this](const wire::LogLine& line) { outbox_.post(line); })));
    } catch (...) {
      outbox_.post(wire::Response{id, current_failure()});
    }
  });
}

void Server::measure_savings(const wire::Request& request) {
  auto policy = params<wire::AskSavings>(request).policy;
  graph::check_ops(policy, request.method);
  ask_ended(request, [policy = std::move(policy)](run::Trainer& ended) {
    return wire::encode(with_estimates(ended.savings(policy)));
  });
}

void Server::compare(const wire::Request& request) {
  ask_ended(request, [](run::Trainer& ended) { return wire::encode(ended.compare()); });
}

void Server::save_model(const wire::Request& request) {
  ask_ended(request, [file = params<wire::SaveModel>(request).file](run::Trainer& ended) {
    ended.save_model(file);
    return nlohmann::json::object();
  });
}

void Server::list_checkpoints(const wire::Request& request) {
  answer(request.id,
         wire::encode(host::list_checkpoints(request, [this](Outgoing item) { outbox_.post(std::move(item)); })));
}

}  // namespace binade::host
