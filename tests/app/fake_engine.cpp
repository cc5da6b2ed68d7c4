// SPDX-License-Identifier: Apache-2.0
// An engine for the explorer's tests: speaks the wire and plays a made-up run.
//   fake_engine [--log FILE] [--crash-at STEP] [--crash-always] [--hang METHOD] [--refuse METHOD] [--junk]
//               [--protocol N] [--slow-start MS] [--slow-load MS] [--early-policy] [--no-steps] [--linger]
//               [--compare-at STEP] [--odd SEED] [--delay METHOD MS] [--swap METHOD] [--twice] [--drop METHOD]
//               [--attached STEPS] [--other-edits] [--cut-once STEP FILE] [--gone] [--slow-link] [--list]
// --attached plays a training that has made STEPS steps before the explorer came, as the word `attach` does with 20;
// --other-edits: another explorer edits it.
// --cut-once ends the connection at STEP as a cut link does, once: FILE says that it has. The training makes ten more
// steps until the explorer comes again. --gone: then there is no training any more. --list prints the training.
// --slow-link marks its messages and says what it leaves out.
// --odd changes one value in every third message, as no engine would send it.
// --log writes each request as a line of JSON. The process ends at the end of its input, unless it lingers.
// --compare-at tells of a comparison with float32 that nobody asked for.
// --delay sends the answer to a method later, and goes on meanwhile. --swap sends the first answer to it behind the
// second. --twice sends each answer two times. --drop does what the first request of a method asks, without an answer;
// --hang does nothing for any.
// --early-policy tells of a policy in force before the run began; --slow-load is the time between the two.
#include "engine/formats/error.h"
#include "engine/wire/codec.h"
#include "engine/wire/frame.h"
#include "tests/app/fake_attach.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_run.h"
#include "tests/app/odd_json.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>

namespace {

using namespace binade;
using Clock = std::chrono::steady_clock;

struct Options {
  std::string log;
  std::string hang;
  std::string refuse;
  std::string swap;
  std::string drop;
  std::string delay;
  int delay_ms = 0;
  bool twice = false;
  long crash_at = -1;
  long compare_at = -1;
  long odd = -1;
  bool junk = false;
  bool no_steps = false;
  bool early_policy = false;
  bool linger = false;
  int protocol = wire::kProtocol;
  int slow_start = 0;
  int slow_load = 0;
  long attached = -1;
  bool other_edits = false;
  long cut_at = -1;
  std::string cut_mark;
  bool gone = false;
  bool slow_link = false;
  bool list = false;
  bool train = false;

  bool wasCut() const { return !cut_mark.empty() && std::filesystem::exists(cut_mark); }
};

class FakeEngine {
 public:
  explicit FakeEngine(Options options) : options_(std::move(options)), random_(static_cast<unsigned>(options_.odd)) {}

  int serve() {
    std::this_thread::sleep_for(std::chrono::milliseconds(options_.slow_start));
    if (options_.train) {
      test::writeFakeTraining(getpid());
      for (;;) pause();  // until it is killed
    }
    if (options_.list) {
      const wire::AttachedRun run = test::fakeTraining();
      std::cout << nlohmann::json{{"name", run.name},   {"process", run.process},   {"host", run.host},
                                  {"since", run.since}, {"run_file", run.run_file}, {"step", 17},
                                  {"explorers", 1}}
                       .dump()
                << '\n';
      return 0;
    }
    if (options_.gone && options_.wasCut()) {
      std::cerr << "no training of process 4242 runs here\n";
      return 2;
    }
    std::cerr << "fake engine up\n";
    if (options_.junk) send("Hello, I am no engine.\n");
    for (;;) {
      pollfd input{0, POLLIN, 0};
      poll(&input, 1, patience());
      sendLate();
      if ((input.revents & (POLLIN | POLLHUP)) != 0) {
        char buffer[65536];
        const ssize_t got = read(0, buffer, sizeof buffer);
        while (got <= 0 && options_.linger) pause();
        if (got <= 0) return 0;
        reader_.feed({buffer, static_cast<std::size_t>(got)});
        while (const auto message = reader_.next()) {
          if (const auto* request = std::get_if<wire::Request>(&*message)) answer(*request);
          if (const auto* seen = std::get_if<wire::Notification>(&*message)) note(seen->method, seen->params);
        }
      }
      if (running_) play(3);
    }
  }

