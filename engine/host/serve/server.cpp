// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/server.h"

#include "engine/batches/preview.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/checkpoint_folder.h"
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
#include "engine/host/serve/pipe_listener.h"
#include "engine/host/serve/request_failure.h"
#include "engine/host/serve/savings_estimates.h"
#include "engine/run/trainer.h"
#include "engine/train/model_info.h"
#include "engine/wire/codec.h"

#include <optional>

namespace binade::host {

namespace {

template <class Params>
Params params(const wire::Request& request) {
  try {
    return wire::decode<Params>(request.params);
  } catch (const Error& error) {
    throw BadParams{{wire::kBadParams, request.method + ": " + error.what(), error.hint, error.field}};
  }
}

}  // namespace

Server::Server(Outbox& outbox, bool greeted) : outbox_(outbox), greeted_(greeted) {}

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
      {"data.arrays", &Server::list_arrays},
      {"run.start", &Server::start},
      {"run.demo", &Server::demo},
      {"run.pause", &Server::pause},
      {"run.resume", &Server::resume},
      {"run.step", &Server::step},
      {"run.stop", &Server::stop},
      {"policy.set", &Server::set_policy},
      {"policy.savings", &Server::measure_savings},
      {"scaler.set", &Server::set_scale},
      {"scaler.tune", &Server::tune_scaler},
      {"observe.set", &Server::set_observe},
      {"observe.compare", &Server::compare},
      {"profiler.set", &Server::set_profile},
      {"checkpoint.save", &Server::save_checkpoint},
      {"checkpoint.load", &Server::load_checkpoint},
      {"checkpoint.list", &Server::list_checkpoints},
      {"model.save", &Server::save_model},
  };
  return all;
}

