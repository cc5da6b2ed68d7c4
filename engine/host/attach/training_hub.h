// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/attach/attached_peer.h"
#include "engine/host/attach/door.h"
#include "engine/host/attach/run_history.h"
#include "engine/run/control.h"
#include "engine/run/listener.h"
#include "engine/wire/messages.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace binade::host {

/// Lets explorers look at a training that was started without one. It is a listener of the run: it keeps a bounded
/// history, sends each explorer that attaches this history and what happens from then on, and passes the requests of
/// one of them, the editor, to the training. Explorers may come, go and be slow; the training never waits for them. It
/// is resumed once the last one has gone, since nobody could resume it then.
/// engine/wire/attach.h describes the messages.
class TrainingHub : public run::Listener {
 public:
  static constexpr std::size_t kMostPeers = 16;
  /// With those that only ask which training this is.
  static constexpr std::size_t kMostConnections = 4 * kMostPeers;

  /// Takes connections from `door` until it is destroyed. `door` and `control` must outlive it. `run_file`: absolute,
  /// or empty.
  TrainingHub(const Door& door, run::Control& control, const wire::RunConfig& run);
  /// Lets the explorers go: within three seconds, what a slow one has not received then is dropped.
  ~TrainingHub() override;

  void receive(wire::NotificationRef notification) override;

 private:
  struct Member {
    std::unique_ptr<AttachedPeer> peer;
    wire::Peer shown;
    bool greeted = false;
  };

  void take_connections();
  void add(Connection connection);
  std::string why_not_added(Connection connection);
  void remove_gone();
  void post(std::int64_t id, Outgoing item);

  // Requests, on the thread of their peer.
  void handle(AttachedPeer& peer, const wire::Request& request);
  nlohmann::json answer_to(AttachedPeer& peer, const wire::Request& request);
  void greet(AttachedPeer& peer, const wire::Request& request);
  nlohmann::json change_editor(AttachedPeer& peer, bool take);
  void check_editor(const AttachedPeer& peer, const std::string& method) const;
  void leave(const AttachedPeer& peer);

  // Under mutex_.
  Member* member(std::int64_t id);
  std::size_t greeted() const;
  const Member* member(std::int64_t id) const;
  wire::AttachedRun description(std::int64_t without) const;
  wire::Peers peers_for(std::int64_t id) const;
  void announce_peers();

  const Door& door_;
  run::Control& control_;
  const wire::Welcome welcome_;
  const wire::AttachedRun run_;  ///< what does not change
  mutable std::mutex mutex_;
  RunHistory history_;
  std::vector<Member> members_;
  std::int64_t last_id_ = 0;
  std::int64_t editor_ = 0;
  bool ended_ = false;
  WakePipe closing_;
  std::thread thread_;
};

}  // namespace binade::host