 private:
  void send(const std::string& bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t wrote = write(1, bytes.data() + done, bytes.size() - done);
      if (wrote <= 0) std::exit(0);
      done += static_cast<std::size_t>(wrote);
    }
  }
  // How long to wait for input, in ms; -1: as long as it takes.
  int patience() const {
    if (running_) return 4;
    return late_.empty() ? -1 : 5;
  }
  void sendLate() {
    while (!late_.empty() && late_.begin()->first <= Clock::now()) {
      send(late_.begin()->second);
      late_.erase(late_.begin());
    }
  }
  void respond(const wire::Request& request, const std::string& bytes) {
    if (request.method == options_.drop) return options_.drop.clear();
    if (request.method == options_.delay) {
      late_.emplace(Clock::now() + std::chrono::milliseconds(options_.delay_ms), bytes);
      return;
    }
    if (request.method == options_.swap) {
      options_.swap.clear();
      held_for_ = request.method;
      held_ = bytes;
      return;
    }
    send(bytes);
    if (options_.twice) send(bytes);
    if (request.method == held_for_) send(std::exchange(held_, {}));
  }
  template <class T>
  void notify(const char* method, const T& value) {
    nlohmann::json params = wire::encode(value);
    if (isOddNow()) test::makeOdd(params, random_);
    send(wire::frame(wire::Notification{method, std::move(params)}));
  }
  void result(const wire::Request& request, nlohmann::json value = nlohmann::json::object()) {
    if (request.method != "engine.hello" && isOddNow()) test::makeOdd(value, random_);
    respond(request, wire::frame(wire::Response{request.id, std::move(value)}));
  }
  bool isOddNow() { return options_.odd >= 0 && random_() % 3 == 0; }
  void failure(const wire::Request& request, const std::string& message, const std::string& hint,
               const std::string& field = {}) {
    respond(request, wire::frame(wire::Response{request.id, wire::Failure{2, message, hint, field}}));
  }
  void state(wire::RunState state) {
    running_ = state == wire::RunState::kRunning && !options_.no_steps;
    notify("run.state", wire::StateChanged{state, run_.step()});
  }

  void start(const wire::RunConfig& config) {
    run_.restart(config);
    if (options_.early_policy) notify("policy.applied", run_.setPolicy(config.policy, 0));
    std::this_thread::sleep_for(std::chrono::milliseconds(options_.slow_load));
    notify("run.started", run_.started());
    state(wire::RunState::kRunning);
  }

  void play(int steps) {
    wire::StepBatch batch;
    std::vector<wire::Event> events;
    for (int i = 0; i < steps; ++i) {
      if (options_.crash_at >= 0 && run_.step() >= options_.crash_at) {
        std::cerr << "fake engine: crash as told\n";
        std::abort();
      }
      batch.steps.push_back(run_.next());
      if (run_.event() != nullptr) events.push_back(*run_.event());
    }
    notify("run.steps", batch);
    if (options_.cut_at >= 0 && run_.step() >= options_.cut_at && !options_.wasCut()) {
      std::ofstream(options_.cut_mark) << run_.step();
      std::_Exit(1);
    }
    if (options_.compare_at >= 0 && run_.step() > options_.compare_at)
      notify("run.comparison", test::comparison(std::exchange(options_.compare_at, -1)));
    for (const wire::Event& event : events) notify("run.event", event);
    if (options_.odd >= 0) tellEverything();
    const std::int64_t total = run_.started().config.steps;
    if (run_.step() >= total) {
      notify("run.evaluated", wire::Evaluated{run_.step(), 0.87, 0.36});
      state(wire::RunState::kFinished);  // first, as the engine does
      notify("run.finished", wire::Finished{wire::Outcome::kCompleted, run_.step(), "", ""});
    }
  }

  // One of each kind of message.
  void tellEverything() {
    const std::int64_t step = run_.step();
    notify("run.event", test::diagnosed(step - 1, wire::Event::Kind::kForwardOverflow, 1024, test::forwardOverflow()));
    notify("profiler.update", test::lifelikeProfile(0, step));
    notify("run.casts", test::casts(0, 0));
    notify("run.silent", test::silentReport());
    notify("run.comparison", test::comparison(step - 1));
    notify("run.evaluated", wire::Evaluated{step, 0.5, 0.5});
    notify("run.checkpoint", keep("step"));
    notify("run.scaler", wire::ScalerChanged{step, run_.started().config.scaler, 1024});
    notify("policy.applied", run_.setPolicy({}, 1));
    notify("observe.cost", wire::ObserveCost{0, step, 5, 0.5, 1, 1, 1, 1});
    notify("engine.log", wire::LogLine{"info", "said"});
  }

  // A checkpoint's file, empty: what counts is that it is there.
  wire::CheckpointInfo keep(const std::string& reason) {
    wire::CheckpointInfo saved;
    saved.file = (std::filesystem::temp_directory_path() /
                  ("fake-" + std::to_string(getpid()) + "-" + std::to_string(run_.step()) + ".safetensors"))
                     .string();
    std::ofstream(saved.file) << "kept";
    saved.step = run_.step();
    saved.reason = reason;
    saved.model = run_.started().config.model;
    saved.bytes = 4;
    saved.saved = 1'790'000'000;
    saved.loss = 0.5;
    return saved;
  }

