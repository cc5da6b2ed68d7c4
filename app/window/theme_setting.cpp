// SPDX-License-Identifier: Apache-2.0
#include "app/window/theme_setting.h"

#include "app/model/translate.h"
#include "views/theme.h"

#include <QActionGroup>
#include <QApplication>
#include <QMenu>
#include <QPalette>
#include <QSettings>

namespace binade::app {

namespace {

constexpr auto kKey = "theme";

QString word(ThemeChoice choice) {
  switch (choice) {
    case ThemeChoice::kSystem:
      break;
    case ThemeChoice::kLight:
      return QStringLiteral("light");
    case ThemeChoice::kDark:
      return QStringLiteral("dark");
    case ThemeChoice::kHighContrast:
      return QStringLiteral("high-contrast");
  }
  return QStringLiteral("system");
}

// Qt 6.4 cannot report the system's colour scheme, so a dark window background is taken as a sign. Determined once,
// before the program sets its own palette.
bool systemIsDark() {
  static const bool dark = QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
  return dark;
}

}  // namespace

ThemeChoice themeChoice(const QSettings& settings) {
  const QString text = settings.value(QLatin1String(kKey)).toString();
  for (const ThemeChoice choice : {ThemeChoice::kLight, ThemeChoice::kDark, ThemeChoice::kHighContrast}) {
    if (text == word(choice)) return choice;
  }
  return ThemeChoice::kSystem;
}

void storeThemeChoice(QSettings& settings, ThemeChoice choice) {
  settings.setValue(QLatin1String(kKey), word(choice));
}

void applyThemeChoice(ThemeChoice choice) {
  const bool dark = choice == ThemeChoice::kDark || (choice == ThemeChoice::kSystem && systemIsDark());
  static_cast<void>(systemIsDark());
  views::applyTheme(*qApp, choice == ThemeChoice::kHighContrast ? views::Theme::kHighContrast
                           : dark                               ? views::Theme::kDark
                                                                : views::Theme::kLight);
}

void fillThemeMenu(QMenu* menu, QSettings* settings) {
  auto* group = new QActionGroup(menu);
  const auto add = [&](const QString& text, ThemeChoice choice) {
    QAction* action = menu->addAction(text);
    action->setCheckable(true);
    action->setChecked(themeChoice(*settings) == choice);
    group->addAction(action);
    // The settings dialog changes it too.
    QObject::connect(menu, &QMenu::aboutToShow, action,
                     [action, settings, choice] { action->setChecked(themeChoice(*settings) == choice); });
    QObject::connect(action, &QAction::triggered, menu, [settings, choice] {
      storeThemeChoice(*settings, choice);
      applyThemeChoice(choice);
    });
  };
  add(tr("As the &system"), ThemeChoice::kSystem);
  add(tr("&Light"), ThemeChoice::kLight);
  add(tr("&Dark"), ThemeChoice::kDark);
  add(tr("&High contrast"), ThemeChoice::kHighContrast);
}

}  // namespace binade::app
