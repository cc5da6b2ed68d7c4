// SPDX-License-Identifier: Apache-2.0
#include "engine/host/attach/training_hub.h"

#include "engine/formats/error.h"
#include "engine/formats/printable.h"
#include "engine/host/process/environment.h"
#include "engine/host/process/log.h"
#include "engine/host/serve/hello.h"
#include "engine/host/serve/params.h"
#include "engine/host/serve/request_failure.h"
#include "engine/wire/codec.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <exception>
#include <utility>

namespace binade::host {

namespace {

constexpr int kTidyMilliseconds = 1000;
constexpr std::chrono::seconds kLastWords{3};
constexpr std::size_t kLongestName = 80;

wire::AttachedRun describe(const SocketSign& sign, const wire::RunConfig& run) {
  return {.name = run.name, .process = sign.process, .host = sign.host, .run_file = run.run_file, .since = sign.since};
}

/// Destroys peers side by side, since each may take two seconds; those that are not done by then are cut.
void let_go(std::vector<std::unique_ptr<AttachedPeer>> peers) {
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t left = peers.size();
  std::vector<AttachedPeer*> still;
  std::vector<std::thread> threads;
  for (auto& peer : peers) still.push_back(peer.get());
  for (std::size_t i = 0; i < peers.size(); ++i) {
    threads.emplace_back([&, i] {
      peers[i]->flush();
      const std::scoped_lock lock(mutex);
      still[i] = nullptr;
      --left;
      changed.notify_all();
    });
  }
  {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, kLastWords, [&left] { return left == 0; });
    for (AttachedPeer* const peer : still) {
      if (peer != nullptr) peer->cut();
    }
  }
  for (std::thread& thread : threads) thread.join();
}

bool starts_something_else(const std::string& method) {
  return method == "run.start" || method == "run.demo" || method.starts_with("model.") || method.starts_with("data.");
}

}  // namespace

TrainingHub::TrainingHub(const Door& door, run::Control& control, const wire::RunConfig& run)
    : door_(door), control_(control), welcome_(welcome()), run_(describe(door.sign(), run)) {
  thread_ = std::thread([this] { take_connections(); });
}

TrainingHub::~TrainingHub() {
  closing_.wake();
  thread_.join();
  std::vector<std::unique_ptr<AttachedPeer>> peers;
  {
    const std::scoped_lock lock(mutex_);
    for (Member& each : members_) peers.push_back(std::move(each.peer));
    members_.clear();
  }
  let_go(std::move(peers));
}

void TrainingHub::receive(wire::NotificationRef notification) {
  const std::scoped_lock lock(mutex_);
  if (notification.get_if<wire::Finished>() != nullptr) ended_ = true;
  history_.add(notification);
  notification.visit([this]<class T>(const T& value) {
    if constexpr (wire::OneOf<T, wire::Sent>) {
      for (const Member& each : members_) {
        if (each.greeted) each.peer->outbox().post(value);
      }
    }
  });
}

void TrainingHub::take_connections() {
  for (;;) {
    std::array<pollfd, 2> ready{{{door_.descriptor(), POLLIN, 0}, {closing_.descriptor(), POLLIN, 0}}};
    if (::poll(ready.data(), ready.size(), kTidyMilliseconds) < 0 && errno != EINTR) return;
    remove_gone();
    if (ready[1].revents != 0) return;
    if (ready[0].revents == 0) continue;
    const auto connection = door_.take();
    if (!connection) return;
    add(*connection);
  }
}

void TrainingHub::add(Connection connection) {
  const std::string why = why_not_added(connection);
  if (why.empty()) return;
  ::close(connection.descriptor);
  log("warning", "An explorer could not attach: " + why + ".");
}

/// Adds the connection and returns nothing, or the reason. A system without room for a thread ends no training.
std::string TrainingHub::why_not_added(Connection connection) {
  const std::scoped_lock lock(mutex_);
  if (members_.size() >= kMostConnections) return std::to_string(kMostConnections) + " connections are open";
  const std::int64_t id = ++last_id_;
  Member member;
  member.shown = {.id = id, .since = static_cast<std::int64_t>(std::time(nullptr))};
  try {
    members_.reserve(members_.size() + 1);
    member.peer = std::make_unique<AttachedPeer>(
        id, connection, run_.run_file, [this, id](Outgoing item) { post(id, std::move(item)); },
        AttachedPeer::Handlers{[this](AttachedPeer& peer, const wire::Request& request) { handle(peer, request); },
                               [this](AttachedPeer& peer) { leave(peer); }});
  } catch (const std::exception& error) {
    return error.what();
  }
  members_.push_back(std::move(member));
  return {};
}

/// Destroys the peers that have gone, not under the mutex: that may take two seconds.
void TrainingHub::remove_gone() {
  std::vector<std::unique_ptr<AttachedPeer>> gone;
  {
    const std::scoped_lock lock(mutex_);
    for (Member& each : members_) {
      if (each.peer->has_gone) gone.push_back(std::move(each.peer));
    }
    std::erase_if(members_, [](const Member& each) { return each.peer == nullptr; });
  }
  for (const auto& peer : gone) peer->cut();
}

void TrainingHub::post(std::int64_t id, Outgoing item) {
  const std::scoped_lock lock(mutex_);
  if (Member* const found = member(id)) found->peer->outbox().post(std::move(item));
}

void TrainingHub::handle(AttachedPeer& peer, const wire::Request& request) {
  try {
    if (request.method == "engine.hello") return greet(peer, request);
    if (RunRequests::knows(request.method)) {
      check_editor(peer, request.method);
      return peer.run_requests().handle(request, control_);
    }
    peer.outbox().post(wire::Response{request.id, answer_to(peer, request)});
  } catch (...) {
    peer.outbox().post(wire::Response{request.id, current_failure()});
  }
}