  // A line of the log.
  void note(const std::string& method, const nlohmann::json& params) {
    if (options_.log.empty()) return;
    std::ofstream(options_.log, std::ios::app) << nlohmann::json{{"method", method}, {"params", params}}.dump() << '\n';
  }

  // The history of a training, then what it does next.
  void attach(const wire::Hello& hello) {
    peers_.emplace(options_.other_edits, hello.watch.value_or(false), hello.user.value_or(""));
    notify("attach.peers", peers_->peers());
    long steps = options_.attached;
    if (options_.wasCut()) {
      std::ifstream(options_.cut_mark) >> steps;
      steps += 10;
    }
    notify("run.started", run_.started());
    notify("run.state", wire::StateChanged{wire::RunState::kRunning, 0});
    while (run_.step() < steps) {
      wire::StepBatch batch;
      batch.steps.push_back(run_.next());
      notify("run.steps", batch);
      if (run_.event() != nullptr) notify("run.event", *run_.event());
    }
    notify("attach.caught_up", wire::CaughtUp{run_.step(), 0, 0});
    state(wire::RunState::kRunning);
    if (options_.slow_link) {
      notify("link.mark", wire::LinkMark{1});
      notify("link.detail", wire::LinkDetail{true, 1.5, 1'250'000, 12, 0, 3});
    }
  }

  // Returns whether the request changes the training, and this explorer only watches it.
  bool refused(const wire::Request& request) {
    static const std::set<std::string> changing{"run.pause",  "run.resume", "run.stop",    "run.step",
                                                "policy.set", "scaler.set", "scaler.tune", "observe.set"};
    if (!peers_ || peers_->edits() || !changing.contains(request.method)) return false;
    failure(request, "anna at desk edits this training", "Take over editing first.");
    return true;
  }

  void answer(const wire::Request& request) {
    note(request.method, request.params);
    try {
      answerOne(request);
    } catch (const Error& error) {
      failure(request, error.what(), error.hint);
    }
  }

