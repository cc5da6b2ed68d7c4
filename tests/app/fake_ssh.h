// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/suite.h"

#include <QFile>
#include <QString>
#include <QStringList>

namespace binade::test {

/// A stand-in for ssh, first on PATH as long as it lives. It knows one host, `box`, and runs the command there as a
/// shell would. Any other host is unknown, except `changed`, whose key is another one.
class FakeSsh {
 public:
  FakeSsh() : folder_(temporaryFolder()), path_(qgetenv("PATH")) {
    QFile file(folder_ + QStringLiteral("/ssh"));
    if (file.open(QIODevice::WriteOnly)) {
      file.write(
          "#!/bin/sh\n"
          "host=$1\n"
          "shift\n"
          "echo \"$host $*\" >> \"$(dirname \"$0\")/calls\"\n"
          "if [ \"$host\" = changed ]; then\n"
          "  echo \"@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\" >&2\n"
          "  echo \"Host key verification failed.\" >&2\n"
          "  exit 255\n"
          "fi\n"
          "if [ \"$host\" != box ]; then\n"
          "  echo \"ssh: Could not resolve hostname $host: Name or service not known\" >&2\n"
          "  exit 255\n"
          "fi\n"
          "exec sh -c \"$*\"\n");
    }
    file.setPermissions(file.permissions() | QFile::ExeOwner);
    file.close();
    qputenv("PATH", folder_.toLocal8Bit() + ':' + path_);
  }
  ~FakeSsh() { qputenv("PATH", path_); }
  FakeSsh(const FakeSsh&) = delete;
  FakeSsh& operator=(const FakeSsh&) = delete;

  /// What it was called with, oldest first: host and command.
  QStringList calls() const {
    QFile file(folder_ + QStringLiteral("/calls"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QString::fromUtf8(file.readAll()).split(u'\n', Qt::SkipEmptyParts);
  }

 private:
  QString folder_;
  QByteArray path_;
};

}  // namespace binade::test
