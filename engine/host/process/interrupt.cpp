// SPDX-License-Identifier: Apache-2.0
#include "engine/host/process/interrupt.h"

#include "engine/host/process/exit_code.h"

#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <string_view>
#include <utility>

namespace binade::host {

namespace {

sigset_t waited_for() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  struct sigaction hang_up {};  // sent when a terminal closes; ignored under nohup
  if (::sigaction(SIGHUP, nullptr, &hang_up) == 0 && hang_up.sa_handler != SIG_IGN) sigaddset(&set, SIGHUP);
  sigaddset(&set, SIGUSR1);  // sent by the destructor to end the thread
  return set;
}

void write_message(std::string_view text) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

Interrupt::Interrupt(std::function<void()> on_signal, std::function<bool()> nothing_to_keep, InterruptWords words) {
  const sigset_t set = waited_for();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  waiter_ = std::thread(
      [set, on_signal = std::move(on_signal), nothing_to_keep = std::move(nothing_to_keep), words = std::move(words)] {
        int signal = 0;
        if (sigwait(&set, &signal) != 0 || signal == SIGUSR1) return;
        const auto say = [&words](const std::string& text) {
          if (!words.silent) write_message(text);
        };
        say(nothing_to_keep() ? "\nEnding within two seconds: " + words.ending + ".\n"
                              : "\nStopping after this call. Press Ctrl-C or send the signal again to end now.\n");
        on_signal();
        for (;;) {
          constexpr timespec kPatience{.tv_sec = 2, .tv_nsec = 0};
          signal = sigtimedwait(&set, nullptr, &kPatience);
          if (signal == SIGUSR1) return;
          if (signal == SIGHUP) continue;  // a closing terminal sends it twice: no second request
          if (signal < 0 && (errno != EAGAIN || !nothing_to_keep())) continue;
          if (signal < 0) say(words.cancelled + ".\n");
          _exit(kCancelled);
        }
      });
}

Interrupt::~Interrupt() {
  pthread_kill(waiter_.native_handle(), SIGUSR1);
  waiter_.join();
}

}  // namespace binade::host