  void answerOne(const wire::Request& request) {
    if (request.method == options_.hang) return;
    if (request.method == options_.refuse) {
      return failure(request, "model.pt is not a TorchScript file", "Save it with torch.jit.save.");
    }
    if (refused(request)) return;
    if (request.method == "engine.hello") {
      wire::Welcome welcome{options_.protocol, "0.1.0", "2.11.0", "CPU, 2 threads", true, false};
      if (options_.attached >= 0) welcome.attached = test::fakeTraining();
      result(request, wire::encode(welcome));
      if (options_.attached >= 0) attach(wire::decode<wire::Hello>(request.params));
    } else if (request.method == "attach.take") {
      peers_->take();
      result(request, wire::encode(peers_->peers()));
      notify("attach.peers", peers_->peers());
    } else if (request.method == "attach.release") {
      peers_->release();
      result(request, wire::encode(peers_->peers()));
      notify("attach.peers", peers_->peers());
    } else if (request.method == "folder.list") {
      result(request, wire::encode(test::listFolder(wire::decode<wire::ListFolder>(request.params))));
    } else if (request.method == "file.read") {
      result(request, wire::encode(test::readFile(wire::decode<wire::ReadFile>(request.params))));
    } else if (request.method == "model.inspect") {
      result(request, wire::encode(test::FakeRun::model()));
    } else if (request.method == "run.demo") {
      result(request);
      start(test::FakeRun::config());
    } else if (request.method == "run.start") {
      result(request);
      start(wire::decode<wire::StartRun>(request.params).config);
    } else if (request.method == "run.pause") {
      result(request);
      state(wire::RunState::kPaused);
    } else if (request.method == "run.resume") {
      result(request);
      state(wire::RunState::kRunning);
    } else if (request.method == "run.step") {
      result(request);
      play(1);
      state(wire::RunState::kPaused);
    } else if (request.method == "run.stop") {
      result(request);
      state(wire::RunState::kFinished);
      notify("run.finished", wire::Finished{wire::Outcome::kStopped, run_.step(), "", ""});
    } else if (request.method == "policy.set") {
      const auto set = wire::decode<wire::PolicySet>(request.params);
      result(request);
      notify("policy.applied", run_.setPolicy(set.policy, set.revision));
    } else if (request.method == "scaler.set") {
      run_.setScale(wire::decode<wire::SetScale>(request.params).scale);
      result(request);
    } else if (request.method == "scaler.tune") {
      result(request);
      notify("run.scaler", wire::ScalerChanged{run_.step(), wire::decode<wire::ScalerConfig>(request.params), 1024});
    } else if (request.method == "checkpoint.save") {
      const auto saved = keep(wire::decode<wire::SaveCheckpoint>(request.params).reason.value_or("request"));
      result(request, wire::encode(saved));
      notify("run.checkpoint", saved);
    } else if (request.method == "checkpoint.load") {
      const auto wanted = wire::decode<wire::LoadCheckpoint>(request.params);
      result(request);
      notify("run.rewound", wire::Rewound{5, wanted.file});
    } else if (request.method == "model.save") {
      result(request);
    } else if (request.method == "data.arrays") {
      wire::DataArrays arrays;
      for (const auto& file : wire::decode<wire::ListArrays>(request.params).files) {
        arrays.arrays.push_back({file, "images"});
        arrays.arrays.push_back({file, "labels"});
      }
      result(request, wire::encode(arrays));
    } else if (request.method == "data.preview") {
      const auto config = wire::decode<wire::PreviewData>(request.params).config;
      if (config.batch > 1000) {
        return failure(
            request,
            "data.preview: batch is " + std::to_string(config.batch) + ", but the data set has only 1000 examples",
            "Choose a smaller batch.", "batch");
      }
      if (config.data.kind == "files") notify("engine.log", wire::LogLine{"progress", "Reading set.npz: 35 %"});
      result(request,
             wire::encode(wire::DataPreview{
                 {{"input", false, "float32", {config.batch, 1, 28, 28}, -0.81, 2.02, 0.01, 3, {-0.81, 0.5}, {}},
                  {"label", true, "int64", {config.batch}, 0, 9, 4.4, 0, {7}, {{0, 6}, {7, 5}}}},
                 60000,
                 10000,
                 937}));
    } else if (request.method == "observe.compare") {
      result(request, wire::encode(test::comparison(run_.step())));
      notify("run.comparison", test::comparison(run_.step()));
    } else if (request.method == "observe.what_if") {
      result(request, wire::encode(test::whatIf(run_.step(), wire::decode<wire::AskWhatIf>(request.params))));
    } else if (request.method == "policy.savings") {
      result(request, wire::encode(test::savings(run_.step())));
    } else if (request.method == "profiler.set") {
      result(request);
      if (wire::decode<wire::ProfileConfig>(request.params).level != "off")
        notify("profiler.update", test::cpuProfile(0, run_.step()));
    } else if (request.method == "observe.set") {
      run_.setObserve(wire::decode<wire::ObserveConfig>(request.params));
      result(request);
    } else if (request.method == "test.crash") {
      std::abort();
    } else {
      failure(request, "unknown method " + request.method, "");
    }
  }

  Options options_;
  std::mt19937 random_;
  test::FakeRun run_;
  std::optional<test::FakePeers> peers_;  ///< of an attached training
  wire::FrameReader reader_;
  std::multimap<Clock::time_point, std::string> late_;  ///< answers, by when they are sent
  std::string held_for_;
  std::string held_;  ///< an answer to held_for_ that is sent behind the next one
  bool running_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    const auto value = [&] { return std::string(i + 1 < argc ? argv[++i] : ""); };
    if (option == "--log") options.log = value();
    if (option == "--hang") options.hang = value();
    if (option == "--refuse") options.refuse = value();
    if (option == "--swap") options.swap = value();
    if (option == "--drop") options.drop = value();
    if (option == "--twice") options.twice = true;
    if (option == "--delay") {
      options.delay = value();
      options.delay_ms = std::stoi(value());
    }
    if (option == "--crash-at") options.crash_at = std::stol(value());
    if (option == "--compare-at") options.compare_at = std::stol(value());
    if (option == "--odd") options.odd = std::stol(value());
    if (option == "--junk") options.junk = true;
    if (option == "--no-steps") options.no_steps = true;
    if (option == "--early-policy") options.early_policy = true;
    if (option == "--linger") options.linger = true;
    if (option == "--slow-load") options.slow_load = std::stoi(value());
    if (option == "--protocol") options.protocol = std::stoi(value());
    if (option == "--attached") options.attached = std::stol(value());
    if (option == "attach") options.attached = std::max(options.attached, 20L);
    if (option == "--other-edits") options.other_edits = true;
    if (option == "--cut-once") {
      options.cut_at = std::stol(value());
      options.cut_mark = value();
    }
    if (option == "--gone") options.gone = true;
    if (option == "--slow-link") options.slow_link = true;
    if (option == "--list") options.list = true;
    if (option == "train") options.train = true;
    if (option == "--slow-start") options.slow_start = std::stoi(value());
  }
  return FakeEngine(options).serve();
}
