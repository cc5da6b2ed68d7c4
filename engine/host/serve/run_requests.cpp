// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/run_requests.h"

#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/formats/error.h"
#include "engine/graph/known_ops.h"
#include "engine/host/serve/params.h"
#include "engine/host/serve/request_failure.h"
#include "engine/host/serve/savings_estimates.h"
#include "engine/wire/codec.h"

#include <exception>
#include <optional>
#include <utility>

namespace binade::host {

namespace {

/// Answers with what the training found, or with its failure.
void answer_with(const RunRequests::Post& post, std::int64_t id, const std::exception_ptr& failed,
                 const std::function<nlohmann::json()>& result) {
  try {
    if (failed) std::rethrow_exception(failed);
    post(wire::Response{id, result()});
  } catch (...) {
    post(wire::Response{id, current_failure()});
  }
}

}  // namespace

const std::map<std::string, RunRequests::Entry>& RunRequests::methods() {
  constexpr bool kChanges = true, kAsks = false;
  static const std::map<std::string, Entry> all{
      {"run.pause", {&RunRequests::pause, kChanges}},
      {"run.resume", {&RunRequests::resume, kChanges}},
      {"run.step", {&RunRequests::step, kChanges}},
      {"run.stop", {&RunRequests::stop, kChanges}},
      {"policy.set", {&RunRequests::set_policy, kChanges}},
      {"policy.savings", {&RunRequests::measure_savings, kAsks}},
      {"scaler.set", {&RunRequests::set_scale, kChanges}},
      {"scaler.tune", {&RunRequests::tune_scaler, kChanges}},
      {"observe.set", {&RunRequests::set_observe, kChanges}},
      {"observe.compare", {&RunRequests::compare, kAsks}},
      {"observe.what_if", {&RunRequests::measure_what_if, kAsks}},
      {"profiler.set", {&RunRequests::set_profile, kChanges}},
      {"checkpoint.save", {&RunRequests::save_checkpoint, kChanges}},
      {"checkpoint.load", {&RunRequests::load_checkpoint, kChanges}},
      {"model.save", {&RunRequests::save_model, kChanges}},
  };
  return all;
}

bool RunRequests::knows(const std::string& method) {
  return methods().contains(method);
}

bool RunRequests::changes(const std::string& method) {
  const auto found = methods().find(method);
  return found != methods().end() && found->second.changes;
}

void RunRequests::handle(const wire::Request& request, run::Control& run) {
  (this->*methods().at(request.method).method)(request, run);
}

void RunRequests::answer(std::int64_t id, nlohmann::json result) const {
  post_(wire::Response{id, std::move(result)});
}

void RunRequests::pause(const wire::Request& request, run::Control& run) {
  run.pause();
  answer(request.id);
}

void RunRequests::resume(const wire::Request& request, run::Control& run) {
  run.resume();
  answer(request.id);
}

void RunRequests::step(const wire::Request& request, run::Control& run) {
  run.step();
  answer(request.id);
}

void RunRequests::stop(const wire::Request& request, run::Control& run) {
  run.stop();
  answer(request.id);
}

void RunRequests::set_policy(const wire::Request& request, run::Control& run) {
  auto wanted = params<wire::PolicySet>(request);
  graph::check_ops(wanted.policy, request.method);
  run.set_policy(std::move(wanted));
  answer(request.id);
}

void RunRequests::measure_savings(const wire::Request& request, run::Control& run) {
  auto policy = params<wire::AskSavings>(request).policy;
  graph::check_ops(policy, request.method);
  run.measure_savings({std::move(policy), [post = post_, id = request.id](const auto& savings, auto failed) {
                         answer_with(post, id, failed, [&] { return wire::encode(with_estimates(*savings)); });
                       }});
}

void RunRequests::measure_what_if(const wire::Request& request, run::Control& run) {
  run.measure_what_if(
      {params<wire::AskWhatIf>(request), [post = post_, id = request.id](const auto& what_if, auto failed) {
         answer_with(post, id, failed, [&] { return wire::encode(*what_if); });
       }});
}

void RunRequests::set_scale(const wire::Request& request, run::Control& run) {
  const auto [scale, id] = params<wire::SetScale>(request);
  if (!wire::is_loss_scale(scale)) {
    throw Error(ErrorCode::kUsage, "The loss scale must be above 0 and finite in float32",
                "Choose a power of two between 2^-126 and 2^127.");
  }
  run.set_scale(scale, id);
  answer(request.id);
}

void RunRequests::tune_scaler(const wire::Request& request, run::Control& run) {
  auto scaler = params<wire::ScalerConfig>(request);
  // Checks the limits alone: the current scale may lie outside them until the next update.
  wire::ScalerConfig checked = scaler;
  checked.init_scale = scaler.minimum > 0 ? scaler.minimum : scaler.maximum > 0 ? scaler.maximum : 1;
  wire::check(checked, request.method);
  run.tune(std::move(scaler));
  answer(request.id);
}

void RunRequests::set_observe(const wire::Request& request, run::Control& run) {
  auto observe = params<wire::ObserveConfig>(request);
  wire::check(observe, request.method);
  run.set_observe(std::move(observe));
  answer(request.id);
}

void RunRequests::compare(const wire::Request& request, run::Control& run) {
  run.compare([post = post_, id = request.id](const auto& compared, auto failed) {
    answer_with(post, id, failed, [&] { return wire::encode(*compared); });
  });
}

void RunRequests::set_profile(const wire::Request& request, run::Control& run) {
  auto profile = params<wire::ProfileConfig>(request);
  wire::check(profile, request.method);
  run.set_profile(std::move(profile));
  answer(request.id);
}

void RunRequests::save_checkpoint(const wire::Request& request, run::Control& run) {
  const std::string reason = params<wire::SaveCheckpoint>(request).reason.value_or("request");
  if (reason != "request" && reason != "try") {
    throw Error(ErrorCode::kUsage, "checkpoint.save: \"" + reason + "\" is no reason", "Use request or try.");
  }
  ask_run(request.id, run,
          {.kind = run::Control::FileRequest::Kind::kSaveCheckpoint,
           .file = {},
           .policy = {},
           .done = {},
           .reason = reason});
}

void RunRequests::load_checkpoint(const wire::Request& request, run::Control& run) {
  auto [file, policy] = params<wire::LoadCheckpoint>(request);
  if (policy) graph::check_ops(policy->policy, request.method);
  ask_run(request.id, run,
          {.kind = run::Control::FileRequest::Kind::kLoadCheckpoint,
           .file = std::move(file),
           .policy = std::move(policy),
           .done = {}});
}

void RunRequests::save_model(const wire::Request& request, run::Control& run) {
  ask_run(request.id, run,
          {.kind = run::Control::FileRequest::Kind::kSaveModel,
           .file = params<wire::SaveModel>(request).file,
           .policy = {},
           .done = {}});
}

/// Lets the run do this at its next step boundary, and answers then.
void RunRequests::ask_run(std::int64_t id, run::Control& run, run::Control::FileRequest file) {
  file.done = [post = post_, id](const std::optional<wire::CheckpointInfo>& saved, auto failed) {
    answer_with(post, id, failed, [&] { return saved ? wire::encode(*saved) : nlohmann::json::object(); });
  };
  run.request(std::move(file));
}

wire::CheckpointList list_checkpoints(const wire::Request& request, const RunRequests::Post& post) {
  const std::string folder = params<wire::ListCheckpoints>(request).folder;
  if (folder.empty()) throw Error(ErrorCode::kUsage, "checkpoint.list: folder is empty", "Name the run's folder.");
  wire::CheckpointList list;
  for (const std::string& file : checkpoint::CheckpointFolder::files_in(folder)) {
    try {
      list.checkpoints.push_back(checkpoint::inspect_checkpoint(file));
    } catch (const Error& error) {
      post(wire::LogLine{"warning", error.what()});  // one damaged file must not hide the others
    }
  }
  return list;
}

}  // namespace binade::host
