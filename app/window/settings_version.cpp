// SPDX-License-Identifier: Apache-2.0
#include "app/window/settings_version.h"

#include <QSettings>

#include <utility>

namespace binade::app {

namespace {

constexpr auto kVersionKey = "settings/version";
constexpr auto kWindowGroup = "window";

}  // namespace

bool areNewer(const QSettings& settings) {
  return settings.value(QLatin1String(kVersionKey), kSettingsVersion).toLongLong() > kSettingsVersion;
}

std::unique_ptr<QSettings> usableSettings(std::unique_ptr<QSettings> stored, const QString& copy) {
  if (!areNewer(*stored)) {
    if (stored->value(QLatin1String(kVersionKey)).toInt() != kSettingsVersion)
      stored->setValue(QLatin1String(kVersionKey), kSettingsVersion);
    return stored;
  }
  auto usable = std::make_unique<QSettings>(copy, QSettings::IniFormat);
  for (const QString& key : stored->allKeys()) usable->setValue(key, stored->value(key));
  usable->remove(QLatin1String(kWindowGroup));
  return usable;
}

}  // namespace binade::app
