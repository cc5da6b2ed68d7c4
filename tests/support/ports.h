// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace binade::test {

/// A free port of the loopback for a server to come. It is drawn at random from below the ports that the kernel gives
/// to other sockets by default, so that it is unlikely to be taken before the server binds it.
int freePort();

/// A port of the loopback that is bound as long as the object lives: a connection to it is refused unless it listens.
class TakenPort {
 public:
  enum class Listens { kNo, kYes };
  explicit TakenPort(Listens listens);
  ~TakenPort();
  TakenPort(const TakenPort&) = delete;
  TakenPort& operator=(const TakenPort&) = delete;
  int number() const { return number_; }

 private:
  int descriptor_;
  int number_ = 0;
};

}  // namespace binade::test
