// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/attach/attach_folder.h"
#include "engine/host/attach/socket_sign.h"
#include "engine/host/serve/wake_pipe.h"

#include <cstdint>
#include <optional>
#include <string>
#include <thread>

namespace binade::host {

/// An explorer at the training's socket.
struct Connection {
  int descriptor = -1;       ///< the receiver closes it
  std::int64_t process = 0;  ///< of the other end
};

/// The Unix socket of a training, to which only its user can connect. The folder and the socket are closed to others,
/// and the kernel says who connects. What connects is handed over through a pair of descriptors, since a confined
/// training must not accept connections itself: it inherits the other end.
class Door {
 public:
  /// Makes the socket and its sign. `run`: see SocketSign. Throws Error{kUnsafe, kBadFile}; the training can go on
  /// without.
  explicit Door(std::string run);
  /// Removes the socket and its sign, in the process that made them.
  ~Door();
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;

  /// Accepts connections on a thread of its own. Call it in the process that made the door, after any fork().
  void open();
  /// Whether this process made the door.
  bool is_of_this_process() const;

  const SocketSign& sign() const { return sign_; }
  /// Readable if take() has something. A confined training keeps this descriptor.
  int descriptor() const { return ends_[1]; }
  /// The next connection; nullopt if there is none any more.
  std::optional<Connection> take() const;

 private:
  void listen_at(const std::string& address);
  void accept_all();
  void accept_one();

  SocketSign sign_;
  AttachFolder folder_;
  int lock_ = -1;
  int socket_ = -1;
  int ends_[2] = {-1, -1};  ///< [0]: of this process, [1]: of the training
  WakePipe closing_;
  std::thread thread_;
};

/// The user of the other end of a socket; nullopt if the kernel does not say.
struct PeerIdentity {
  std::uint32_t user = 0;
  std::int64_t process = 0;
};
std::optional<PeerIdentity> identity_of_peer(int socket);

/// Connects to the training with this sign. Returns a descriptor, or -1 and sets errno. Also refuses a socket that
/// another user serves, with EACCES.
int connect_to(const AttachFolder& folder, const SocketSign& sign);

}  // namespace binade::host
