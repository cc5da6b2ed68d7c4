// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

class QSettings;

namespace binade::app {

/// A computer whose engine was used, and the command that starts it there; empty: the default command.
struct RecentHost {
  QString host;
  QString command;

  friend bool operator==(const RecentHost&, const RecentHost&) = default;
};

/// The computers whose engines were used, newest first, from the settings.
QList<RecentHost> recentHosts(QSettings& settings);
/// Puts a computer first; at most eight are kept.
void addRecentHost(QSettings& settings, const RecentHost& host);

}  // namespace binade::app