void Server::handle(const wire::Request& request) {
  try {
    const auto found = methods().find(request.method);
    if (found == methods().end()) {
      throw BadParams{{wire::kUnknownMethod, "Unknown method: " + request.method,
                       "Explorer and engine may be of different versions."}};
    }
    if (!greeted_ && request.method != "engine.hello") {
      throw Error(ErrorCode::kUsage, request.method + " was sent before engine.hello", "Send engine.hello first.");
    }
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
  if (hello.protocol != wire::kProtocol) {
    throw Error(ErrorCode::kUsage,
                "The explorer uses protocol " + std::to_string(hello.protocol) + ", this engine " +
                    std::to_string(wire::kProtocol),
                "Install explorer and engine of the same version.");
  }
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

void Server::pause(const wire::Request& request) {
  run_.current()->pause();
  answer(request.id);
}

void Server::resume(const wire::Request& request) {
  run_.current()->resume();
  answer(request.id);
}

void Server::step(const wire::Request& request) {
  run_.current()->step();
  answer(request.id);
}

void Server::stop(const wire::Request& request) {
  run_.current()->stop();
  answer(request.id);
}

void Server::set_policy(const wire::Request& request) {
  auto wanted = params<wire::PolicySet>(request);
  graph::check_ops(wanted.policy, request.method);
  run_.current()->set_policy(std::move(wanted));
  answer(request.id);
}

void Server::measure_savings(const wire::Request& request) {
  auto policy = params<wire::AskSavings>(request).policy;
  graph::check_ops(policy, request.method);
  const auto complete = [](wire::Savings savings) {
    savings.estimates = savings_estimates(savings);
    return wire::encode(savings);
  };
  if (!run_.taken()) {
    return ask_ended(request, [policy = std::move(policy), complete](run::Trainer& ended) {
      return complete(ended.savings(policy));
    });
  }
  const auto done = [this, id = request.id, complete](const auto& savings, std::exception_ptr failed) {
    if (savings) return answer(id, complete(*savings));
    try {
      std::rethrow_exception(failed);
    } catch (...) {
      outbox_.post(wire::Response{id, current_failure()});
    }
  };
  run_.current()->measure_savings({std::move(policy), done});
}

void Server::set_scale(const wire::Request& request) {
  const auto [scale, id] = params<wire::SetScale>(request);
  if (!wire::is_loss_scale(scale)) {
    throw Error(ErrorCode::kUsage, "The loss scale must be above 0 and finite in float32",
                "Choose a power of two between 2^-126 and 2^127.");
  }
  run_.current()->set_scale(scale, id);
  answer(request.id);
}

void Server::tune_scaler(const wire::Request& request) {
  auto scaler = params<wire::ScalerConfig>(request);
  // Checks the limits alone: the current scale may lie outside them until the next update.
  wire::ScalerConfig checked = scaler;
  checked.init_scale = scaler.minimum > 0 ? scaler.minimum : scaler.maximum > 0 ? scaler.maximum : 1;
  wire::check(checked, request.method);
  run_.current()->tune(std::move(scaler));
  answer(request.id);
}

void Server::ask_run(std::int64_t id, run::Control::FileRequest file) {
  file.done = [this, id](const std::optional<wire::CheckpointInfo>& saved, std::exception_ptr failed) {
    if (!failed) {
      answer(id, saved ? wire::encode(*saved) : nlohmann::json::object());
      return;
    }
    try {
      std::rethrow_exception(failed);
    } catch (...) {
      outbox_.post(wire::Response{id, current_failure()});
    }
  };
  run_.current()->request(std::move(file));
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

void Server::compare(const wire::Request& request) {
  if (!run_.taken()) {
    return ask_ended(request, [](run::Trainer& ended) { return wire::encode(ended.compare()); });
  }
  run_.current()->compare([this, id = request.id](const auto& compared, std::exception_ptr failed) {
    if (compared) {
      answer(id, wire::encode(*compared));
      return;
    }
    try {
      std::rethrow_exception(failed);
    } catch (...) {
      outbox_.post(wire::Response{id, current_failure()});
    }
  });
}

void Server::save_checkpoint(const wire::Request& request) {
  const std::string reason = params<wire::SaveCheckpoint>(request).reason.value_or("request");
  if (reason != "request" && reason != "try") {
    throw Error(ErrorCode::kUsage, "checkpoint.save: \"" + reason + "\" is no reason", "Use request or try.");
  }
  ask_run(request.id, {.kind = run::Control::FileRequest::Kind::kSaveCheckpoint,
                       .file = {},
                       .policy = {},
                       .done = {},
                       .reason = reason});
}

void Server::load_checkpoint(const wire::Request& request) {
  auto [file, policy] = params<wire::LoadCheckpoint>(request);
  if (policy) graph::check_ops(policy->policy, request.method);
  ask_run(request.id, {.kind = run::Control::FileRequest::Kind::kLoadCheckpoint,
                       .file = std::move(file),
                       .policy = std::move(policy),
                       .done = {}});
}

void Server::save_model(const wire::Request& request) {
  if (!run_.taken()) {
    return ask_ended(request, [file = params<wire::SaveModel>(request).file](run::Trainer& ended) {
      ended.save_model(file);
      return nlohmann::json::object();
    });
  }
  ask_run(request.id, {.kind = run::Control::FileRequest::Kind::kSaveModel,
                       .file = params<wire::SaveModel>(request).file,
                       .policy = {},
                       .done = {}});
}

void Server::list_checkpoints(const wire::Request& request) {
  const std::string folder = params<wire::ListCheckpoints>(request).folder;
  if (folder.empty()) throw Error(ErrorCode::kUsage, "checkpoint.list: folder is empty", "Name the run's folder.");
  wire::CheckpointList list;
  for (const std::string& file : checkpoint::CheckpointFolder::files_in(folder)) {
    try {
      list.checkpoints.push_back(checkpoint::inspect_checkpoint(file));
    } catch (const Error& error) {
      outbox_.post(wire::LogLine{"warning", error.what()});  // one damaged file must not hide the others
    }
  }
  answer(request.id, wire::encode(list));
}

void Server::set_profile(const wire::Request& request) {
  auto profile = params<wire::ProfileConfig>(request);
  wire::check(profile, request.method);
  run_.current()->set_profile(std::move(profile));
  answer(request.id);
}

void Server::set_observe(const wire::Request& request) {
  auto observe = params<wire::ObserveConfig>(request);
  wire::check(observe, request.method);
  run_.current()->set_observe(std::move(observe));
  answer(request.id);
}

}  // namespace binade::host
