// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/ranks/place.h"

#include <c10/util/intrusive_ptr.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace c10d {
class Store;
}  // namespace c10d

namespace binade::ranks {

/// The table of short texts by which ranks find each other and tell what they do (c10d's TCPStore). Each object is one
/// connection; a thread that waits in one does not block another. All calls throw Error{kBadRun} once the process that
/// hosts the store has ended.
class Store {
 public:
  /// Connects, and hosts the store if `place` says so. Waits for the host at most `timeout`. Throws Error{kBadRun} if
  /// the port is taken, if nobody answers, and if something else answers.
  static Store join(const Place& place, std::chrono::milliseconds timeout);
  /// Hosts a store on a free port, or on `port` if it is not 0, without being a rank. Throws Error{kUsage} if the port
  /// is taken.
  static Store host(const std::string& address, int port);
  /// Another connection to the same store, for another thread.
  Store connect_again() const;
  /// The same connection, with the keys of the ranks that were started again so often.
  Store of_restart(int restart) const;

  int port() const;
  void set(const std::string& key, const std::string& value);
  /// Returns the value; nullopt: not set yet.
  std::optional<std::string> get(const std::string& key);

  /// Returns the values of keys that are all set, in one request.
  std::vector<std::string> get_all(const std::vector<std::string>& keys);

  /// The store for c10d's process groups. Their keys do not collide with the others.
  c10::intrusive_ptr<c10d::Store> for_groups() const;

 private:
  Store(Place place, std::chrono::milliseconds timeout, bool hosts);
  template <class Action>
  auto checked(Action action) const;
  std::string full(const std::string& key) const;

  Place place_;
  std::chrono::milliseconds timeout_;
  struct Connection;
  std::shared_ptr<Connection> connection_;
};

}  // namespace binade::ranks
