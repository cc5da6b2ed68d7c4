// SPDX-License-Identifier: Apache-2.0
#include "engine/host/interrupt.h"

#include "engine/host/exit_code.h"

#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <string_view>

namespace binade::host {

namespace {

sigset_t waited_for() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGUSR1);  // our own: the waiter should end
  return set;
}

}  // namespace

Interrupt::Interrupt(std::function<void()> on_signal) {
  const sigset_t set = waited_for();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  waiter_ = std::thread([set, on_signal = std::move(on_signal)] {
    for (bool again = false;; again = true) {
      int signal = 0;
      if (sigwait(&set, &signal) != 0 || signal == SIGUSR1) return;
      if (again) _exit(kCancelled);
      constexpr std::string_view kTold = "\nstops after this call; press Ctrl-C or send the signal again to end now\n";
      [[maybe_unused]] const auto told = ::write(STDERR_FILENO, kTold.data(), kTold.size());
      on_signal();
    }
  });
}

Interrupt::~Interrupt() {
  pthread_kill(waiter_.native_handle(), SIGUSR1);
  waiter_.join();
}

}  // namespace binade::host
