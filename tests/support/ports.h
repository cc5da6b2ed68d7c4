// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace binade::test {

/// A free port of the loopback for a server to come. The kernel never gives it to another socket by itself: it is below
/// the ports that it chooses from, so that a test that runs at the same time does not get it.
int freePort();

/// A port of the loopback that is bound as long as the object lives: a connection to it is refused unless it listens.
class TakenPort {
 public:
  enum class Answers { No, Yes };
  explicit TakenPort(Answers answers);
  ~TakenPort();
  TakenPort(const TakenPort&) = delete;
  TakenPort& operator=(const TakenPort&) = delete;
  int number() const { return number_; }

 private:
  int descriptor_;
  int number_ = 0;
};

}  // namespace binade::test
