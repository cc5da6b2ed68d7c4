// SPDX-License-Identifier: Apache-2.0
#include "app/window/preferences.h"

#include "app/window/arrangement_hint.h"
#include "views/theme.h"

#include <QApplication>
#include <QLocale>
#include <QSettings>

#include <algorithm>

namespace binade::app {

namespace {

constexpr auto kNumbersKey = "numberStyle";
constexpr auto kTextKey = "textPercent";
constexpr auto kEngineKey = "engine";
constexpr auto kUnconfinedKey = "unconfinedEngine";
constexpr int kLeastText = 80;
constexpr int kMostText = 150;

// A language whose numbers look as wanted. The program's own locale, before any change, is that of the system.
QLocale localeOf(NumberStyle style) {
  static const QLocale own;
  switch (style) {
    case NumberStyle::kSystem:
      break;
    case NumberStyle::kPointAndComma:
      return {QLocale::English, QLocale::UnitedStates};
    case NumberStyle::kCommaAndPoint:
      return {QLocale::German, QLocale::Germany};
    case NumberStyle::kCommaAndSpace:
      return {QLocale::French, QLocale::France};
  }
  return own;
}

}  // namespace

Preferences preferences(const QSettings& settings) {
  Preferences found;
  found.theme = themeChoice(settings);
  const int numbers = settings.value(QLatin1String(kNumbersKey), 0).toInt();
  if (numbers > 0 && numbers <= static_cast<int>(NumberStyle::kCommaAndSpace)) {
    found.numbers = static_cast<NumberStyle>(numbers);
  }
  found.text_percent = std::clamp(settings.value(QLatin1String(kTextKey), 100).toInt(), kLeastText, kMostText);
  found.hints = hintsWanted(settings);
  found.engine = settings.value(QLatin1String(kEngineKey)).toString();
  const int unconfined = settings.value(QLatin1String(kUnconfinedKey), 0).toInt();
  if (unconfined > 0 && unconfined <= static_cast<int>(Unconfined::kDoNotStart)) {
    found.unconfined = static_cast<Unconfined>(unconfined);
  }
  return found;
}

void storePreferences(QSettings& settings, const Preferences& wanted) {
  storeThemeChoice(settings, wanted.theme);
  settings.setValue(QLatin1String(kNumbersKey), static_cast<int>(wanted.numbers));
  settings.setValue(QLatin1String(kTextKey), wanted.text_percent);
  settings.setValue(QLatin1String(kEngineKey), wanted.engine);
  settings.setValue(QLatin1String(kUnconfinedKey), static_cast<int>(wanted.unconfined));
  setHintsWanted(settings, wanted.hints);
}

EngineCommand confinedAsWanted(EngineCommand engine, const Preferences& wanted) {
  engine.confinement = wanted.unconfined == Unconfined::kStart ? Confinement::kIfPossible : Confinement::kRequired;
  return engine;
}

void applyLooks(const Preferences& wanted) {
  QLocale::setDefault(localeOf(wanted.numbers));
  views::setTextScale(*qApp, wanted.text_percent / 100.0);
  applyThemeChoice(wanted.theme);  // last: everything is painted anew
}

}  // namespace binade::app
