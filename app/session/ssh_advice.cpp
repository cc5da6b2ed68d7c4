// SPDX-License-Identifier: Apache-2.0
#include "app/session/ssh_advice.h"

#include "app/model/translate.h"

namespace binade::app {

namespace {

constexpr int kNoSuchCommand = 127;  // of the shell on the other computer

}  // namespace

// OpenSSH writes in English, whatever the language.
QString sshAdvice(const QString& host, const QString& said, std::optional<int> exit_code) {
  if (said.contains(QLatin1String("REMOTE HOST IDENTIFICATION HAS CHANGED"), Qt::CaseInsensitive)) {
    return tr("Another computer may answer in place of %1. Ask who runs it whether its key was changed. Only then "
              "remove the old key with: ssh-keygen -R %1")
        .arg(host);
  }
  if (said.contains(QLatin1String("Host key verification failed"), Qt::CaseInsensitive)) {
    return tr("ssh does not know the key of %1 yet. Run ssh %1 once in a terminal, compare the key, and accept it.")
        .arg(host);
  }
  if (said.contains(QLatin1String("Permission denied"), Qt::CaseInsensitive)) {
    return tr("ssh must log in without a question. Load your key with ssh-add, or install it there with: "
              "ssh-copy-id %1")
        .arg(host);
  }
  if (said.contains(QLatin1String("Could not resolve hostname"), Qt::CaseInsensitive)) {
    return tr("Check the name. ssh takes names of its configuration file, ~/.ssh/config, too.");
  }
  if (said.contains(QLatin1String("Connection refused"), Qt::CaseInsensitive)) {
    return tr("%1 is there, but no ssh server answers at this port. Set the port in ~/.ssh/config.").arg(host);
  }
  if (said.contains(QLatin1String("timed out"), Qt::CaseInsensitive) ||
      said.contains(QLatin1String("No route to host"), Qt::CaseInsensitive) ||
      said.contains(QLatin1String("Network is unreachable"), Qt::CaseInsensitive)) {
    return tr("%1 cannot be reached. Check the network, a VPN, and whether the computer is on.").arg(host);
  }
  if (exit_code == kNoSuchCommand || said.contains(QLatin1String("command not found"), Qt::CaseInsensitive)) {
    return tr("binade-engine is not on the PATH of %1. Install it there, or give its path in Command: "
              "/opt/binade/bin/binade-engine serve")
        .arg(host);
  }
  return {};
}

}  // namespace binade::app
