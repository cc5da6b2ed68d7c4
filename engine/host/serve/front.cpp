// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/front.h"

#include "engine/formats/error.h"
#include "engine/graph/unsafe_code.h"
#include "engine/host/input/demo.h"
#include "engine/host/input/run_access.h"
#include "engine/host/process/trusted_models.h"
#include "engine/host/serve/params.h"
#include "engine/host/serve/request_failure.h"
#include "engine/wire/codec.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace binade::host {

namespace {

/// Beyond this, the other side is slower, and nothing more is read for it: an engine then thins its messages.
constexpr std::size_t kMostWaiting = std::size_t{1} << 20;

}  // namespace

Front::Front(int input, int output, Serve serve) : input_(input), output_(output), serve_(std::move(serve)) {
  ::fcntl(output_, F_SETFL, ::fcntl(output_, F_GETFL) | O_NONBLOCK);
}

Front::~Front() = default;

int Front::serve(std::chrono::milliseconds grace) {
  int code = 0;
  try {
    while (wait_and_pass(code)) {
    }
  } catch (...) {
    end(grace);
    throw;
  }
  const int ended = end(grace);
  return code == 0 ? ended : code;
}

/// Waits for any descriptor and serves it. Returns false at an end; `code` is that of an engine that ended by itself.
bool Front::wait_and_pass(int& code) {
  std::vector<pollfd> all;
  const auto poll_for = [&all](int descriptor, short events) {
    all.push_back({descriptor, events, 0});
    return all.size() - 1;
  };
  const bool slow_explorer = sending_.size() > kMostWaiting;
  std::size_t waiting = 0;
  for (const Engine* engine : {&inspecting_, &run_}) waiting += *engine ? (*engine)->bytes_to_send() : 0;
  const std::size_t input = poll_for(waiting > kMostWaiting ? -1 : input_, POLLIN);
  poll_for(sending_.empty() ? -1 : output_, POLLOUT);
  struct Places {
    ConfinedEngine* engine;
    std::size_t from, broker;
  };
  std::vector<Places> places;
  for (const Engine* engine : {&inspecting_, &run_}) {
    if (!*engine) continue;
    poll_for((*engine)->has_to_send() ? (*engine)->to() : -1, POLLOUT);
    const std::size_t from = poll_for(slow_explorer ? -1 : (*engine)->from(), POLLIN);
    places.push_back({engine->get(), from, poll_for((*engine)->process().broker().descriptor(), POLLIN)});
  }
  if (::poll(all.data(), all.size(), -1) < 0) return errno == EINTR;
  for (const Places& each : places) {
    if (all[each.broker].revents != 0) static_cast<void>(each.engine->process().broker().answer());
    if (all[each.from].revents != 0 && !pass_from(*each.engine, code)) return false;
  }
  for (const Engine* engine : {&inspecting_, &run_}) {
    if (*engine) (*engine)->write_some();
  }
  if (!sending_.write_to(output_)) return false;
  return all[input].revents == 0 || receive_requests();
}

/// Passes on what an engine sent. Returns false if it has ended and the explorer cannot go on without it.
bool Front::pass_from(ConfinedEngine& engine, int& code) {
  if (engine.receive(sending_)) return true;
  const int ended = engine.process().end();
  const auto& open = engine.open_requests();
  const bool greets =
      std::any_of(open.begin(), open.end(), [](const auto& each) { return each.second.method == "engine.hello"; });
  if (&engine == run_.get() || greets) {
    code = ended == 0 ? 1 : ended;  // it ended while its input was open
    return false;
  }
  fail_inspection(ended);
  return true;
}

/// A model or data file can exhaust memory. A training beside it goes on.
void Front::fail_inspection(int code) {
  const std::string how = code < 0 ? std::string("was ended by a signal: ") + ::strsignal(-code)
                                   : "ended with exit code " + std::to_string(code);
  for (const auto& [id, request] : inspecting_->open_requests()) {
    answer(id, {.code = static_cast<int>(ErrorCode::kOutOfMemory) + 1,
                .message = "The engine that read this file " + how,
                .hint = "The file may need more memory than this computer has. A run that trains goes on."});
  }
  inspecting_.reset();
}

