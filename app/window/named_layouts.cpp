// SPDX-License-Identifier: Apache-2.0
#include "app/window/named_layouts.h"

#include <QCollator>
#include <QSettings>
#include <QUrl>

#include <algorithm>

namespace binade::app {

namespace {

constexpr auto kNamedGroup = "window/namedLayouts";

// A slash in a key would begin a group.
QString namedKey(const QString& name) {
  return QLatin1String(kNamedGroup) + u'/' + QString::fromLatin1(QUrl::toPercentEncoding(name));
}

}  // namespace

QStringList NamedLayouts::names() const {
  QStringList names;
  settings_->beginGroup(QLatin1String(kNamedGroup));
  for (const QString& key : settings_->childKeys()) {
    const QString name = QUrl::fromPercentEncoding(key.toLatin1());
    if (cleanName(name) == name) names << name;  // garbage has no place in a menu
  }
  settings_->endGroup();
  names.removeAll(QString());
  std::sort(names.begin(), names.end(), QCollator());
  return names;
}

QByteArray NamedLayouts::state(const QString& name) const {
  return settings_->value(namedKey(name)).toByteArray();
}

void NamedLayouts::save(const QString& name, const QByteArray& state) {
  settings_->setValue(namedKey(name), state);
  settings_->sync();
}

void NamedLayouts::remove(const QString& name) {
  settings_->remove(namedKey(name));
  settings_->sync();
}

QString NamedLayouts::cleanName(const QString& typed) {
  QString name = typed.simplified();
  name.truncate(kLongestName);
  return name.trimmed();
}

}  // namespace binade::app
