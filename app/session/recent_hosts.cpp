// SPDX-License-Identifier: Apache-2.0
#include "app/session/recent_hosts.h"

#include <QSettings>

#include <algorithm>

namespace binade::app {

namespace {

constexpr auto kHosts = "recentHosts";
constexpr int kMostHosts = 8;

}  // namespace

QList<RecentHost> recentHosts(QSettings& settings) {
  QList<RecentHost> hosts;
  const int size = std::min(settings.beginReadArray(QLatin1String(kHosts)), kMostHosts);
  for (int i = 0; i < size; ++i) {
    settings.setArrayIndex(i);
    const QString host = settings.value(QStringLiteral("host")).toString();
    if (!host.isEmpty()) hosts.append({host, settings.value(QStringLiteral("command")).toString()});
  }
  settings.endArray();
  return hosts;
}

void addRecentHost(QSettings& settings, const RecentHost& host) {
  QList<RecentHost> hosts = recentHosts(settings);
  hosts.removeIf([&](const RecentHost& each) { return each.host == host.host; });
  hosts.prepend(host);
  while (hosts.size() > kMostHosts) hosts.removeLast();
  settings.remove(QLatin1String(kHosts));
  settings.beginWriteArray(QLatin1String(kHosts), static_cast<int>(hosts.size()));
  for (int i = 0; i < hosts.size(); ++i) {
    settings.setArrayIndex(i);
    settings.setValue(QStringLiteral("host"), hosts[i].host);
    settings.setValue(QStringLiteral("command"), hosts[i].command);
  }
  settings.endArray();
}

}  // namespace binade::app