bool Front::receive_requests() {
  std::array<char, 65536> buffer{};
  const ssize_t count = ::read(input_, buffer.data(), buffer.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (count <= 0) return false;
  reader_.feed({buffer.data(), static_cast<std::size_t>(count)});
  for (;;) {
    try {
      auto message = reader_.next();
      if (!message) return true;
      if (auto* request = std::get_if<wire::Request>(&*message)) handle(std::move(*request));
      if (const auto* notification = std::get_if<wire::Notification>(&*message)) pass_mark(*notification);
    } catch (const Error& error) {
      if (reader_.lost()) throw;
      sending_.append(wire::frame(wire::notification_of(wire::LogLine{"warning", error.what()})));
    }
  }
}

void Front::handle(wire::Request request) {
  const std::int64_t id = request.id;
  try {
    if (request.method == "model.trust") return trust(request);
    if (request.method == "model.untrust") return end_trust(request);
    if (request.method == "model.trusted") return list_trusted(request);
    if (FarFiles::knows(request.method)) {
      sending_.append(wire::frame(wire::Response{id, files_.answer(request)}));
      return;
    }
    // Named here, since a confined engine cannot make a file of a name that nobody knew when it began.
    if (request.method == "run.demo") {
      wire::RunConfig config = demo_run();
      config.run_file = new_run_file(config.name);
      config.checkpoint.folder = config.run_file + ".checkpoints";  // so that an edit can be undone with its training
      request = {id, "run.start", wire::encode(wire::StartRun{std::move(config)})};
    }
    const RequestFiles files = files_of(request);
    Engine& engine = engine_for(request, files);
    if (confine::covers(engine->process().access(), files.access)) {  // a file may be another since it started
      for (const std::string& file : files.access.reads) engine->process().broker().allow_read(file);
    }
    if (files.starts && !engine->runs()) {
      for (const std::string& file : files.access.outputs) {
        make_run_folder(file);
        engine->process().broker().allow_output(file);
      }
    }
    if (!files.output.empty()) engine->process().broker().allow_output(files.output);
    if (!files.input.empty()) engine->process().broker().allow_read(files.input);
    if (request.method == "engine.hello") request = greet(request);
    engine->send(request);
    engine->write_some();
  } catch (...) {
    answer(id, current_failure());
  }
}

/// Of two engines, the run's alone counts what waits on a slow link: the other sends next to nothing.
wire::Request Front::greet(const wire::Request& request) {
  wire::Hello hello = params<wire::Hello>(request);
  if (hello.link) check_link(*hello.link);
  greeting_ = {.done = hello.protocol == wire::kProtocol, .link = std::exchange(hello.link, std::nullopt)};
  return {request.id, request.method, wire::encode(hello)};
}

void Front::pass_mark(const wire::Notification& notification) {
  if (notification.method != wire::kLinkSeen || !run_) return;
  run_->send(notification);
  run_->write_some();
}

/// Engines learn of it when they start. The run's engine goes on, because it may hold a trained model; a run that
/// starts later has an engine of its own.
void Front::trust(const wire::Request& request) {
  const auto trusted = wire::decode<wire::TrustModel>(request.params);
  trust_model(trusted.file, trusted.sha256);
  retire(inspecting_);
  sending_.append(wire::frame(wire::Response{request.id, nlohmann::json::object()}));
}

/// As trust(): an engine that looks at models later does not trust it any more.
void Front::end_trust(const wire::Request& request) {
  host::end_trust(wire::decode<wire::EndTrust>(request.params).sha256);
  retire(inspecting_);
  list_trusted(request);
}

void Front::list_trusted(const wire::Request& request) {
  sending_.append(wire::frame(wire::Response{request.id, wire::encode(wire::TrustedModels{listed_trusted_models()})}));
}

/// The engine that answers the request; makes or replaces it where its files are others.
Front::Engine& Front::engine_for(const wire::Request& request, const RequestFiles& files) {
  const bool training = run_ && run_->runs();
  if (files.engine == RequestFiles::For::kRun) {
    if (!files.names_run) return run_ ? run_ : engine_for({request.id, "engine.hello", {}}, {});
    // A folder of the same name can be another by now, and only a new engine gets it.
    const bool reusable = run_ && !files.starts && confine::covers(run_->process().access(), files.access);
    if (training || reusable) return run_;
    if (files.starts) retire(inspecting_);  // memory may not hold a model twice
    replace(run_, files.access);
    return run_;
  }
  // A run's engine refuses to look at a model or data meanwhile, because looking draws random numbers.
  if (training && (request.method == "model.inspect" || request.method == "data.preview")) return run_;
  const bool named_folder = !files.access.read_folders.empty();
  if (inspecting_ && !named_folder && confine::covers(inspecting_->process().access(), files.access)) {
    return inspecting_;
  }
  confine::Access access = files.access;
  std::map<std::int64_t, wire::Request> again;
  if (inspecting_ && !inspecting_->open_requests().empty()) {  // the new engine answers these as well
    again = inspecting_->open_requests();
    confine::add(access, inspecting_->process().access());
    inspecting_.reset();
  }
  replace(inspecting_, access);
  for (const auto& [id, open] : again) inspecting_->send(open);
  return inspecting_;
}

void Front::replace(Engine& engine, const confine::Access& access) {
  retire(engine);
  confine::Access whole = access;
  whole.gpu = whole.gpu || has_gpu_devices();
  graph::set_trust({.hashes = trusted_models()});  // the copy keeps it
  Greeting greeting = greeting_;
  if (&engine != &run_) greeting.link.reset();
  engine = std::make_unique<ConfinedEngine>(
      whole, [this, &greeting](int input, int output) { return serve_(input, output, greeting); });
  if (hello_) engine->send(*std::exchange(hello_, std::nullopt));
}

void Front::retire(Engine& engine) {
  if (!engine) return;
  for (const auto& [id, request] : engine->open_requests()) {
    if (request.method == "engine.hello") {
      hello_ = request;
      continue;
    }
    answer(id, {.code = static_cast<int>(ErrorCode::kCancelled) + 1, .message = "Cancelled by a later request"});
  }
  engine.reset();
}

void Front::answer(std::int64_t id, const wire::Failure& failure) {
  sending_.append(wire::frame(wire::Response{id, failure}));
}

/// Lets the run's engine close its run file. Returns its exit code.
int Front::end(std::chrono::milliseconds grace) {
  const auto until = std::chrono::steady_clock::now() + grace;
  inspecting_.reset();  // it writes nothing
  if (!run_) return 0;
  int code = 0;
  run_->close_input();
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
    std::array<pollfd, 2> ready{{{run_->from(), POLLIN, 0}, {run_->process().broker().descriptor(), POLLIN, 0}}};
    if (left <= 0 || (::poll(ready.data(), ready.size(), static_cast<int>(left)) < 0 && errno != EINTR)) break;
    if (ready[1].revents != 0) static_cast<void>(run_->process().broker().answer());
    if (ready[0].revents != 0 && !run_->receive(sending_)) {
      code = run_->process().end();
      break;
    }
    static_cast<void>(sending_.write_to(output_));
  }
  static_cast<void>(sending_.write_to(output_));
  run_.reset();
  return code;
}

}  // namespace binade::host
