// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace binade::wire {

// A training without a window accepts explorers: any number may watch it, and one of them, the editor, may change it.
// engine.hello answers with Welcome::attached. Then follow `attach.peers`, the history of the run in its order
// (run.started first), `attach.caught_up`, and what happens from then on.
//   attach.describe {} -> AttachedRun   (also before engine.hello, which it does not replace)
//   attach.take     {} -> Peers   (the sender becomes the editor, in place of another)
//   attach.release  {} -> Peers   (the editor becomes a watcher; nobody edits until a peer takes over)
// Requests that change the training fail for a watcher with kUsage, and name the editor. Closing the connection
// detaches: the training goes on. run.stop by the editor ends it.

/// What an explorer asks of a slow link, in Hello. The engine never sends more than this.
struct LinkLimits {
  std::int64_t bytes_per_second = 0;  ///< 0: no fixed limit
  int batches_per_second = 60;        ///< batches of notifications, 1..60
  /// The explorer answers each LinkMark at once by the notification `link.seen` with its number. The engine measures
  /// from this how long its messages wait on the way, and sends fewer statistics while that is too long.
  bool marks = false;
  friend bool operator==(const LinkLimits&, const LinkLimits&) = default;
};

/// Method of the only notification that an explorer sends: a LinkMark that it has read.
inline constexpr const char* kLinkSeen = "link.seen";

/// Notification `link.mark` of the engine, after a batch; the explorer sends it back as kLinkSeen once it has read it.
struct LinkMark {
  std::int64_t number = 0;  ///< from 1, ascending
  friend bool operator==(const LinkMark&, const LinkMark&) = default;
};

/// Notification `link.detail`: what this connection lacks of the run because the link was slow, counted since it began.
/// The run file has all of it. Sent when a count has grown, at most once a second, and when the link is fast again.
struct LinkDetail {
  bool slow = false;            ///< messages wait now
  double delay_seconds = 0;     ///< how long the newest messages waited on the way, beyond the link's own delay
  double bytes_per_second = 0;  ///< measured while messages waited; 0: never
  std::int64_t statistics = 0;  ///< statistics of tensors that were left out
  std::int64_t steps = 0;       ///< steps that were left out, from a queue that held 65,536 messages
  std::int64_t reports = 0;     ///< reports on casts, silent faults, costs and profiles that a newer one replaced
  friend bool operator==(const LinkDetail&, const LinkDetail&) = default;
};

/// An explorer that is connected to a training.
struct Peer {
  std::int64_t id = 0;     ///< from 1, in the order of connections
  std::string name{};      ///< Hello::user, or `process N` of this computer
  std::int64_t since = 0;  ///< seconds since 1970, UTC
  friend bool operator==(const Peer&, const Peer&) = default;
};

/// Notification `attach.peers`, after each change; and the answer of attach.take and attach.release.
struct Peers {
  std::int64_t you = 0;     ///< Peer::id of the receiver
  std::int64_t editor = 0;  ///< Peer::id; 0: nobody edits
  std::vector<Peer> peers{};
  friend bool operator==(const Peers&, const Peers&) = default;
};

/// The training to which a connection belongs: Welcome::attached, and what `binade-engine attach --list` prints.
struct AttachedRun {
  std::string name{};
  std::int64_t process = 0;  ///< identifier of the process that was started
  std::string host{};        ///< name of its computer
  std::string run_file{};    ///< absolute path there; empty: the run is not recorded
  std::int64_t since = 0;    ///< seconds since 1970, UTC
  std::int64_t step = 0;     ///< the next step
  std::int64_t peers = 0;    ///< explorers connected, without this one
  friend bool operator==(const AttachedRun&, const AttachedRun&) = default;
};

/// Notification `attach.caught_up`: the history is complete, all else is live. The engine keeps a bounded history; the
/// counts say what it no longer has. The run file, which file.read copies, has all of it.
struct CaughtUp {
  std::int64_t step = 0;        ///< the next step
  std::int64_t steps = 0;       ///< earlier steps that are left out
  std::int64_t statistics = 0;  ///< statistics of tensors of earlier steps that are left out
  friend bool operator==(const CaughtUp&, const CaughtUp&) = default;
};

}  // namespace binade::wire
