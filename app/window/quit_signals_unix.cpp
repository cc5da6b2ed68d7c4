// SPDX-License-Identifier: Apache-2.0
#include "app/window/quit_signals.h"

#include <fcntl.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QSocketNotifier>

#include <array>
#include <cerrno>
#include <csignal>

namespace binade::app {

namespace {

constexpr std::array kSignals{SIGTERM, SIGINT, SIGHUP};

std::array<int, 2> pipe_ends{-1, -1};

/// Async-signal-safe.
void wake(int signal) {
  const int saved = errno;
  const char one = 1;
  static_cast<void>(!::write(pipe_ends[1], &one, 1));
  std::signal(signal, SIG_DFL);  // a program that does not end by itself ends by the next
  errno = saved;
}

/// Sets the handler of each signal that is not ignored, as nohup has it for SIGHUP.
void handle(void (*handler)(int)) {
  for (const int signal : kSignals) {
    if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

}  // namespace

QuitSignals::QuitSignals() {
  if (::pipe(pipe_ends.data()) != 0) return;
  for (const int end : pipe_ends) {
    ::fcntl(end, F_SETFD, FD_CLOEXEC);
    ::fcntl(end, F_SETFL, O_NONBLOCK);
  }
  notifier_ = std::make_unique<QSocketNotifier>(pipe_ends[0], QSocketNotifier::Read);
  QObject::connect(notifier_.get(), &QSocketNotifier::activated, notifier_.get(), [notifier = notifier_.get()] {
    notifier->setEnabled(false);
    // quit() would ask the window, which asks about unsaved edits.
    QCoreApplication::exit();
  });
  handle(wake);
}

QuitSignals::~QuitSignals() {
  if (notifier_ == nullptr) return;
  handle(SIG_DFL);
  notifier_.reset();
  for (int& end : pipe_ends) {
    ::close(end);
    end = -1;
  }
}

}  // namespace binade::app