nlohmann::json TrainingHub::answer_to(AttachedPeer& peer, const wire::Request& request) {
  const std::string& method = request.method;
  if (method == "attach.describe") {
    const std::scoped_lock lock(mutex_);
    return wire::encode(description(peer.id()));
  }
  check_editor(peer, method);
  if (method == "attach.take" || method == "attach.release") return change_editor(peer, method == "attach.take");
  if (FarFiles::knows(method)) return peer.files().answer(request);
  if (method == "checkpoint.list") {
    return wire::encode(list_checkpoints(request, [&peer](Outgoing item) { peer.outbox().post(std::move(item)); }));
  }
  if (starts_something_else(method)) {
    throw Error(ErrorCode::kUsage, method + " is not possible here: this engine runs a training of its own",
                "Use an engine that was started by `binade-engine serve` for other models and runs.");
  }
  throw unknown_method(request);
}

void TrainingHub::greet(AttachedPeer& peer, const wire::Request& request) {
  const auto hello = params<wire::Hello>(request);
  check_hello(hello);
  std::unique_lock lock(mutex_);
  Member* const own = member(peer.id());
  if (own == nullptr) return;  // it has gone meanwhile
  if (!own->greeted && greeted() >= kMostPeers) {
    throw Error(ErrorCode::kUsage, std::to_string(kMostPeers) + " explorers are attached to this training already",
                "Close one of them, or let go of the training in it.");
  }
  const std::string user = hello.user.value_or("");
  own->shown.name = user.empty() ? "process " + std::to_string(peer.process())
                                 : std::string(formats::beginning(formats::printable(user), kLongestName));
  if (hello.link) peer.outbox().limit(*hello.link);
  wire::Welcome welcome = welcome_;
  welcome.attached = description(peer.id());
  peer.outbox().post(wire::Response{request.id, wire::encode(welcome)});
  if (std::exchange(own->greeted, true)) return;
  if (editor_ == 0 && !hello.watch.value_or(false)) editor_ = peer.id();
  control_.set_watched(true);
  announce_peers();
  const wire::CaughtUp lacks = history_.pass_to([&peer](Outgoing item) { peer.outbox().post(std::move(item)); },
                                                hello.link && hello.link->marks);
  peer.outbox().post(lacks);
  const std::string name = own->shown.name;
  lock.unlock();  // standard error may wait for a terminal
  log("info", "An explorer has attached: " + name + ".");
}

nlohmann::json TrainingHub::change_editor(AttachedPeer& peer, bool take) {
  const std::scoped_lock lock(mutex_);
  if (take) {
    editor_ = peer.id();
  } else if (editor_ == peer.id()) {
    editor_ = 0;
  }
  announce_peers();
  return wire::encode(peers_for(peer.id()));
}

/// Throws Error{kUsage} for what a watcher may not do, and for requests before the hello or after the run.
void TrainingHub::check_editor(const AttachedPeer& peer, const std::string& method) const {
  const std::scoped_lock lock(mutex_);
  const Member* const own = member(peer.id());
  if (own == nullptr || !own->greeted) {
    throw Error(ErrorCode::kUsage, method + " was sent before engine.hello", "Send engine.hello first.");
  }
  if (!RunRequests::knows(method)) return;
  if (ended_) throw Error(ErrorCode::kUsage, method + ": the training has ended", "Open its run file.");
  if (!RunRequests::changes(method) || editor_ == peer.id()) return;
  const Member* const other = member(editor_);
  if (other == nullptr) {
    throw Error(ErrorCode::kUsage, method + " needs an editor, and this explorer watches", "Take over editing first.");
  }
  throw Error(ErrorCode::kUsage, method + " is for the editor of this training: " + other->shown.name,
              "Take over editing first.");
}

void TrainingHub::leave(const AttachedPeer& peer) {
  std::unique_lock lock(mutex_);
  Member* const own = member(peer.id());
  if (own == nullptr || !std::exchange(own->greeted, false)) return;
  if (editor_ == peer.id()) editor_ = 0;
  const bool watched = greeted() > 0;
  control_.set_watched(watched);
  announce_peers();
  const std::string name = own->shown.name;
  lock.unlock();
  if (!watched) control_.resume();  // the explorer that paused it may have been cut off
  log("info", "An explorer has left: " + name + ". The training goes on.");
}

TrainingHub::Member* TrainingHub::member(std::int64_t id) {
  return const_cast<Member*>(std::as_const(*this).member(id));
}

std::size_t TrainingHub::greeted() const {
  return static_cast<std::size_t>(
      std::count_if(members_.begin(), members_.end(), [](const Member& each) { return each.greeted; }));
}

const TrainingHub::Member* TrainingHub::member(std::int64_t id) const {
  const auto found =
      std::find_if(members_.begin(), members_.end(), [id](const Member& each) { return each.shown.id == id; });
  return found == members_.end() ? nullptr : &*found;
}

wire::AttachedRun TrainingHub::description(std::int64_t without) const {
  wire::AttachedRun run = run_;
  run.step = history_.step();
  run.peers = std::count_if(members_.begin(), members_.end(),
                            [without](const Member& each) { return each.greeted && each.shown.id != without; });
  return run;
}

wire::Peers TrainingHub::peers_for(std::int64_t id) const {
  wire::Peers peers{.you = id, .editor = editor_};
  for (const Member& each : members_) {
    if (each.greeted) peers.peers.push_back(each.shown);
  }
  return peers;
}

void TrainingHub::announce_peers() {
  for (const Member& each : members_) {
    if (each.greeted) each.peer->outbox().post(peers_for(each.shown.id));
  }
}

}  // namespace binade::host
